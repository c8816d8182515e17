import type { Caller } from '#libs/workspace/auth/caller';
import type { Callers } from '#libs/workspace/auth/callers';
import { ApiError } from '#libs/platform/errors/errors';
import type { CallerLinks, Links } from '#libs/runs/pauses/links';
import type { PausedView } from '../executions/executions.dto.ts';
import type { Admission } from '../http/caller.guard.ts';

/** The part of the guard's result that links depend on. */
export type LinkReader = Pick<Admission, 'caller' | 'workspaceId'>;

/**
 * The links of one caller. A link that answers goes only to a caller who could answer by the call itself. An agent with
 * an access token gets the address in the console, where a person signs in.
 */
export function linksFor(links: Links, { caller, workspaceId }: LinkReader, untilMs?: number): CallerLinks {
  if (caller.scopes !== null) return links.inConsole();
  return links.of(caller.mayAnswerIn(workspaceId) ? caller : null, untilMs);
}

/** The holder of a link, as of now. Null when the key or session has ended, or reads the workspace no longer. */
export async function findHolder(
  callers: Callers,
  credentialId: string,
  workspaceId: string,
): Promise<Caller | null> {
  try {
    const caller = await callers.identifyById(credentialId);
    caller.require(workspaceId, 'read');
    return caller;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The answer to a call with the reader's links. The stored answer has none. */
export function withLinks<Answer extends { paused?: PausedView }>(
  answer: Answer,
  links: Links,
  reader: LinkReader,
): Answer {
  if (!answer.paused) return answer;
  const own = linksFor(links, reader);
  const pausePoints = answer.paused.pausePoints.map((point) => {
    const { registeredAt, expiresAt, resumeLinks } = point;
    const times = {
      registeredAt: new Date(registeredAt),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    };
    return {
      ...point,
      resumeLinks: {
        ...resumeLinks,
        uiUrl: own.uiUrl({ workspaceId: reader.workspaceId, ...resumeLinks }, times),
      },
    };
  });
  return { ...answer, paused: { ...answer.paused, pausePoints } };
}
