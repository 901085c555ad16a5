"""The hooks for pre-commit and the action of GitHub, as another project's repository uses them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from houserule.cli import shelf
from houserule.cli.application import application

pytestmark = pytest.mark.installed
ROOT = Path(__file__).parent.parent
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORKFLOW, CONFIG = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)[1:])
MESSY = "draw   1 from deck"
WRONG = "draw 1 from dekc"


class Project:
    """Somebody's repository with a game of theirs, other files in YAML, and a shell to type in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.game = folder / "games" / "storms" / "game.yaml"
        binaries = folder.parent / "bin"
        binaries.mkdir()
        command = binaries / "houserule"
        command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m houserule "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))}
        identity = {
            f"GIT_{who}_{what}": "nobody@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        self.environment = kept | identity | {
            "PATH": f"{binaries}{os.pathsep}{kept['PATH']}",
            "PYTHONPATH": str(ROOT / "interpreter"),
            "PRE_COMMIT_HOME": str(folder.parent / "pre-commit"),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }  # fmt: skip

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def git(self, *words: str) -> str:
        done = self.run("git", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def replace(self, before: str, after: str) -> None:
        text = self.game.read_text(encoding="utf-8")
        assert before in text
        self.game.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands of these tests keep the tables of the grammar, which take longer to make than to read."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def project(tmp_path: Path, cached: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    folder = tmp_path / "project"
    (folder / "games").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cached))
    shelf.game("games/storms")
    (folder / "ci.yaml").write_text("on:   [push]\njobs: {a:   {b: c}}\n", encoding="utf-8")
    (folder / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    made = Project(folder)
    made.git("init", "--quiet")
    made.git("add", ".")
    return made


def run_hook(project: Project, hook: str, *more: str) -> Result:
    """What pre-commit runs, in this process: the entry with the arguments and every file in YAML."""
    files = [file for file in project.git("ls-files").split("\n") if file.endswith((".yaml", ".yml"))]
    command, *words = shlex.split(HOOKS[hook]["entry"])
    assert command == "houserule"
    return CliRunner().invoke(application, [*words, *more, *files], prog_name=command, catch_exceptions=False)


# --- what the hooks run -----------------------------------------------------------------------------------------------


def test_the_hooks_are_those_of_the_readme() -> None:
    (repository,) = CONFIG["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == list(HOOKS)
    assert {hook["language"] for hook in HOOKS.values()} == {"python"}


def test_a_sound_project_passes_whatever_else_it_has_in_yaml(project: Project) -> None:
    for hook in HOOKS:
        done = run_hook(project, hook)
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert project.git("diff") == ""


def test_the_hook_formats_rules_and_nothing_else(project: Project) -> None:
    sound = project.game.read_text(encoding="utf-8")
    project.replace("draw 1 from deck", MESSY)
    done = run_hook(project, "houserule-format")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "games/storms/game.yaml has been formatted\n"
    assert project.game.read_text(encoding="utf-8") == sound
    assert project.git("diff") == ""


def test_the_hook_says_what_is_wrong(project: Project) -> None:
    project.replace("draw 1 from deck", WRONG)
    done = run_hook(project, "houserule-validate", *CONFIG["repos"][0]["hooks"][1]["args"])
    assert done.exit_code == 1
    assert "games/storms/game.yaml:" in done.stderr
    assert "did you mean 'deck'?" in done.stderr
    assert "1 error\n" in done.stderr


def test_a_part_of_a_game_is_checked_with_its_game(project: Project) -> None:
    project.replace("edition: 2026\n", "edition: 2026\ninclude: [parts.yaml]\n")
    part = project.game.parent / "parts.yaml"
    part.write_text("actions:\n  fetch: draw 1 from dekc to drawn\n", encoding="utf-8")
    project.git("add", ".")
    done = run_hook(project, "houserule-validate")
    assert done.exit_code == 1
    assert "games/storms/parts.yaml:2:" in done.stderr
    assert "dekc" in done.stderr


# --- real pre-commit --------------------------------------------------------------------------------------------------


def pre_commit(project: Project, config: Any) -> subprocess.CompletedProcess[str]:
    """Run pre-commit with a configuration over all files."""
    pytest.importorskip("pre_commit")
    (project.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    project.git("add", ".")
    return project.run(sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never")


def check_with_pre_commit(project: Project, config: Any) -> None:
    """The hooks let a sound project pass, mend the layout, and stop what is wrong."""
    done = pre_commit(project, config)
    assert done.returncode == 0, done.stdout + done.stderr
    sound = project.game.read_text(encoding="utf-8")
    project.replace("draw 1 from deck", MESSY)
    done = pre_commit(project, config)
    assert done.returncode == 1
    assert re.search(r"format rule files\.*Failed\n(- .*\n)*- files were modified by this hook", done.stdout)
    assert re.search(r"check rule files\.*Passed", done.stdout)
    assert project.game.read_text(encoding="utf-8") == sound
    project.replace("draw 1 from deck", WRONG)
    done = pre_commit(project, config)
    assert done.returncode == 1
    assert re.search(r"format rule files\.*Passed", done.stdout)
    assert re.search(r"check rule files\.*Failed", done.stdout)
    assert "did you mean 'deck'?" in done.stdout


def test_pre_commit_runs_the_hooks(project: Project) -> None:
    """As they are, but with the command that is installed already, so that nothing is fetched."""
    hooks = [{**hook, "language": "system"} for hook in HOOKS.values()]
    check_with_pre_commit(project, {"repos": [{"repo": "local", "hooks": hooks}]})


@pytest.mark.network
def test_pre_commit_installs_this_repository_and_runs_its_hooks(project: Project, tmp_path: Path) -> None:
    """The configuration of the README, with a repository that holds what lies here now."""
    here = tmp_path / "houserule"
    listed = project.run("git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.stdout.split("\n")):
        if (ROOT / name).is_file():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, here / name)
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        project.git("-C", str(here), *words)
    del project.environment["PYTHONPATH"]
    version = project.git("-C", str(here), "rev-parse", "HEAD").strip()
    (repository,) = CONFIG["repos"]
    check_with_pre_commit(project, {"repos": [{**repository, "repo": str(here), "rev": version}]})


# --- the action -------------------------------------------------------------------------------------------------------


def run_action(project: Project, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the last step of the action as GitHub does: its script in bash, its environment made of the inputs."""
    step = ACTION["runs"]["steps"][-1]
    inputs = {name: str(given.get(name, declared["default"])) for name, declared in ACTION["inputs"].items()}
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], value)
        for name, value in step["env"].items()
    }
    return project.run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], **environment)


def test_the_action_declares_what_it_uses_and_uses_what_it_declares() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "uses" in step or step["shell"] == "bash"
        assert "${{" not in step.get("run", ""), "an input within a script could say more than it should"


def test_the_workflow_of_the_readme_gives_inputs_that_there_are() -> None:
    (step,) = [step for step in WORKFLOW["jobs"]["rules"]["steps"] if step["uses"].startswith("houserule/")]
    assert set(step["with"]) <= set(ACTION["inputs"])
    upload = WORKFLOW["jobs"]["rules"]["steps"][-1]
    assert upload["with"]["sarif_file"] == step["with"]["sarif"]


def test_the_action_annotates_what_is_wrong_and_still_writes_its_report(project: Project) -> None:
    project.replace("draw 1 from deck", WRONG)
    done = run_action(project, sarif="rules.sarif", format="false", test="false")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=games/storms/game.yaml,line=")
    assert "HR501" in (project.folder / "rules.sarif").read_text(encoding="utf-8")


def test_the_action_passes_a_sound_project_and_imports_nothing_from_it(project: Project) -> None:
    """Modules of a stranger that lie where Python would look first, were it to look there."""
    for name in ("houserule", "pip", "typer", "yaml", "rich", "json", "sitecustomize"):
        (project.folder / f"{name}.py").write_text("raise SystemExit('a stranger speaks')\n", encoding="utf-8")
    done = run_action(project, strict="true", sarif="rules.sarif")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert '"results": []' in (project.folder / "rules.sarif").read_text(encoding="utf-8")
    for step in ACTION["runs"]["steps"]:
        for command in re.findall(r"^ *(python3? .*)$", step.get("run", ""), re.MULTILINE):
            assert command.startswith("python -I "), "Python takes modules from the folder in which it is started"
        assert "run" not in step or step["env"]["PYTHONSAFEPATH"] == "1"


def test_the_action_passes_a_project_without_scenarios_with_a_notice(project: Project) -> None:
    for file in (project.game.parent / "scenarios").glob("*.yaml"):
        file.unlink()
    done = run_action(project, format="false", junit="scenarios.xml")
    assert (done.returncode, done.stdout) == (0, "::notice::there are no scenarios in games\n")
    assert "<testsuites" in (project.folder / "scenarios.xml").read_text(encoding="utf-8")


def test_the_action_tries_games_out_and_compares_rulebooks_where_asked(project: Project) -> None:
    """The commands that it calls, without running them."""
    command = Path(project.environment["PATH"].split(os.pathsep)[0]) / "houserule"
    command.write_text('#!/bin/sh\necho "$@"\n[ "$1" != rulebook ]\n', encoding="utf-8")
    done = run_action(
        project, check="true", rulebooks="games/storms=rules.md games/storms:de=regeln.html", test="false"
    )
    assert done.stdout.splitlines()[2:] == [
        "check games",
        "rulebook games/storms --lang en --check rules.md",
        "rulebook games/storms --lang de --check regeln.html",
    ]
    assert done.returncode == 1


def test_the_action_does_not_write_through_a_link(project: Project) -> None:
    (project.folder / "rules.sarif").symlink_to(project.folder.parent / "elsewhere")
    assert run_action(project, sarif="rules.sarif", format="false", test="false").returncode == 1
    assert not (project.folder.parent / "elsewhere").exists()


@pytest.mark.parametrize("place", ["reports/rules.sarif", "reports/deeper/rules.sarif", "a/../reports/rules.sarif"])
def test_the_action_does_not_write_through_a_linked_folder(project: Project, place: str) -> None:
    elsewhere = project.folder.parent / "elsewhere"
    (elsewhere / "deeper").mkdir(parents=True)
    (project.folder / "a").mkdir()
    (project.folder / "reports").symlink_to(elsewhere)
    for sarif in (place, str(project.folder / place)):
        assert run_action(project, sarif=sarif, format="false", test="false").returncode == 1
    assert [file for file in elsewhere.rglob("*") if file.is_file()] == []


def test_the_action_shows_what_is_not_formatted_and_runs_scenarios(project: Project) -> None:
    project.replace("draw 1 from deck", MESSY)
    (project.game.parent / "scenarios" / "wrong.yaml").write_text(
        "of: storms\nplayers: [maya, margot]\n---\nscenario: One is two\nexpect: 1 == 2\n", encoding="utf-8"
    )
    done = run_action(project)
    assert done.returncode == 1
    assert "::error file=games/storms/scenarios/wrong.yaml,line=5,title=One is two::" in done.stdout
    assert "\n+" in done.stdout
    assert run_action(project, format="false").returncode == 1
    assert run_action(project, test="false").returncode == 1
    assert run_action(project, format="false", test="false").returncode == 0
