"""The pages of a site that are written once: the first page, a page for each game, and the frames of what runs in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import urlencode

from houserule import Game
from houserule.printable import visible
from houserule.rulebook import LANGUAGES, Book, Change, changes, rulebook
from houserule.shelf import Offer

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""What a page may load: only what lies beside it. It holds also where the host sends no header of that kind."""
NAMES = {"en": "English", "de": "Deutsch", "zh-Hant": "繁體中文", "ja": "日本語"}
ROWS = {
    "play": ("Play", "Spielen", "遊玩", "遊ぶ"),
    "rules": ("Rules", "Regeln", "規則", "ルール"),
    "change": ("Change the rules", "Regeln ändern", "修改規則", "ルールを変える"),
    "games": ("Games", "Spiele", "遊戲", "ゲーム"),
    "manual": ("Manual", "Handbuch", "手冊", "マニュアル"),
    "cookbook": ("Cookbook", "Rezepte", "食譜", "レシピ集"),
    "playground": ("Playground", "Werkstatt", "工作坊", "プレイグラウンド"),
    "shelf": ("Shelf", "Regal", "書架", "本棚"),
    "players": ("{low} to {high} players", "{low} bis {high} Personen", "{low} 至 {high} 人", "{low}〜{high}人"),
    "one_number": ("{low} players", "{low} Personen", "{low} 人", "{low}人"),
    "house_rules": ("House rules", "Hausregeln", "房規", "ハウスルール"),
    "try_rule": ("Try it", "Ausprobieren", "試試看", "試す"),
    "nothing": ("The rulebook says the same.", "Die Anleitung sagt dasselbe.", "規則書的內容不變。", "ルールブックの文は同じです。"),
    "gone": ("no longer:", "nicht mehr:", "不再：", "なくなる文："),
    "new": ("new:", "neu:", "新增：", "新しい文："),
    "download": ("Download the rule files", "Regeldateien herunterladen", "下載規則檔", "ルールファイルを保存"),
    "studies": ("Studies", "Untersuchungen", "研究報告", "調査"),
    "search": ("Search", "Suchen", "搜尋", "検索"),
    "about": (
        "Play against bots or with a friend at the same device, change a rule, and send the changed game as a link. Nothing is installed, and nothing is sent to anybody.",
        "Spiel gegen Bots oder mit jemandem am selben Gerät, ändere eine Regel und verschicke das geänderte Spiel als Link. Nichts wird installiert, und nichts wird irgendwohin gesendet.",
        "和電腦或同一裝置旁的朋友一起玩，改一條規則，再用連結分享改過的遊戲。不必安裝，也不會把任何資料傳給別人。",
        "ボットや同じ端末の友だちと遊び、ルールを変え、変えたゲームをリンクで送れます。インストールは不要で、何もどこにも送られません。",
    ),
    "language": ("Language", "Sprache", "語言", "言語"),
    "about_shelf": (
        "Each game and house rule of this site can be added to a folder of your own. The command checks it, says what it changes, and keeps its hash in {lock}.",
        "Jedes Spiel und jede Hausregel dieser Seite lässt sich in einen eigenen Ordner holen. Der Befehl prüft die Dateien, sagt, was sie ändern, und merkt sich ihren Hash in {lock}.",
        "本站的每個遊戲和房規都能加入你自己的資料夾。指令會檢查內容、說明它改了什麼，並把雜湊值記在 {lock}。",
        "このサイトのゲームとハウスルールは、自分のフォルダーに追加できます。コマンドは内容を確かめ、何が変わるかを伝え、ハッシュを {lock} に残します。",
    ),
    "name": ("Name", "Name", "名稱", "名前"),
    "title": ("Title", "Titel", "標題", "題名"),
    "for": ("For", "Für", "適用遊戲", "対象"),
    "author": ("Author", "Von", "作者", "作者"),
    "licence": ("Licence", "Lizenz", "授權", "ライセンス"),
    "hash": ("Hash", "Hash", "雜湊值", "ハッシュ"),
    "index": ("The index as a file", "Das Verzeichnis als Datei", "索引檔", "索引のファイル"),
    "host": (
        "Anybody can host one: {command} writes it.", "Ein solches kann jeder anbieten: {command} schreibt es.",
        "任何人都能提供索引：用 {command} 產生。", "索引は誰でも置けます。{command} で書き出せます。",
    ),
}  # fmt: skip
"""The phrases of the pages, in the languages of the phrase books."""


def say(language: str, name: str, **values: object) -> str:
    row = ROWS[name]
    return row[LANGUAGES.index(language) if language in LANGUAGES else 0].format(**values)


@dataclass(slots=True)
class Shown:
    """A game as the site shows it: its rulebooks by language, its house rules as changes, and the files beside it."""

    game: Game
    books: dict[str, Book]
    house_rules: dict[str, dict[str, list[Change]]]
    """By language and by id: the sentences that are gone and new."""
    reports: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.game.id

    def title(self, language: str) -> str:
        return self.game.title(spoken(self.game, language))

    def text(self, language: str) -> str:
        return self.game.text(spoken(self.game, language))


def spoken(game: Game, language: str) -> str:
    return language if language in game.languages else game.languages[0]


def shown(game: Game, with_rule: Mapping[str, Game]) -> Shown:
    """What the site says of a game; `with_rule` has the game with each of its house rules."""
    books = {language: rulebook(game, language) for language in LANGUAGES}
    told = [language for language in books if language == "en" or language in game.languages]
    changed: dict[str, dict[str, list[Change]]] = {language: {} for language in told}
    for language in told if with_rule else ():
        before = rulebook(game, language, examples=False)
        for id, other in with_rule.items():
            changed[language][id] = list(changes(before, rulebook(other, language, examples=False)))
    return Shown(game, books, changed)


# --- pages ------------------------------------------------------------------------------------------------------------


def page(
    title: str,
    body: Iterable[str],
    root: str = "",
    language: str = "en",
    scripts: Sequence[str] = (),
    name: str = "",
    styles: Sequence[str] = (),
) -> str:
    """A page of the site; `root` is the way from it to the first page."""
    links = [f'<link rel="icon" href="{root}app/icon.svg" type="image/svg+xml">', f'<link rel="manifest" href="{root}site.webmanifest">']  # fmt: skip
    links += [f'<link rel="stylesheet" href="{root}app/{one}.css">' for one in ("palette", "site", *styles)]
    links += [f'<script type="module" src="{root}{one}"></script>' for one in scripts]
    inside = "\n".join(body)
    return visible(
        f'{head(title, language, links)}<body class="{name}" data-root="{root}">\n{inside}\n</body>\n</html>\n'
    )


def head(title: str, language: str, links: Iterable[str]) -> str:
    """What stands before the body of a page."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n" + "".join(f"{one}\n" for one in links) + "</head>\n"
    )  # fmt: skip


def header(
    language: str, root: str, title: str = "Houserule", others: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The links at the top of a page; `others` has the page in other languages."""
    yield '<header class="top">'
    yield f'<a class="brand" href="{root}index{suffix(language)}.html"><img src="{root}app/icon.svg" alt="" width="28" height="28"> {escape(title)}</a>'
    yield f'<nav aria-label="{escape(title)}"><ul>'
    links = {"playground": f"playground.html{asking(language)}", "manual": "manual/language.html", "cookbook": "manual/cookbook.html", "shelf": f"shelf{suffix(language)}.html"}  # fmt: skip
    yield from (f'<li><a href="{root}{href}">{say(language, name)}</a></li>' for name, href in links.items())
    yield "</ul></nav>"
    if others:
        yield f'<nav aria-label="{say(language, "language")}" class="tongues"><ul>'
        for one, href in others.items():
            now = ' aria-current="page"' if one == language else ""
            yield f'<li><a lang="{one}" hreflang="{one}" href="{href}"{now}>{NAMES[one]}</a></li>'
        yield "</ul></nav>"
    yield "</header>"


def suffix(language: str) -> str:
    return "" if language == "en" else f".{language}"


def asking(language: str, **values: str) -> str:
    """What an address asks a page that runs for: its language too, unless that is English, which anybody may have come by."""
    asked = values if language == "en" else {**values, "lang": language}
    return escape(f"?{urlencode(asked)}") if asked else ""


def search_box(language: str) -> Iterator[str]:
    words = say(language, "search")
    yield (
        f'<search><label>{words} <input type="search" id="search" autocomplete="off" spellcheck="false"></label>'
        '<ol id="found" hidden></ol><p class="unseen" role="status" id="count"></p></search>'
    )


def first_page(games: Sequence[Shown], language: str, title: str) -> str:
    """The games of the site."""
    others = {one: f"index{suffix(one)}.html" for one in LANGUAGES}
    body = [*header(language, "", title, others), "<main>", f"<h1>{escape(title)}</h1>"]
    body += [
        f'<p class="lead">{say(language, "about")}</p>',
        *search_box(language),
        f"<h2>{say(language, 'games')}</h2>",
    ]
    body += ['<ul class="cards">', *(line for one in games for line in card(one, language)), "</ul>", CREDIT, "</main>"]
    return page(title, body, "", language, ("app/search.js", "app/covers.js", "app/offline.js"), "front", ("pieces",))


def card(one: Shown, language: str) -> Iterator[str]:
    lang = f' lang="{spoken(one.game, language)}"'
    yield f'<li class="card"{lang}>{cover(one)}<h3><a href="games/{one.id}/index{suffix(language)}.html">{escape(one.title(language))}</a></h3>'
    yield f'<p class="small" lang="{language}">{players(one.game, language)}</p><p class="about">{escape(one.text(language))}</p>'
    yield f'<p class="actions" lang="{language}">{actions(one, language, "")}</p></li>'


CREDIT = '<p class="credit" id="credit"></p>'
"""Who has drawn the icons of covers, once they are there."""


def cover(one: Shown) -> str:
    """Where pieces of a game are drawn."""
    return f'<div class="cover" data-game="{one.id}"></div>'


def actions(one: Shown, language: str, root: str) -> str:
    return (
        f'<a class="button main" href="{root}play.html{asking(language, game=one.id)}">{say(language, "play")}</a> '
        f'<a class="button" href="{root}games/{one.id}/rules.{language}.html">{say(language, "rules")}</a> '
        f'<a class="button" href="{root}playground.html{asking(language)}#{one.id}">{say(language, "change")}</a>'
    )


def players(game: Game, language: str) -> str:
    low, high = game.players[0], game.players[-1]
    return say(language, "players" if low < high else "one_number", low=low, high=high)


def game_page(one: Shown, language: str, title: str) -> str:
    """A game: what it is about, its rulebooks, and what each house rule changes."""
    root, tongue = "../../", spoken(one.game, language)
    others = {other: f"index{suffix(other)}.html" for other in LANGUAGES}
    books = (f'<li><a lang="{other}" href="rules.{other}.html">{NAMES[other]}</a></li>' for other in LANGUAGES)
    body = [
        *header(language, root, title, others),
        "<main>",
        f'<h1 lang="{tongue}">{escape(one.title(language))}</h1>',
        f'<p class="small">{players(one.game, language)}</p><p class="lead" lang="{tongue}">{escape(one.text(language))}</p>',
        cover(one),
        f'<p class="actions">{actions(one, language, root)}</p>',
        *(f"<h2>{say(language, 'rules')}</h2>", '<ul class="row">', *books, "</ul>"),
    ]
    found = one.house_rules.get(language) or one.house_rules["en"]
    if found:
        body += [f"<h2>{say(language, 'house_rules')}</h2>"]
        body += [line for id, listed in found.items() for line in house_rule(one, id, listed, language)]
    body += [f'<p><a class="button" href="{one.id}.zip" download>{say(language, "download")}</a></p>']
    if one.reports:
        files = ((escape(name), escape(name.removesuffix(".html"))) for name in one.reports)
        listed = (f'<li><a href="reports/{file}">{name}</a></li>' for file, name in files)
        body += [f"<h2>{say(language, 'studies')}</h2>", "<ul>", *listed, "</ul>"]
    body += [CREDIT, "</main>"]
    return page(
        f"{one.title(language)} · {title}",
        body,
        root,
        language,
        ("app/covers.js", "app/offline.js"),
        "game",
        ("pieces",),
    )


def house_rule(one: Shown, id: str, listed: Sequence[Change], language: str) -> Iterator[str]:
    """A house rule: its title, and the sentences that it changes in the rulebook."""
    tongue = language if language in one.house_rules else "en"
    title = one.game.titles_of_house_rules(spoken(one.game, language)).get(id) or id
    yield f'<section class="rule" id="{escape(id)}"><h3 lang="{spoken(one.game, language)}">{escape(title)}</h3>'
    if not listed:
        yield f"<p>{say(language, 'nothing')}</p>"
    yield f'<ul class="changes" lang="{tongue}">'
    for change in listed:
        yield f'<li><a href="rules.{tongue}.html#{escape(change.anchor)}">{escape(change.title or one.title(language))}</a><ul>'
        yield from (
            f'<li class="gone"><span class="unseen">{say(language, "gone")}</span> <del>{escape(text)}</del></li>'
            for text in change.gone
        )
        yield from (
            f'<li class="new"><span class="unseen">{say(language, "new")}</span> <ins>{escape(text)}</ins></li>'
            for text in change.new
        )
        yield "</ul></li>"
    yield "</ul>"
    address = f"../../play.html{asking(language, **{'game': one.id, 'with': id})}"
    yield f'<p><a href="{address}">{say(language, "try_rule")}</a></p></section>'


def shelf_page(offers: Sequence[Offer], language: str, title: str) -> str:
    """What can be added to a repository of one's own, with the command that does it."""
    name = say(language, "shelf")
    others = {one: f"shelf{suffix(one)}.html" for one in LANGUAGES}
    heads = "".join(
        f'<th scope="col">{say(language, key)}</th>' for key in ("name", "title", "for", "author", "licence", "hash")
    )
    body = [
        *header(language, "", title, others),
        f"<main><h1>{name}</h1>",
        f"<p>{say(language, 'about_shelf', lock='<code>houserule.lock</code>')}</p>",
        '<pre tabindex="0"><code>houserule add NAME --index ADDRESS-OF-THIS-SITE/shelf.json</code></pre>',
        f'<div class="wide" tabindex="0" role="group" aria-label="{name}"><table><tr>{heads}</tr>',
    ]
    for one in offers:
        cells = (one.title, ", ".join(one.requires), one.author, one.licence, one.sha256[:12])
        body.append(
            f'<tr><th scope="row"><a href="{escape(one.at)}" download>{escape(one.name)}</a></th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        )
    command = "<code>houserule publish --index FILE</code>"
    body += [
        "</table></div>",
        f'<p><a href="shelf.json">{say(language, "index")}</a>. {say(language, "host", command=command)}</p></main>',
    ]
    return page(f"{name} · {title}", body, "", language, ("app/offline.js",), "shelf")


# --- pages that run ---------------------------------------------------------------------------------------------------


def thin_header(*links: str) -> Iterator[str]:
    """The header of a page in which something runs: the way back, and the state of the interpreter."""
    yield '<header class="top thin"><a class="brand" href="index.html"><img src="app/icon.svg" alt="" width="24" height="24"> Houserule</a>'
    yield from links
    yield '<p id="status" role="status" data-state="starting"></p></header>'


def play_page() -> str:
    """The page to play on: the pages of rooms are in its frame."""
    body = [
        *thin_header('<button type="button" id="by-letters" data-say="by_letters">By letters …</button>'),
        '<div id="letter" role="status" hidden></div>',
        '<iframe id="frame" title="The table" data-titled="table" allow="clipboard-write"></iframe>',
    ]
    return page("Play · Houserule", body, "", "en", ("app/play.js", "app/offline.js"), "shell")


def room_page(name: str) -> str:
    """A page of rooms, as in `serve`, for the frame of another page."""
    links = [f'<link rel="stylesheet" href="{one}.css">' for one in ("palette", "style", "pieces", "framed")]
    links.append(f'<script type="module" src="{name}.js"></script>')
    body = f'<body class="{name}">\n<noscript>Rooms need JavaScript.</noscript>\n</body>\n</html>\n'
    return head("Houserule", "en", links) + body


PLAYGROUND = """\
<div class="tools" role="group" aria-label="The game" data-name="game">
<label><span data-say="game">Game</span> <select id="game"></select></label>
<button type="button" id="share" class="main" data-say="share">Share</button>
<div class="more">
<button type="button" id="download" data-say="download">Download</button>
<button type="button" id="folder" data-say="open_folder">Open a folder</button>
<input type="file" id="chooser" webkitdirectory multiple hidden>
<button type="button" id="add" data-say="new_file">New file</button>
<button type="button" id="drop" data-say="delete_file">Delete file</button>
<button type="button" id="format" title="Shift+Alt+F" data-say="format">Format</button>
</div>
<p id="said" role="status"></p>
</div>
<main class="left" aria-label="Rules" data-name="rules">
<div id="files" role="tablist" aria-label="Files" data-name="files"></div>
<div id="editor" role="tabpanel" aria-label="The text of the file" data-name="the_text"></div>
<section class="below" aria-label="What is wrong" data-name="what_is_wrong" tabindex="0"><p id="count" role="status"></p><ul id="wrong"></ul></section>
</main>
<section class="right" aria-label="What the rules make" data-name="what_they_make">
<div id="views" role="tablist" aria-label="Views" data-name="views">
<button type="button" role="tab" data-view="editor" id="view-editor" aria-selected="false" tabindex="-1" data-say="rules">Rules</button>
<button type="button" role="tab" data-view="table" id="view-table" aria-controls="panel-table" aria-selected="true" data-say="table">Table</button>
<button type="button" role="tab" data-view="scenarios" id="view-scenarios" aria-controls="panel-scenarios" aria-selected="false" tabindex="-1" data-say="scenarios">Scenarios</button>
<button type="button" role="tab" data-view="rulebook" id="view-rulebook" aria-controls="panel-rulebook" aria-selected="false" tabindex="-1" data-say="rulebook">Rulebook</button>
<button type="button" role="tab" data-view="study" id="view-study" aria-controls="panel-study" aria-selected="false" tabindex="-1" data-say="study">Study</button>
</div>
<div class="panel" id="panel-table" role="tabpanel" aria-labelledby="view-table"><iframe id="frame" title="The table" data-titled="table"></iframe></div>
<div class="panel" id="panel-scenarios" role="tabpanel" aria-labelledby="view-scenarios" tabindex="0" hidden>
<p class="actions"><button type="button" id="again" data-say="run_all">Run all</button> <span id="tally" role="status"></span></p><ol id="results"></ol></div>
<div class="panel" id="panel-rulebook" role="tabpanel" aria-labelledby="view-rulebook" hidden>
<p class="bar"><label><span data-say="language">Language</span> <select id="tongue">TONGUES</select></label> <span id="writing" role="status"></span></p>
<iframe id="book" title="The rulebook" data-titled="rulebook" sandbox="allow-same-origin"></iframe></div>
<div class="panel" id="panel-study" role="tabpanel" aria-labelledby="view-study" hidden>
<p class="bar"><label><span data-say="matches">Matches</span> <input type="number" id="matches" value="1000" min="1" max="100000"></label>
<label><span data-say="players">Players</span> <select id="players"></select></label>
<label><span data-say="bots">Bots</span> <select id="bots"><option value="random" data-say="random">random</option><option value="greedy" data-say="greedy">greedy</option></select></label>
<button type="button" id="run" class="main" data-say="play_them">Play them</button>
<button type="button" id="save" data-say="save_matches" disabled>Save the matches</button></p><div id="figures" aria-live="polite"></div></div>
</section>
<dialog id="sharing" aria-labelledby="sharing-title"><h2 id="sharing-title" data-say="share_this">Share this game</h2>
<label><span data-say="the_link">The link</span> <input id="link" readonly></label><p class="small" id="length"></p>
<p class="actions"><button type="button" id="copy" class="main" data-say="copy">Copy</button><button type="button" id="send" data-say="send">Send</button><button type="button" id="close" data-say="close">Close</button></p>
<img id="qr" alt="The link as a QR code" hidden></dialog>
<div id="notes" role="alert" hidden></div>"""


def playground() -> str:
    """The page to change rules in, beside a table that follows."""
    tongues = "".join(f'<option value="{one}" lang="{one}">{NAMES[one]}</option>' for one in LANGUAGES)
    links = '<nav aria-label="Houserule"><ul><li><a href="manual/language.html" target="_blank" data-say="manual">Manual</a></li><li><a href="manual/cookbook.html" target="_blank" data-say="cookbook">Cookbook</a></li></ul></nav>'
    spoken = f'<label class="tongues"><span class="unseen" data-say="language">Language</span> <select id="language">{tongues}</select></label>'
    body = [*thin_header(links, spoken), PLAYGROUND.replace("TONGUES", tongues)]
    text = page("Playground · Houserule", body, "", "en", ("app/playground.js", "app/offline.js"), "playground")
    return text.replace("</head>", '<link rel="stylesheet" href="app/playground.css">\n</head>', 1)
