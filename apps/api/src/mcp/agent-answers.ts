import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import { canonicalJson } from '#libs/platform/json/canonical';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { Conflict } from '#libs/platform/errors/errors';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';
import { Pauses } from '#libs/runs/pauses/pauses';
import type { Admission } from '../http/caller.guard.ts';
import { Resume } from '../pauses/resume.ts';
import { agentForm } from './agent-forms.ts';
import { requirePermission } from './mcp-request.ts';

/** The reaction of a client's user to a question. For a link, "accept" only means that the user opened it. */
export interface Response {
  action: 'accept' | 'decline' | 'cancel';
  content: JsonObject | null;
}

/** Answers through clients. Only a pause whose author lets agents answer takes one. */
@Injectable()
export class AgentAnswers {
  constructor(
    private readonly pauses: Pauses,
    private readonly resume: Resume,
  ) {}

  /** The responses to these pauses. Ignores everything else that a client sends. */
  readAnswers(value: unknown, contextIds: string[]): Map<string, Response> {
    const responses = isObject(value) ? value : {};
    return new Map(
      contextIds.flatMap((id) => {
        const one = Object.hasOwn(responses, id) ? responses[id] : undefined;
        if (!isObject(one)) return [];
        const action = (['accept', 'decline', 'cancel'] as const).find((name) => name === one.action);
        return action ? [[id, { action, content: isObject(one.content) ? one.content : null }] as const] : [];
      }),
    );
  }

  /** Commits the answers like any other. Throws for an answer that does not fit its form. */
  async submitAnswers(admission: Admission, row: Execution, responses: Map<string, Response>): Promise<void> {
    const accepted = [...responses].filter(
      ([, { action, content }]) => action === 'accept' && content !== null,
    );
    if (accepted.length === 0) return;
    const points = await this.pauses.openPoints(row.workspaceId, row.id);
    for (const [contextId, { content }] of accepted) {
      const point = points.find((one) => one.contextId === contextId);
      if (point && agentForm(point)) await this.answer(admission, row, point, content ?? {});
    }
  }

  private async answer(
    admission: Admission,
    row: Execution,
    { contextId }: PausePoint,
    answers: JsonObject,
  ): Promise<void> {
    requirePermission(admission, 'execute');
    const { actor } = admission.caller;
    const { workspaceId, workflowId, id: executionId } = row;
    const pause = { workspaceId, workflowId, executionId, contextId };
    const submission = {
      entryId: toEntryId(contextId, actor, answers),
      answers,
      actor: { ...actor, channel: 'mcp' },
      who: admission.caller.userId ?? undefined,
    };
    try {
      await (
        await this.resume.acceptAndSend({ ...pause, ...submission })
      ).sent;
    } catch (error) {
      // Another answer was faster.
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

/** Returns the entry id of an answer. A repeated answer gets the same id, so it counts once; a corrected one gets another. */
export function toEntryId(
  contextId: string,
  { kind, id }: Admission['caller']['actor'],
  answers: JsonObject,
): string {
  const named = canonicalJson(['mcp', contextId, kind, id, answers]);
  return `res_${createHash('sha256').update(named).digest('hex').slice(0, 32)}`;
}
