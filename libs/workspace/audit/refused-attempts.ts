import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { actorOfNow, Audit } from './audit.ts';
import { HourlyQuota } from './hourly-quota.ts';

/** Equal attempts within this time get one entry. The next entry says how many attempts got none. */
const sameMs = 3_600_000;
/** The most entries for refused attempts that one process appends to the log of one workspace in an hour, for all callers together. */
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
  /** The reason, the call, and the id in its path. */
  about: { code: string; method?: string; path?: string; id?: string };
}

interface KnownAttempt {
  since: number;
  /** Attempts without an entry of their own. */
  unwritten: number;
}

/** Writes refused attempts to the audit log of their workspace. Above a limit it only counts them, so nobody can fill a log. */
@Injectable()
export class RefusedAttempts {
  private readonly known = new LRUCache<string, KnownAttempt>({ max: rememberedMax });
  private readonly quota = new HourlyQuota(perWorkspaceMax);

  constructor(private readonly audit: Audit) {}

  /** Notes a refused attempt. Never rejects, so the caller can answer with the refusal even when the entry is lost. */
  async recordAttempt(workspaceId: string, attempt: Attempt): Promise<void> {
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
      .recordIfThere(workspaceId, { action, resourceType, resourceId, changes })
      .catch(() => undefined);
  }
}
