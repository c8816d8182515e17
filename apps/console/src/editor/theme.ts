import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colour = (name: string) => `var(--${name})`;

const words = [
  { tag: tags.propertyName, color: colour('act') },
  { tag: tags.string, color: colour('good') },
  { tag: [tags.number, tags.bool, tags.null], color: colour('wait') },
  { tag: tags.punctuation, color: colour('soft') },
];

/** The colours of the console, so that light and dark follow it. */
export const editorTheme: Extension = [
  EditorView.theme({
    '&': { height: '100%', backgroundColor: 'var(--card)', color: 'var(--text)', fontSize: '13px' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
    '.cm-content': { caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': {
      backgroundColor: 'var(--card)',
      color: 'var(--soft)',
      borderRight: '1px solid var(--rule)',
    },
    '.cm-activeLine, .cm-activeLineGutter': {
      backgroundColor: 'color-mix(in srgb, var(--fill) 70%, transparent)',
    },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'color-mix(in srgb, var(--act) 28%, transparent) !important',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--card)',
      color: 'var(--text)',
      border: '1px solid var(--line)',
      borderRadius: '6px',
      maxWidth: '32rem',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--act)', color: 'var(--on)' },
    '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
    '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'var(--on)' },
    '.cm-panels': { backgroundColor: 'var(--fill)', color: 'var(--text)' },
    '.cm-textfield, .cm-button': {
      color: 'var(--text)',
      background: 'var(--card)',
      border: '1px solid var(--line)',
    },
    '.cm-matchingBracket': { outline: '1px solid var(--line)', backgroundColor: 'transparent !important' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--fill)', border: '0', color: 'var(--soft)' },
    '.cm-changedLine': { backgroundColor: 'var(--good-fill) !important' },
    '.cm-deletedChunk': { backgroundColor: 'var(--bad-fill) !important' },
    '.cm-collapsedLines': { background: 'var(--fill) !important', color: 'var(--soft)' },
  }),
  syntaxHighlighting(HighlightStyle.define(words)),
];
