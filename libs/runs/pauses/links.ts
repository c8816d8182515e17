import { Injectable } from '@nestjs/common';
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
   * The links of a caller. None is valid after `untilMs`. An answer by the link of a person counts as that person's.
   * Null means a caller who may not answer.
   */
  of(answerer: { userId: string | null } | null, untilMs = Infinity): CallerLinks {
    return {
      apiUrl: (target) => this.apiUrl(target),
      uiUrl: (target, pause) => {
        if (!answerer) return null;
        const expiresMs = Math.min(expiryMs(pause), untilMs);
        return this.uiUrl(target, { ...pause, expiresAt: new Date(expiresMs) }, answerer.userId ?? '');
      },
    };
  }

  /** The link to the page of a pause. With `as` it belongs to one person, and an answer by it counts as that person's. */
  uiUrl(target: LinkTarget, pause: PauseTimes, as = ''): string {
    const until = Math.floor(expiryMs(pause) / 1000);
    const token = `${until}.${this.signature(target, until, as)}`;
    const person = as && `&as=${encodeURIComponent(as)}`;
    const { workflowId, executionId, contextId } = target;
    return `${this.settings.publicUrl}/resume/${workflowId}/${executionId}/${contextId}?token=${token}${person}`;
  }

  /** Checks that the token was signed here for this pause, and has not expired. */
  opens(target: LinkTarget, token: string, as = '', nowMs = Date.now()): 'yes' | 'expired' | 'no' {
    const match = /^(\d{1,12})\.([A-Za-z0-9_-]{20,100})$/.exec(token);
    if (!match?.[1] || !match[2] || !sameBytes(match[2], this.signature(target, Number(match[1]), as)))
      return 'no';
    return Number(match[1]) * 1000 > nowMs ? 'yes' : 'expired';
  }

  private signature(
    { workspaceId, workflowId, executionId, contextId }: LinkTarget,
    until: number,
    as: string,
  ): string {
    return keyedHash(
      this.settings.secret,
      'resume-link',
      [workspaceId, workflowId, executionId, contextId, until, ...(as ? [as] : [])].join('\n'),
    );
  }
}

function expiryMs({ registeredAt, expiresAt }: PauseTimes): number {
  if (expiresAt) return expiresAt.getTime();
  // A link stays the same for a whole day, so that nobody takes two links for two pauses.
  return Math.max(registeredAt.getTime(), Date.now() - (Date.now() % dayMs)) + lifeMs;
}
