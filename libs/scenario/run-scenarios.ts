import { differences } from './compare.ts';
import { play, type Play } from './play.ts';
import type { Played, ScenarioFile, ScenarioResult } from './scenario.ts';
import { readScript } from './script.ts';
import { Stage, type StageOptions } from './stage.ts';

export interface ScenarioOptions extends StageOptions {
  /** What the path of a definition is relative to when no file says; the working folder when it is not said. */
  folder?: string;
  /** Plays only scenarios whose name holds this. */
  only?: string;
  /** Real time that one scenario may take, in milliseconds; a minute when it is not said. */
  patienceMs?: number;
  /** Aborted, the run that is being played is stopped, nothing is left behind, and no other begins. */
  signal?: AbortSignal;
  /** Told of each result as soon as it is there. */
  onResult?: (result: ScenarioResult) => void;
}

/**
 * Plays scenarios, a file of them or what such a file says, one after the other: the product's workflow code on a
 * Temporal of its own whose clock jumps to the next thing that happens. People, effects and children are as the
 * scenarios say; nothing leaves the machine. Throws `Invalid` when the file or its definition is not valid; what a
 * run comes to is in the results.
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

/** On a stage of its own: a clock never goes back, and each scenario begins at the present. */
async function playAlone(options: StageOptions, about: Omit<Play, 'stage'>): Promise<Played> {
  const stage = await Stage.open(options);
  try {
    return await play({ ...about, stage });
  } finally {
    await stage.close();
  }
}
