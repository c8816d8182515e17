import { createRequire } from 'node:module';
import { Html } from '../http/html.ts';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, about: { language: string }): { value: string };
}

// Loaded without its types: they would bring a browser's types into the whole program, which conflict with Node's.
const load = createRequire(import.meta.url);
const highlighter: Highlighter = load('highlight.js/lib/core');

/** The languages of the pages: the name in a fence, and the library's name. */
const languages = new Map([
  ['sh', 'bash'],
  ['console', 'bash'],
  ['json', 'json'],
  ['python', 'python'],
  ['ts', 'typescript'],
  ['js', 'typescript'],
  ['yaml', 'yaml'],
]);
for (const [name, language] of languages)
  highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${language}`));

/** The code as HTML with a class for each kind of word. Code in an unknown language is plain text. */
export function highlighted(code: string, language: string): Html | string {
  return languages.has(language) ? new Html(highlighter.highlight(code, { language }).value) : code;
}
