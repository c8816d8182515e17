import { differences } from './compare.ts';
import { runScenario, type ScenarioRun } from './run-scenario.ts';
import type { Played, ScenarioFile, ScenarioResult } from './scenario.ts';
import { readScript } from './script.ts';
import { TestServer, type StageOptions } from './test-server.ts';

export interface ScenarioOptions extends StageOptions {
  /** The base folder for the path of a definition, when `source` is not a file. The working folder when absent. */
  folder?: string;
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
 * Plays the scenarios of a file, or of its content, one after the other. They run the product's workflow code on a
 * Temporal server of their own whose clock skips to the next timer. The scenarios define people, effects and
 * children; nothing leaves the machine. Throws `Invalid` when the file or its definition is not valid. The results
 * have the outcomes of the runs.
 */
export async function runScenarios(
  source: string | ScenarioFile,
  options: ScenarioOptions = {},
): Promise<ScenarioResult[]> {
  const { folder, only = '', patienceMs = 60_000, signal, onResult } = options;
  const { plan, scenarios } = readScript(source, folder);
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
    if (signal?.aborted) break;
    const begin = performance.now();
    const played = await playAlone(options, { plan, scenario, patienceMs, signal });
    const differing = differences(scenario.expect, played, plan);
    const passed = differing.length === 0 && played.problems.length === 0;
    const tookMs = performance.now() - begin;
    const result = { ...played, name: scenario.name, passed, differences: differing, tookMs };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

/** Plays on a test server of its own: a clock never goes back, and each scenario begins at the present. */
async function playAlone(options: StageOptions, about: Omit<ScenarioRun, 'stage'>): Promise<Played> {
  const stage = await TestServer.open(options);
  try {
    return await runScenario({ ...about, stage });
  } finally {
    await stage.close();
  }
}
