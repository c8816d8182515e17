import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { completionsAt } from './completions.ts';
import type { TextFault, TextRange } from './definition-text.ts';
import type { Schema } from './schema.ts';
import { shadowIn } from './shadow.ts';
import { editorTheme } from './theme.ts';

interface EditorOptions {
  text: string;
  label: string;
  isReadOnly: boolean;
  schema: () => Schema | undefined;
  onchange: (text: string) => void;
  oncursor: (offset: number) => void;
  onsave: () => void;
  /** Somebody has pasted, dropped or typed more than a definition may have. */
  ontoolong: () => void;
}

/**
 * The maximum number of characters: four times the limit of the API, because a text has indentation and a plan has
 * none.
 */
export const textMax = 2_000_000;

/** The editor does not report changes that the page has made. */
const fromPage = Annotation.define<boolean>();

/** An editor for the JSON of a definition. */
export class DefinitionEditor {
  readonly #view: EditorView;
  readonly #readOnly = new Compartment();

  constructor(host: HTMLElement, options: EditorOptions) {
    const { root, place } = shadowIn(host);
    const save = { key: 'Mod-s', run: () => (options.onsave(), true), preventDefault: true };
    this.#view = new EditorView({
      root,
      parent: place,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          json(),
          autocompletion({ override: [(context) => complete(context, options.schema())] }),
          keymap.of([
            save,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...foldKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({
            'aria-label': options.label,
            'aria-multiline': 'true',
            tabindex: '0',
          }),
          EditorView.lineWrapping,
          boundedBy(options.ontoolong),
          linesAtOnce,
          this.#readOnly.of(EditorState.readOnly.of(options.isReadOnly)),
          editorTheme,
          EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
            if (transactions.some((one) => one.annotation(fromPage))) return;
            if (docChanged) options.onchange(state.doc.toString());
            if (selectionSet) options.oncursor(state.selection.main.head);
          }),
        ],
      }),
    });
  }

  /** Takes another text. Undo goes back to this point and beyond. */
  write(text: string): void {
    if (text === this.#view.state.doc.toString()) return;
    const changes = { from: 0, to: this.#view.state.doc.length, insert: text };
    this.#view.dispatch({ changes, annotations: fromPage.of(true) });
  }

  select({ from, to }: TextRange): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.#view.dispatch({
      selection,
      effects: EditorView.scrollIntoView(selection.anchor, { y: 'start', yMargin: 40 }),
      annotations: fromPage.of(true),
    });
  }

  focus(): void {
    this.#view.focus();
  }

  show(faults: TextFault[]): void {
    const { length } = this.#view.state.doc;
    const diagnostics = faults.map(({ from, to, message, isWarning }) => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
      message,
      severity: isWarning ? ('warning' as const) : ('error' as const),
    }));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  close(): void {
    this.#view.destroy();
  }
}

/**
 * Takes several lines that come at once, as from dictation. The browser would put them into elements with a style, which our
 * policy refuses.
 */
const linesAtOnce = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = event;
    if (inputType !== 'insertText' || !data?.includes('\n') || view.state.readOnly) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.paste' });
    return true;
  },
});

/**
 * Refuses a change that makes the text too long, before the editor parses, colours and wraps it. The page would freeze.
 */
function boundedBy(refuse: () => void): Extension {
  const isTooLong = (data: DataTransfer | null) => (data?.getData('text/plain').length ?? 0) > textMax;
  const look = (event: Event, data: DataTransfer | null) => {
    if (!isTooLong(data)) return false;
    event.preventDefault();
    refuse();
    return true;
  };
  return [
    EditorView.domEventHandlers({
      paste: (event) => look(event, event.clipboardData),
      drop: (event) => look(event, event.dataTransfer),
    }),
    EditorState.transactionFilter.of((transaction) => {
      if (!transaction.docChanged || transaction.newDoc.length <= textMax) return transaction;
      queueMicrotask(refuse);
      return [];
    }),
  ];
}

function complete(context: CompletionContext, schema: Schema | undefined): CompletionResult | null {
  if (!schema) return null;
  const found = completionsAt(context.state.doc.toString(), context.pos, schema);
  const isAsked = context.explicit || /["\w]$/.test(context.state.sliceDoc(context.pos - 1, context.pos));
  if (!found || !isAsked) return null;
  // The words are compared without their quotes, which the library does not know of.
  const typed = context.state.sliceDoc(found.from, context.pos).replaceAll('"', '').toLowerCase();
  const options = found.list
    .filter(({ label }) => label.toLowerCase().includes(typed))
    .map(({ label, text, detail }) => ({ label, detail, apply: text }));
  return { from: found.from, to: found.to, options, filter: false };
}
