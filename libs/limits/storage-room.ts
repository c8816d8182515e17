import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { Unpaid } from '#libs/faults/faults';
import { refused } from '#libs/metrics/metrics';
import { Settings } from '#libs/settings/settings';
import { limitsOf } from '#libs/settings/plans';
import { usedBytes } from './storage.ts';

/** What was looked up so long ago still counts: writers of one workspace cause one look in this time, not one each. */
const freshMs = 2000;
/** What is older is looked up before a writer goes on. */
const staleMs = 5000;
const rememberedMax = 10_000;

interface Look {
  atMs: number;
  refusal: Unpaid | null;
}

/** Whether a workspace may store more. A look is remembered for some seconds, so a fast writer may go over the limit by what they write in these. */
@Injectable()
export class StorageRoom {
  private readonly looks = new Map<string, Look>();
  private readonly looking = new Map<string, Promise<Look>>();

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Refuses a workspace that has stored all that its plan allows. */
  async require(workspaceId: string): Promise<void> {
    const known = this.looks.get(workspaceId);
    const ageMs = known ? performance.now() - known.atMs : Infinity;
    const look = ageMs > freshMs ? this.look(workspaceId) : undefined;
    if (known && ageMs < staleMs) {
      // The one who notices that it is old does not wait for the new one; the next one has it.
      look?.catch(() => undefined);
      return requireNone(known.refusal);
    }
    const { refusal } = (await look) ?? { refusal: null };
    requireNone(refusal);
  }

  private look(workspaceId: string): Promise<Look> {
    const under = this.looking.get(workspaceId);
    if (under) return under;
    const looked = this.read(workspaceId).finally(() => this.looking.delete(workspaceId));
    this.looking.set(workspaceId, looked);
    return looked;
  }

  private async read(workspaceId: string): Promise<Look> {
    const [row] = await this.database.system<{ plan: string; bytes: string }>(stored, [workspaceId]);
    const plan = row?.plan ?? this.settings.defaultPlan;
    const { storageBytes } = limitsOf(plan, this.settings);
    const refusal =
      Number(row?.bytes ?? 0) >= storageBytes
        ? new Unpaid(
            `The workspace has stored all that its plan ${plan} allows, which is ${storageBytes} bytes; delete something first.`,
            'storage_limit',
            'STORAGE_LIMIT_EXCEEDED',
          )
        : null;
    const look = { atMs: performance.now(), refusal };
    if (this.looks.size >= rememberedMax) this.looks.clear();
    this.looks.set(workspaceId, look);
    return look;
  }
}

const stored = /* sql */ `select plan, (${usedBytes}) as bytes from workspaces where id = $1`;

function requireNone(refusal: Unpaid | null): void {
  if (!refusal) return;
  refused.inc({ reason: 'storage' });
  throw refusal;
}
