import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { actorOfNow, Audit } from './audit.ts';
import { HourlyQuota } from './hourly-quota.ts';

/** Attempts of the same kind in this time are one entry; the next one says how many there were. */
const sameMs = 3_600_000;
/** Entries that one process appends to the log of one workspace in that time, whoever tries. */
const perWorkspaceMax = 100;
const rememberedMax = 10_000;

export interface Attempt {
  action:
    | 'access.refused'
    | 'answer.refused'
    | 'link.refused'
    | 'api_key.refused'
    | 'session.refused'
    | 'sign_in.refused';
  resourceType: string;
  resourceId: string;
  /** Why, of which call, and which thing its path names. */
  about: { code: string; method?: string; path?: string; id?: string };
}

interface Known {
  since: number;
  /** Attempts without an entry of their own. */
  unwritten: number;
}

/** Writes refused attempts to the log of their workspace. Attempts above a bound are counted and not written, so nobody can fill a log. */
@Injectable()
export class RefusedAttempts {
  private readonly known = new LRUCache<string, Known>({ max: rememberedMax });
  private readonly quota = new HourlyQuota(perWorkspaceMax);

  constructor(private readonly audit: Audit) {}

  /** Never fails: a refusal is answered as a refusal, whatever becomes of its entry. */
  async noteAttempt(workspaceId: string, attempt: Attempt): Promise<void> {
    const { action, resourceType, resourceId, about } = attempt;
    const now = performance.now();
    const key = [workspaceId, actorOfNow(), action, about.code, about.method, about.path, resourceType].join(
      ' ',
    );
    const before = this.known.get(key);
    if ((before && now - before.since < sameMs) || this.quota.takeOne(workspaceId) > 0) {
      this.known.set(key, { since: before?.since ?? -Infinity, unwritten: (before?.unwritten ?? 0) + 1 });
      return;
    }
    this.known.set(key, { since: now, unwritten: 0 });
    const changes = {
      ...about,
      ...(before && before.unwritten > 0 ? { unwrittenBefore: before.unwritten } : {}),
    };
    await this.audit
      .noteIfThere(workspaceId, { action, resourceType, resourceId, changes })
      .catch(() => undefined);
  }
}
