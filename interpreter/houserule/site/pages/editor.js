// The editor of rule files: CodeMirror, with what the language service of the worker says.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "./editor/codemirror-autocomplete.js";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "./editor/codemirror-commands.js";
import { yaml } from "./editor/codemirror-lang-yaml.js";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "./editor/codemirror-language.js";
import { lintGutter, lintKeymap, setDiagnostics } from "./editor/codemirror-lint.js";
import { highlightSelectionMatches, searchKeymap } from "./editor/codemirror-search.js";
import { Compartment, EditorState, StateEffect, StateField } from "./editor/codemirror-state.js";
import { Decoration, EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "./editor/codemirror-view.js";
import { classHighlighter } from "./editor/lezer-highlight.js";

import { element } from "./dom.js";

/** The offset of a place in characters, as the language service counts them. */
export function offset(doc, line, column) {
  const row = doc.line(Math.min(Math.max(1, line), doc.lines));
  let at = 0;
  for (const sign of row.text) {
    if (column <= 1) break;
    at += sign.length;
    column -= 1;
  }
  return row.from + at;
}

/** The line and the column of an offset. */
export function place(doc, at) {
  const row = doc.lineAt(at);
  return { line: row.number, column: [...row.text.slice(0, at - row.from)].length + 1 };
}

const words = StateEffect.define();
const shownWords = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    let found = marks.map(change.changes);
    for (const effect of change.effects) if (effect.is(words)) found = effect.value;
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Markdown of the language service as elements: paragraphs, code and emphasis, and never anything else. */
export function told(text) {
  const root = element("div", { class: "told" });
  for (const [at, part] of text.split(/```\w*\n?/).entries()) {
    if (at % 2) {
      root.append(element("pre", {}, part.replace(/\n$/, "")));
      continue;
    }
    for (const paragraph of part.split(/\n{2,}/)) {
      if (!paragraph.trim()) continue;
      if (/^-{3,}$/.test(paragraph.trim())) { root.append(element("hr")); continue; }
      root.append(element("p", {}, paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((one) => one.startsWith("`") ? element("code", {}, one.slice(1, -1)) : one.startsWith("**") ? element("strong", {}, one.slice(2, -2)) : one.length > 2 && one.startsWith("*") ? element("em", {}, one.slice(1, -1)) : one)));
    }
  }
  return root;
}

export class Editor {
  /** `service` answers `complete`, `hover`, `go`; `changed` hears the text after each change. */
  constructor(parent, service, changed) {
    this.service = service;
    this.changed = changed;
    this.states = new Map();
    this.name = null;
    this.readOnly = new Compartment();
    this.view = new EditorView({ parent, state: this.state("") });
  }

  state(text) {
    const { service } = this;
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
        indentUnit.of("  "), EditorState.tabSize.of(2), yaml(), syntaxHighlighting(classHighlighter), shownWords, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Rules", tabindex: "0", spellcheck: "false" }),
        autocompletion({ override: [(context) => this.complete(context)], activateOnTyping: true }),
        hoverTooltip((view, at) => this.hover(view, at)),
        keymap.of([
          { key: "Tab", run: acceptCompletion },
          { key: "Mod-s", run: () => (service.save(), true) },
          { key: "Shift-Alt-f", run: () => (service.format(), true) },
          { key: "F12", run: (view) => (service.go(place(view.state.doc, view.state.selection.main.head)), true) },
          { key: "Escape", run: (view) => (view.contentDOM.blur(), true) },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => { if (update.docChanged && !this.isLoading) this.changed(this.name, update.state.doc.toString()); }),
      ],
    });
  }

  /** Shows a file; where it was shown before, with its history. */
  open(name, text) {
    if (this.name !== null) this.states.set(this.name, this.view.state);
    this.name = name;
    const kept = this.states.get(name);
    this.view.setState(kept && kept.doc.toString() === text ? kept : this.state(text));
  }

  forget() {
    this.states.clear();
    this.name = null;
  }

  /** Puts another text in place of the one shown, as one step that can be undone. */
  replace(text) {
    const old = this.view.state.doc.toString();
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
    let end = 0;
    while (end < old.length - start && end < text.length - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    this.view.dispatch({ changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) } });
  }

  jump(line, column = 1) {
    const at = offset(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Shows mistakes at their places, each with its fix as something to choose. */
  mark(found) {
    const { doc } = this.view.state;
    const listed = found.map((one) => ({
      from: offset(doc, one.line, one.column), to: Math.max(offset(doc, one.endLine, one.endColumn), offset(doc, one.line, one.column)),
      severity: one.severity === "error" ? "error" : "warning", source: one.code, message: one.help ? `${one.message}\n${one.help}` : one.message,
      actions: one.fix && one.fix.file === this.name ? [{ name: "Fix", apply: () => this.fix(one.fix) }] : [],
    }));
    this.view.dispatch(setDiagnostics(this.view.state, listed));
  }

  fix({ line, column, endLine, endColumn, text }) {
    const { doc } = this.view.state;
    this.view.dispatch({ changes: { from: offset(doc, line, column), to: offset(doc, endLine, endColumn), insert: text } });
  }

  colour(tokens) {
    const { doc } = this.view.state;
    const marks = tokens.filter(([line]) => line <= doc.lines)
      .map(([line, from, to, what]) => [offset(doc, line, from), offset(doc, line, to), what])
      .filter(([from, to]) => to > from).sort((one, other) => one[0] - other[0])
      .map(([from, to, what]) => Decoration.mark({ class: `word-${what}` }).range(from, to));
    this.view.dispatch({ effects: words.of(Decoration.set(marks, true)) });
  }

  async complete(context) {
    const word = context.matchBefore(/[\w]*/);
    const before = context.state.doc.sliceString(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !/[\w.[( ]/.test(before)) return null;
    const found = await this.service.complete(place(context.state.doc, context.pos));
    if (!found.length || context.aborted) return null;
    const options = found.map((one, at) => ({
      label: one.label, type: one.what, detail: one.what, boost: -Math.min(99, at / 10),
      info: one.detail ? () => told(one.detail) : undefined,
      apply: one.insert.includes("$") ? snippet(one.insert.replace(/\$\{\d+:([^}]*)\}/g, "#{$1}").replace(/\$\d+/g, "#{}")) : one.insert || one.label,
    }));
    return { from: word ? word.from : context.pos, options, validFor: /^\w*$/ };
  }

  async hover(view, at) {
    const found = await this.service.hover(place(view.state.doc, at));
    if (!found) return null;
    const { doc } = view.state;
    return { pos: offset(doc, found.line, found.column), end: offset(doc, found.endLine, found.endColumn), above: true, create: () => ({ dom: told(found.text) }) };
  }
}
