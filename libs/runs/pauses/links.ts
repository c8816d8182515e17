import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { keyedHash, sameBytes } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';

const dayMs = 24 * 3_600_000;
/**
 * A link is valid until the deadline of its pause. Without a deadline it is valid this long from the day of its
 * issue.
 */
const lifeMs = 30 * dayMs;

/** The ids of the one pause that a link opens. */
export interface LinkTarget {
  workspaceId: string;
  workflowId: string;
  executionId: string;
  contextId: string;
}

/** The caller for whom a link is made, with the id of the key or session. */
interface LinkHolder {
  userId: string | null;
  keyId: string;
}

/** The names in a link: `as` is the person in whose name it answers, `by` the key or session with which it ends. */
export interface LinkNames {
  as?: string;
  by?: string;
}

/** The links that one caller may see. */
export interface CallerLinks {
  apiUrl(target: LinkTarget): string;
  /** Null for a caller who may not answer: everyone who holds the link could. */
  uiUrl(target: LinkTarget, pause: PauseTimes): string | null;
}

interface PauseTimes {
  registeredAt: Date;
  expiresAt: Date | null;
}

/** Signed, expiring links to the page of one pause. Their base URL comes from the configuration, never from a request. */
@Injectable()
export class Links {
  constructor(private readonly settings: Settings) {}

  apiUrl({ workflowId, executionId, contextId }: LinkTarget): string {
    return `${this.settings.publicUrl}/api/resume/${workflowId}/${executionId}/${contextId}`;
  }

  /**
   * The links of a caller. None is valid after `untilMs`, or after the key or session has ended. An answer by the link
   * of a person counts as that person's. Null means a caller who may not answer.
   */
  of(answerer: LinkHolder | null, untilMs = Infinity): CallerLinks {
    return {
      apiUrl: (target) => this.apiUrl(target),
      uiUrl: (target, pause) => {
        if (!answerer) return null;
        const expiresMs = Math.min(expiryMs(pause), untilMs);
        const { userId, keyId } = answerer;
        return this.uiUrl(target, { ...pause, expiresAt: new Date(expiresMs) }, userId ?? '', keyId);
      },
    };
  }

  /** Addresses that answer nothing by themselves: the person has to sign in. */
  inConsole(): CallerLinks {
    const { publicUrl } = this.settings;
    return {
      apiUrl: (target) => this.apiUrl(target),
      uiUrl: (target) => `${publicUrl}${consolePath(target)}`,
    };
  }

  /**
   * The link to the page of a pause. With `as` it belongs to one person, and an answer by it counts as that person's.
   * With `by` it ends with that key or session.
   */
  uiUrl(target: LinkTarget, pause: PauseTimes, as = '', by = ''): string {
    const until = Math.floor(expiryMs(pause) / 1000);
    const token = `${until}.${this.signature(target, until, { as, by })}`;
    const names = [as && `&as=${encodeURIComponent(as)}`, by && `&by=${encodeURIComponent(by)}`].join('');
    const { workflowId, executionId, contextId } = target;
    return `${this.settings.publicUrl}/resume/${workflowId}/${executionId}/${contextId}?token=${token}${names}`;
  }

  /** Checks that the token was signed here for this pause, and has not expired. */
  opens(
    target: LinkTarget,
    token: string,
    names: LinkNames = {},
    nowMs = readClockMs(),
  ): 'yes' | 'expired' | 'no' {
    const match = /^(\d{1,12})\.([A-Za-z0-9_-]{20,100})$/.exec(token);
    if (!match?.[1] || !match[2] || !sameBytes(match[2], this.signature(target, Number(match[1]), names)))
      return 'no';
    return Number(match[1]) * 1000 > nowMs ? 'yes' : 'expired';
  }

  private signature(
    { workspaceId, workflowId, executionId, contextId }: LinkTarget,
    until: number,
    { as = '', by = '' }: LinkNames,
  ): string {
    const claims = [workspaceId, workflowId, executionId, contextId, until, ...(as || by ? [as] : [])];
    // A name may hold a line break, so the claims of two names are JSON, which no other form equals.
    const told = by ? JSON.stringify([...claims, by]) : claims.join('\n');
    return keyedHash(this.settings.secret, 'resume-link', told);
  }
}

/** The path of a pause in the console. */
export function consolePath({
  workspaceId,
  contextId,
}: Pick<LinkTarget, 'workspaceId' | 'contextId'>): string {
  return `/console/w/${workspaceId}/inbox?open=${contextId}`;
}

function expiryMs({ registeredAt, expiresAt }: PauseTimes): number {
  if (expiresAt) return expiresAt.getTime();
  // A link stays the same for a whole day, so that nobody takes two links for two pauses.
  return Math.max(registeredAt.getTime(), readClockMs() - (readClockMs() % dayMs)) + lifeMs;
}
