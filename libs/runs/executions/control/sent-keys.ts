import type { EntityManager } from 'typeorm';
import { toAskedPath } from '#libs/language/engine/launch';
import type { LoggedEvent } from '#libs/language/engine/logged-run';
import { keepCounting } from '#libs/language/engine/run-events';
import { send } from '#libs/platform/database/database';
import type { RunLog } from '../advance/run-log.ts';
import type { MadeFrom } from '../execution.entity.ts';
import { buildEffectKey } from '../record/effect-key.ts';

/** A fork of a fork is followed back over at most so many executions. */
const originsMax = 20;

/**
 * Finds the keys of the calls of these visits, by path. What a fork keeps from its original was called under a key of that one. A visit has
 * none when a person gave its output, and when the execution that made the call was deleted.
 */
export async function findSentKeys(
  tx: EntityManager,
  log: RunLog,
  { executionId, events }: { executionId: string; events: LoggedEvent[] },
  paths: string[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  let left = paths;
  let at = { executionId, events };
  for (let n = 0; n < originsMax && left.length > 0; n++) {
    const [row] = await send<{ made_from: MadeFrom | null }>(tx, originOf, [at.executionId]);
    const origin = row?.made_from;
    const kept = origin ? findKept(at.events) : new Set();
    const rounds = countRounds(at.events);
    for (const path of row ? left : [])
      if (!kept.has(path))
        keys.set(path, buildEffectKey(at, { visit: { path, blockId: '' }, round: rounds.get(path) }));
    if (!origin) break;
    // The output of this visit was given, so nobody was called.
    left = left.filter((path) => kept.has(path) && path !== origin.path);
    at = { executionId: origin.executionId, events: await log.readEvents(tx, origin.executionId, 0) };
  }
  return keys;
}

/** The visits that a fork has taken over: they ended in its first commit, whose events have one moment. */
function findKept(events: LoggedEvent[]): Set<string> {
  const [first] = events;
  const made = events.filter(({ atMs }) => atMs === first?.atMs);
  return new Set(made.flatMap(({ event }) => ('path' in event ? [event.path] : [])));
}

/** How often a person has had each call made again. */
function countRounds(events: LoggedEvent[]): Map<string, number> {
  const rounds = new Map<string, number>();
  const add = (path: string) => rounds.set(path, (rounds.get(path) ?? 0) + 1);
  for (const { event } of keepCounting(events)) {
    if (event.kind === 'retried') for (const path of Object.keys(event.attempts)) add(path);
    if (event.kind !== 'answered' || event.answers['action'] !== 'retry') continue;
    const path = toAskedPath(event.path);
    if (path !== event.path) add(path);
  }
  return rounds;
}

/** $1 execution */
const originOf = 'select made_from from executions where id = $1';
