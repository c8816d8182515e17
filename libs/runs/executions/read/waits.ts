import type { EntityManager } from 'typeorm';
import { explainPlace, type FlowPlace } from '../accept/flows.ts';
import { explainHold, type Hold } from '../accept/holds.ts';
import { explainHostWait, type HostWait } from '../control/host-limits.ts';
import type { Execution } from '../execution.entity.ts';

/** Why an execution does not start yet or does not go on; null for each reason that is not there. */
export interface Waits {
  hold: Hold | null;
  place: FlowPlace | null;
  host: HostWait | null;
}

/** Reads why an execution waits. Pass the transaction in which its row was read, so that both are of one moment. */
export async function explainWaits(tx: EntityManager, row: Execution): Promise<Waits> {
  return {
    hold: await explainHold(tx, row),
    place: await explainPlace(tx, row),
    host: await explainHostWait(tx, row),
  };
}
