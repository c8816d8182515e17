import { isObject, type JsonObject } from '#libs/platform/json/json';
import { screen } from '#libs/language/definition/checks/screen';
import { Invalid } from '#libs/platform/errors/errors';
import { n8nChildren } from './n8n/graph.ts';
import { convertN8n } from './n8n/conversion.ts';
import { simChildren } from './sim/sim-graph.ts';
import { convertSim } from './sim/sim.ts';
import type { ImportedWorkflow, ImportSource, Surroundings } from './report.ts';

/** The largest file, in characters of JSON. */
export const importCharsMax = 4_000_000;

const childrenMax = 100;
const readers: Record<ImportSource, (file: unknown) => string[]> = {
  n8n: n8nChildren,
  sim: simChildren,
};

/** The names of the workflows that a file runs, as far as it can be read. They are looked for in the workspace. */
export function workflowsNamedIn(from: ImportSource, file: unknown): string[] {
  const names = readers[from](file);
  return [...new Set(names)].filter((name) => name !== '' && !name.includes('\0')).slice(0, childrenMax);
}

/**
 * Makes a definition of a file that another product exported, and reports what became of each of its blocks. Nothing is stored. Throws Invalid, naming what
 * is wrong, when the file is none of that product or holds nothing that could run.
 */
export function convertFile(from: ImportSource, file: unknown, surroundings: Surroundings): ImportedWorkflow {
  const { sound, details } = screen(file, '', importCharsMax);
  if (details.length > 0 || !sound) throw new Invalid(details);
  if (!isObject(file)) throw Invalid.field('', 'must be an object: what the other product exports', 'type');
  const converters: Record<ImportSource, (object: JsonObject, around: Surroundings) => ImportedWorkflow> = {
    n8n: convertN8n,
    sim: convertSim,
  };
  try {
    return converters[from](file, surroundings);
  } catch (error) {
    // An expression of a hundred thousand terms is a tree as deep as that.
    if (!(error instanceof RangeError)) throw error;
    throw Invalid.field(
      '',
      'holds an expression with too many terms to convert; make it shorter',
      'too_deep',
    );
  }
}
