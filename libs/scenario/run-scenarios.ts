import { differences } from './compare.ts';
import { play } from './play.ts';
import type { ScenarioFile, ScenarioResult } from './scenario.ts';
import { readScript } from './script.ts';
import { Stage, type StageOptions } from './stage.ts';

export interface ScenarioOptions extends StageOptions {
  /** What the path of a definition is relative to when no file says; the working folder when it is not said. */
  folder?: string;
  /** Plays only scenarios whose name holds this. */
  only?: string;
  /** Real time that one scenario may take, in milliseconds; a minute when it is not said. */
  patienceMs?: number;
  /** Told of each result as soon as it is there. */
  onResult?: (result: ScenarioResult) => void;
}

/**
 * Plays scenarios, a file of them or what such a file says, one after the other: the product's workflow code on a
 * Temporal of their own whose clock jumps to the next thing that happens. People, effects and children are as the
 * scenarios say; nothing leaves the machine. Throws `Invalid` when the file or its definition is not valid; what a
 * run comes to is in the results.
 */
export async function runScenarios(
  source: string | ScenarioFile,
  options: ScenarioOptions = {},
): Promise<ScenarioResult[]> {
  const { folder, only = '', patienceMs = 60_000, onResult } = options;
  const { plan, scenarios } = readScript(source, folder);
  const stage = await Stage.open(options);
  const results: ScenarioResult[] = [];
  try {
    for (const [i, scenario] of scenarios.entries()) {
      if (!scenario.name.includes(only)) continue;
      const begin = performance.now();
      const played = await play({ stage, plan, scenario, executionId: `exec_scenario_${i + 1}`, patienceMs });
      const differing = differences(scenario.expect, played);
      const passed = differing.length === 0 && played.problems.length === 0;
      const tookMs = performance.now() - begin;
      const result = { ...played, name: scenario.name, passed, differences: differing, tookMs };
      results.push(result);
      onResult?.(result);
    }
  } finally {
    await stage.close();
  }
  return results;
}
