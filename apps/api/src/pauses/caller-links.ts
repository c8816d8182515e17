import { isGranted } from '#libs/workspace/auth/caller';
import type { CallerLinks, Links } from '#libs/runs/pauses/links';
import type { PausedView } from '../executions/executions.shapes.ts';
import type { Admission } from '../http/caller.guard.ts';

/** The part of the guard's result that links depend on. */
export type LinkReader = Pick<Admission, 'caller' | 'reach'>;

/** The links of one caller. A caller who may not answer gets no link that could answer. */
export function linksFor(links: Links, { caller, reach }: LinkReader): CallerLinks {
  return links.of(isGranted(reach.role, 'execute') ? caller : null);
}

/** The answer to a call with the reader's links. The stored answer has none. */
export function withLinks<Answer extends { paused?: PausedView }>(
  answer: Answer,
  links: Links,
  { workspaceId, ...reader }: LinkReader & { workspaceId: string },
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
      resumeLinks: { ...resumeLinks, uiUrl: own.uiUrl({ workspaceId, ...resumeLinks }, times) },
    };
  });
  return { ...answer, paused: { ...answer.paused, pausePoints } };
}
