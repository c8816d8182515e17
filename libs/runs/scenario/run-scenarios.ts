import { Invalid } from '#libs/platform/errors/errors';
import { differences } from './compare.ts';
import { playScenario } from './player.ts';
import type { ScenarioFile, ScenarioResult } from './scenario.ts';
import { readScript } from './script.ts';

export interface ScenarioOptions {
  /** The base folder for the path of a definition, when `source` is not a file. The working folder when absent. */
  folder?: string;
  /** Reads a file in another form than JSON. */
  readDocument?: (path: string) => Promise<unknown>;
  /** Plays only scenarios whose name includes this text. */
  only?: string;
  /** The real time that one scenario may take, in milliseconds; a minute when absent. */
  patienceMs?: number;
  /** An abort stops the current run, leaves nothing behind, and begins no other. */
  signal?: AbortSignal;
  /** Called with each result as soon as it exists. */
  onResult?: (result: ScenarioResult) => void;
}

/**
 * Plays the scenarios of a file, or of its content, one after the other, on the engine of the product and without a server. The clock of each
 * jumps to what is due next. The scenarios define people, effects and children; nothing leaves the machine. Throws `Invalid` when the file or
 * its definition is not valid. The results have the outcomes of the runs.
 */
export async function runScenarios(
  source: string | ScenarioFile,
  options: ScenarioOptions = {},
): Promise<ScenarioResult[]> {
  const { folder, readDocument, only = '', patienceMs = 60_000, signal, onResult } = options;
  const { plan, scenarios } = await readScript(source, { folder, readDocument });
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
    if (signal?.aborted) break;
    const begin = performance.now();
    const played = await playScenario({ plan, scenario, patienceMs, ...(signal ? { signal } : {}) });
    const differing = differences(scenario.expect, played, plan);
    const passed = differing.length === 0 && played.problems.length === 0;
    const tookMs = performance.now() - begin;
    const result = { ...played, name: scenario.name, passed, differences: differing, tookMs };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

/** True for the error of a file that cannot be played. Its `details` say where. */
export const isScenarioFault = (error: unknown): error is Invalid => error instanceof Invalid;

export { report } from './trace.ts';
