import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Unpaid } from '#libs/platform/errors/errors';
import { refused } from '#libs/platform/telemetry/metrics/metrics';
import { Settings } from '#libs/platform/settings/settings';
import { getPlanLimits } from '#libs/platform/settings/plans';
import { type StaleValue, StaleCache } from './stale-cache.ts';
import { usedBytes } from './storage.ts';

/** A sum is fresh for this time, so all writers of one workspace cause one query in it. */
const freshMs = 2000;
/** A writer waits for a new sum when the last one is older than this. */
const staleMs = 5000;

interface Room extends StaleValue {
  refusal: Unpaid | null;
}

/** Checks whether a workspace may store more. It caches the sum for some seconds, so a fast writer may exceed the quota by what it writes in this time. */
@Injectable()
export class StorageQuota {
  private readonly rooms = new StaleCache((workspaceId) => this.read(workspaceId));

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Throws when the workspace has stored all that its plan allows. */
  async require(workspaceId: string): Promise<void> {
    const { refusal } = await this.rooms.recent(workspaceId);
    if (!refusal) return;
    refused.inc({ reason: 'storage' });
    throw refusal;
  }

  private async read(workspaceId: string): Promise<Room> {
    const [row] = await this.database.system<{ plan: string; bytes: string }>(stored, [workspaceId]);
    const plan = row?.plan ?? this.settings.defaultPlan;
    const { storageBytes } = getPlanLimits(plan, this.settings);
    const refusal =
      Number(row?.bytes ?? 0) >= storageBytes
        ? new Unpaid(
            `The workspace has stored all that its plan ${plan} allows, which is ${storageBytes} bytes; delete something first.`,
            'storage_limit',
            'STORAGE_LIMIT_EXCEEDED',
          )
        : null;
    const now = performance.now();
    return { refusal, freshUntilMs: now + freshMs, staleAtMs: now + staleMs };
  }
}

const stored = /* sql */ `select plan, (${usedBytes}) as bytes from workspaces where id = $1`;
