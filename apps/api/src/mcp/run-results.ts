import { Injectable } from '@nestjs/common';
import { type CallToolResult, type InputRequests, inputRequired } from '@modelcontextprotocol/server';
import { type Execution, terminal } from '#libs/runs/executions/execution.entity';
import { Links } from '#libs/runs/pauses/links';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';
import { Pauses } from '#libs/runs/pauses/pauses';
import type { Admission } from '../http/caller.guard.ts';
import { linksFor } from '../pauses/caller-links.ts';
import type { ClientAbilities } from './client-abilities.ts';
import { agentForm } from './agent-forms.ts';
import { buildOutputResult, buildFailureResult, buildStatusResult } from './tool-results.ts';

/** An execution with its open pauses, for an agent. */
export interface LoadedRun {
  row: Execution;
  points: PausePoint[];
}

/** The poll interval for a client with a task, in milliseconds. A person takes longer than a program. */
const pollMs = { working: 1000, input_required: 5000 };

/** Makes the results about executions for agents. */
@Injectable()
export class RunResults {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: Links,
  ) {}

  async withPauses(row: Execution): Promise<LoadedRun> {
    return { row, points: mayWait(row) ? await this.pauses.openPoints(row.workspaceId, row.id) : [] };
  }

  /** Like `withPauses`, by the id of the execution, in one round trip. */
  async readRun(workspaceId: string, id: string): Promise<LoadedRun> {
    const { row, points } = await this.pauses.executionWithOpenPoints(workspaceId, id);
    return { row, points: mayWait(row) ? points : [] };
  }

  /** The result of a call whose execution has ended; null before that. */
  toEndResult(row: Execution): CallToolResult | null {
    if (!terminal(row.status)) return null;
    return row.status === 'completed' ? buildOutputResult(row) : buildFailureResult(row);
  }

  /** The execution as a task of the extension, without its result. */
  toTask({ row, points }: LoadedRun, admission: Admission, can: ClientAbilities) {
    const status = toTaskStatus(row, points);
    const times = [
      row.createdAt,
      row.startedAt,
      row.completedAt,
      ...points.map((point) => point.registeredAt),
    ];
    const last = Math.max(...times.map((time) => time?.getTime() ?? 0));
    return {
      taskId: row.id,
      status,
      statusMessage: this.formatStatus({ row, points }, can.url ? null : admission),
      createdAt: row.createdAt.toISOString(),
      lastUpdatedAt: new Date(last).toISOString(),
      ttlMs: null,
      pollIntervalMs: status === 'input_required' ? pollMs.input_required : pollMs.working,
    };
  }

  /**
   * The questions for a client's user, by pause id. They use a form where the author lets an agent answer, and
   * otherwise the page where a person signs. Leaves out a pause for which the client supports neither.
   */
  buildInputRequests({ row, points }: LoadedRun, admission: Admission, can: ClientAbilities): InputRequests {
    const links = linksFor(this.links, admission);
    const entries = points.flatMap((point) => {
      const message = formatQuestion(point);
      const form = can.form ? agentForm(point) : null;
      if (form) return [[point.contextId, inputRequired.elicit({ message, requestedSchema: form })] as const];
      const url = can.url ? links.uiUrl(toPauseTarget(row, point), point) : null;
      return url === null ? [] : [[point.contextId, inputRequired.elicitUrl({ message, url })] as const];
    });
    return Object.fromEntries(entries);
  }

  /**
   * The state of the execution in words, with the next step. A client that shows pages gets the link there and never in
   * a text: the text goes to its model, and everyone with the link can decide.
   */
  toStatusResult(run: LoadedRun, admission: Admission, can: ClientAbilities): CallToolResult {
    const { row } = run;
    const links = can.url ? [] : this.buildLinks(run, admission);
    const state = { executionId: row.id, status: row.status, ...(links.length > 0 ? { links } : {}) };
    return buildStatusResult(state, this.formatStatus(run, can.url ? null : admission));
  }

  private buildLinks({ row, points }: LoadedRun, admission: Admission): string[] {
    const links = linksFor(this.links, admission);
    return points.flatMap((point) => links.uiUrl(toPauseTarget(row, point), point) ?? []);
  }

  /** The state of the execution and the next step. Links belong to the reader; null leaves them out. */
  private formatStatus(run: LoadedRun, reader: Admission | null): string {
    const { row, points } = run;
    const call = `Call get_execution with executionId "${row.id}" for the result.`;
    if (terminal(row.status)) return `The execution ${row.id} is ${row.status}.`;
    if (points.length === 0) return `The execution ${row.id} is under way. ${call}`;
    const where = reader ? ` ${formatLinks(this.buildLinks(run, reader))}` : '';
    return `The execution ${row.id} waits for a person: ${points.map(formatQuestion).join(' ')}${where} ${call}`;
  }
}

function formatLinks(links: string[]): string {
  return links.length > 0
    ? `A person decides here: ${links.join(' ')}`
    : 'This key may not answer, so it gets no link.';
}

function mayWait({ status }: Execution): boolean {
  return status === 'paused' || status === 'running';
}

function toTaskStatus({ status }: Execution, points: PausePoint[]) {
  if (status === 'cancelled') return 'cancelled';
  // A failure of a workflow is a result of its tool, not of the protocol.
  if (status === 'completed' || status === 'failed') return 'completed';
  return points.length > 0 ? 'input_required' : 'working';
}

function formatQuestion({ display }: PausePoint): string {
  return [display.title, display.message].filter(Boolean).join('\n\n');
}

function toPauseTarget({ workspaceId, workflowId, id }: Execution, { contextId }: PausePoint) {
  return { workspaceId, workflowId, executionId: id, contextId };
}
