import { readFile } from 'node:fs/promises';
import { parseKeepingDigits } from '#libs/platform/json/kept-digits';
import { parseDecimal } from '#libs/platform/json/number-text';
import { foreignText } from '#libs/platform/text/foreign-text';
import { cutText } from '#libs/platform/text/whole-text';
import { UsageError } from './exit.ts';
import { type PlainObject, parseObject } from './json-object.ts';
import type { Terminal } from './terminal.ts';

type Inputs = PlainObject;

/**
 * Inputs out of `--file` and `--input name=value`, the latter winning. A value is read by the type that is declared for its name. Without
 * one, a value that is JSON is taken as such. `name:=text` takes it as text, and `name=@path` reads the value from a file.
 */
export async function readInputs(
  terminal: Terminal,
  { input = [], file }: { input?: string[]; file?: string },
  typeOf: (name: string) => unknown,
): Promise<Inputs> {
  const inputs: Inputs = file === undefined ? {} : await readObject(terminal, file);
  for (const one of input) {
    const [, name, isText, value = ''] = /^([^=:]+)(:?)=(.*)$/s.exec(one) ?? [];
    if (name === undefined) throw new UsageError(`--input ${one} must be name=value.`);
    const text = value.startsWith('@') && !isText ? await readText(value.slice(1)) : value;
    inputs[name] = isText ? value : parseTyped(name, text, typeOf(name));
  }
  return inputs;
}

function parseTyped(name: string, text: string, type: unknown): unknown {
  const refuse = (what: string) =>
    new UsageError(`--input ${name}: ${JSON.stringify(cutText(text, 40))} is no ${what}.`);
  switch (type) {
    case 'string':
    case 'text':
    case 'date':
    case 'select':
      return text;
    case 'number': {
      const number = parseDecimal(text);
      if (number === undefined) throw refuse('number that keeps its digits');
      return number;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw refuse('true or false');
      return text === 'true';
    default:
      return parseValue(text);
  }
}

/** A JSON value where the text is one, else the text. A number that would lose digits stays text. */
export function parseValue(text: string): unknown {
  try {
    return parseKeepingDigits(text);
  } catch {
    return text;
  }
}

/** The object of a file of JSON; `-` is the standard input. */
export async function readObject(terminal: Terminal, file: string): Promise<Inputs> {
  return file === '-'
    ? parseObject(await terminal.readInput(), 'The standard input')
    : parseObject(await readText(file), file);
}

export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${Object(error).code ?? String(error)}.`);
  });
  return foreignText(bytes);
}

/** Collects the values of an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** A whole number from `min`, for options. */
export function wholeNumber(min = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min)
      throw new UsageError(`${text} must be a whole number from ${min}.`);
    return value;
  };
}
