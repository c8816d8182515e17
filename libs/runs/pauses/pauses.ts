import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, find, indexOrder, send } from '#libs/platform/database/database';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { executionNamed, Executions } from '#libs/runs/executions/executions';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { hasLeft } from './people.ts';
import {
  PausedExecution,
  PausePoint,
  pausedStatuses,
  ResumeEntry,
  type PausedStatus,
} from './pause.entity.ts';

/** A paused execution as lists show it. */
export interface PausedWithPoints {
  paused: PausedExecution;
  points: PausePoint[];
  /** The trigger that started the execution; null when a caller did. */
  triggerId: string | null;
}

/** A paused execution with one page of its pauses, and their answers so far, oldest first. */
export interface PausedDetail extends PausedWithPoints {
  entries: ResumeEntry[];
  /** The ids of the pauses whose answers the run has not taken yet, oldest answer first. */
  waiting: string[];
  nextCursor: string | null;
}

/** Lists show this many pauses of each execution, the open ones first. */
const listedPoints = 20;
/** A page ends when the contents that people see reach this many bytes. It has at least one item. */
const pageBytesMax = 4 * 1024 * 1024;
const waitingMax = 1000;
/** The response to a call shows at most this many pauses. */
const openShown = 100;

export interface PausedList {
  statuses: PausedStatus[];
  limit: number;
  cursor?: string;
}

/** The executions that wait, or once waited, for people. */
@Injectable()
export class Pauses {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly executions: Executions,
  ) {}

  /** Newest first. An empty list of statuses means all. */
  async list(
    workspaceId: string,
    workflowId: string,
    { statuses, limit, cursor }: PausedList,
  ): Promise<Page<PausedWithPoints>> {
    const scope = `paused ${workspaceId} ${workflowId} ${statuses.join()}`;
    const after = this.cursors.open(cursor, scope);
    const rows = await this.database.atOneMoment(workspaceId, async (tx) => {
      // The connection keeps the order of the two statements, so they are sent together.
      await Promise.all([send(tx, indexOrder), requireWorkflow(tx, workflowId)]);
      const query = tx
        .createQueryBuilder(PausedExecution, 'p')
        .where('p.workflowId = :workflowId', { workflowId });
      if (statuses.length > 0) query.andWhere('p.status in (:...statuses)', { statuses });
      if (after) query.andWhere('(p.pausedAt, p.id) < (:at::timestamptz, :id)', after);
      const executions = await query
        .orderBy('p.pausedAt', 'DESC')
        .addOrderBy('p.id', 'DESC')
        .limit(limit + 1)
        .getMany();
      const points = await find(tx, PausePoint, pointsOfPaused, [executions.map(({ id }) => id)]);
      const triggers = await readTriggers(
        tx,
        executions.map(({ executionId }) => executionId),
      );
      return executions.map((paused) => ({
        paused,
        points: points.filter((point) => point.pausedExecutionId === paused.id),
        triggerId: triggers.get(paused.executionId) ?? null,
      }));
    });
    const fitting = within(rows, ({ points }) => points.reduce((sum, { bytes }) => sum + bytes, 0));
    return this.cursors.page(rows, Math.min(limit, fitting), scope, ({ paused }) => ({
      at: paused.pausedAt.toISOString(),
      id: paused.id,
    }));
  }

  /** One paused execution, by its id or that of any of its resumes, with one page of its pauses, oldest first. */
  async get(
    workspaceId: string,
    workflowId: string,
    executionId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<PausedDetail> {
    const scope = `pauses ${workspaceId} ${executionId}`;
    const after = this.cursors.open(cursor, scope);
    return this.database.atOneMoment(workspaceId, async (tx) => {
      const paused = await tx
        .createQueryBuilder(PausedExecution, 'p')
        .addSelect('p.snapshot')
        .where('p.workflowId = :workflowId', { workflowId })
        .andWhere(`p.executionId = ${executionNamed(':executionId')}`, { executionId })
        .getOne();
      if (!paused) throw new NotFound('paused execution');
      const place = [after?.at ?? null, after?.id ?? null];
      const rows = await find(tx, PausePoint, pointsPage, [paused.id, ...place, limit + 1]);
      const most = Math.min(
        limit,
        within(rows, ({ bytes }) => bytes),
      );
      const { items: points, nextCursor } = this.cursors.page(rows, most, scope, (point) => ({
        at: point.registeredAt.toISOString(),
        id: point.contextId,
      }));
      const entries = await find(tx, ResumeEntry, entriesOfPoints, [
        points.map(({ contextId }) => contextId),
      ]);
      const waiting = await send<{ id: string }>(tx, waitingEntries, [paused.id, waitingMax]);
      const triggers = await readTriggers(tx, [paused.executionId]);
      const triggerId = triggers.get(paused.executionId) ?? null;
      return { paused, points, triggerId, entries, waiting: waiting.map(({ id }) => id), nextCursor };
    });
  }

  /** The answers to these pauses, oldest first. */
  async readEntries(workspaceId: string, contextIds: string[]): Promise<ResumeEntry[]> {
    if (contextIds.length === 0) return [];
    return this.database.entities(workspaceId, ResumeEntry, entriesOfPoints, [contextIds]);
  }

  /** Calls `hasLeft` of `people.ts`. */
  hasLeft(point: PausePoint, name: string): Promise<boolean> {
    return this.database.within(point.workspaceId, (tx) => hasLeft(tx, point, name));
  }

  /**
   * The pause that the ids of a link name, in any workspace; null when there is none. The caller has no key: show the
   * pause only after `Links.opens` has returned yes.
   */
  async linked(link: {
    workflowId: string;
    executionId: string;
    contextId: string;
  }): Promise<PausePoint | null> {
    const { workflowId, executionId, contextId } = link;
    const [run] = await this.database.system<{ workspace_id: string }>(
      'select workspace_id from executions where id = $1 and workflow_id = $2',
      [executionId, workflowId],
    );
    if (!run) return null;
    return this.database.within(run.workspace_id, (tx) =>
      tx.findOneBy(PausePoint, { rootId: executionId, contextId }),
    );
  }

  /** The oldest open pauses of one execution, for the response to a call that paused. */
  async openPoints(workspaceId: string, executionId: string): Promise<PausePoint[]> {
    const values = [executionId, openShown];
    return shownOf(await this.database.entities(workspaceId, PausePoint, openPoints, values));
  }

  /** An execution, as `Executions.getExecution` returns it, and its oldest open pauses, in one round trip. */
  async executionWithOpenPoints(
    workspaceId: string,
    id: string,
  ): Promise<{ row: Execution; points: PausePoint[] }> {
    const open = { entity: PausePoint, rest: openPointsOfNamed, values: [id, openShown] };
    const { row, beside } = await this.executions.getExecutionWith(workspaceId, id, open);
    return { row, points: shownOf(beside) };
  }
}

/** In the order of their paths, because branches that pause at once have no order in time. Branch 10 stands behind 2. */
function shownOf(points: PausePoint[]): PausePoint[] {
  const count = within(points, ({ bytes }) => bytes);
  return points.slice(0, count).toSorted((a, b) => byNumbers.compare(a.path, b.path));
}

const byNumbers = new Intl.Collator('en', { numeric: true });

/** The number of items that fit into the bytes of a page, at least one. */
function within<T>(items: T[], bytes: (item: T) => number): number {
  let sum = 0;
  const over = items.findIndex((item) => (sum += bytes(item)) > pageBytesMax);
  return over < 0 ? Infinity : Math.max(1, over);
}

async function requireWorkflow(tx: EntityManager, id: string): Promise<void> {
  const rows = await send(tx, 'select 1 from workflows where id = $1', [id]);
  if (rows.length === 0) throw new NotFound('workflow');
}

/** Reads a comma list of statuses. Throws for an unknown one. */
export function parseStatuses(text: string | undefined): PausedStatus[] {
  if (text === undefined || text === '') return [];
  return text.split(',').map((part) => {
    const found = pausedStatuses.find((status) => status === part.trim());
    if (!found) throw Invalid.field('status', `must be a comma list of ${pausedStatuses.join(', ')}`, 'enum');
    return found;
  });
}

/** The triggers that started these executions, by execution. */
async function readTriggers(tx: EntityManager, executionIds: string[]): Promise<Map<string, string>> {
  const rows = await send<{ id: string; triggerId: string }>(tx, triggersOf, [executionIds]);
  return new Map(rows.map(({ id, triggerId }) => [id, triggerId]));
}

const triggersOf = /* sql */ `
select id, actor ->> 'triggerId' as "triggerId" from executions where id = any($1) and actor ->> 'triggerId' is not null`;

/** $1 paused executions. Open pauses come first; both groups are sorted oldest first. */
const pointsOfPaused = /* sql */ `
join (
  select one.context_id from unnest($1::text[]) paused (id) cross join lateral (
    select context_id from pause_points where paused_execution_id = paused.id
    order by resume_status <> 'paused', registered_at, context_id limit ${listedPoints}
  ) one
) listed on listed.context_id = t.context_id
order by t.registered_at, t.context_id`;

/** $1 paused execution, $2 and $3 the position of the last pause before, $4 limit */
const pointsPage = /* sql */ `
where t.paused_execution_id = $1
  and ($2::timestamptz is null or (t.registered_at, t.context_id) > ($2::timestamptz, $3))
order by t.registered_at, t.context_id limit $4`;

const entriesOfPoints = 'where t.context_id = any ($1) order by t.queued_at, t.id';

const waitingEntries = /* sql */ `
select context_id as id from resume_entries where paused_execution_id = $1 and status = 'pending'
order by queued_at, id limit $2`;

const openPointsOf = (root: string) => /* sql */ `
where t.root_id = ${root} and t.resume_status = 'paused' order by t.registered_at, t.context_id limit $2`;
const openPoints = openPointsOf('$1');
const openPointsOfNamed = openPointsOf(executionNamed('$1'));
