import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { In } from 'typeorm';
import { Database, DatabaseModule } from '#libs/database/database';
import { Invalid, NotFound } from '#libs/faults/faults';
import { ExecutionsModule } from '#libs/executions/executions.module';
import { executionNamed } from '#libs/executions/executions';
import { Cursors, type Page } from '#libs/pages/cursor';
import { Answers } from './answers.ts';
import { Delegations } from './delegations.ts';
import { Inbox } from './inbox.ts';
import { Links } from './links.ts';
import { Notices } from './notices.ts';
import { Trail } from './trail.ts';
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
}

/** With the answers so far, oldest first. */
export interface PausedDetail extends PausedWithPoints {
  entries: ResumeEntry[];
}

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
  ) {}

  /** Newest first. An empty list of statuses means all. */
  async list(
    workspaceId: string,
    workflowId: string,
    { statuses, limit, cursor }: PausedList,
  ): Promise<Page<PausedWithPoints>> {
    const scope = `paused ${workspaceId} ${workflowId} ${statuses.join()}`;
    const after = this.cursors.open(cursor, scope);
    const rows = await this.database.within(workspaceId, async (tx) => {
      await requireWorkflow(tx.query.bind(tx), workflowId);
      const query = tx
        .createQueryBuilder(PausedExecution, 'p')
        .where('p.workflowId = :workflowId', { workflowId });
      if (statuses.length > 0) query.andWhere('p.status in (:...statuses)', { statuses });
      if (after) query.andWhere('(p.pausedAt, p.id) < (:at::timestamptz, :id)', after);
      const found = await query
        .orderBy('p.pausedAt', 'DESC')
        .addOrderBy('p.id', 'DESC')
        .limit(limit + 1)
        .getMany();
      const points = await tx.find(PausePoint, {
        where: { pausedExecutionId: In(found.map(({ id }) => id)) },
        order: { registeredAt: 'ASC', contextId: 'ASC' },
      });
      return found.map((paused) => ({
        paused,
        points: points.filter((point) => point.pausedExecutionId === paused.id),
      }));
    });
    return this.cursors.page(rows, limit, scope, ({ paused }) => ({
      at: paused.pausedAt.toISOString(),
      id: paused.id,
    }));
  }

  /** One paused execution, by the execution's id or that of any of its resumes. */
  async get(workspaceId: string, workflowId: string, executionId: string): Promise<PausedDetail> {
    return this.database.within(workspaceId, async (tx) => {
      const paused = await tx
        .createQueryBuilder(PausedExecution, 'p')
        .addSelect('p.snapshot')
        .where('p.workflowId = :workflowId', { workflowId })
        .andWhere(`p.executionId = ${executionNamed(':executionId')}`, { executionId })
        .getOne();
      if (!paused) throw new NotFound('paused execution');
      const where = { pausedExecutionId: paused.id };
      const points = await tx.find(PausePoint, { where, order: { registeredAt: 'ASC', contextId: 'ASC' } });
      const entries = await tx.find(ResumeEntry, { where, order: { queuedAt: 'ASC', id: 'ASC' } });
      return { paused, points, entries };
    });
  }

  /**
   * The pause that the ids of a link name, in whichever workspace it is, or null. The caller has no key: the pause
   * must not be shown before `Links.opens` has returned yes.
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

  /** The open pauses of one execution, for the response to a call that ran into them. */
  async openPoints(workspaceId: string, executionId: string): Promise<PausePoint[]> {
    return this.database.within(workspaceId, (tx) =>
      tx.find(PausePoint, {
        where: { rootId: executionId, resumeStatus: 'paused' },
        order: { registeredAt: 'ASC', contextId: 'ASC' },
      }),
    );
  }
}

async function requireWorkflow(
  query: (sql: string, values: unknown[]) => Promise<unknown[]>,
  id: string,
): Promise<void> {
  const found = await query('select 1 from workflows where id = $1', [id]);
  if (found.length === 0) throw new NotFound('workflow');
}

/** The statuses of a comma list; an unknown one is refused. */
export function statusesOf(text: string | undefined): PausedStatus[] {
  if (text === undefined || text === '') return [];
  return text.split(',').map((part) => {
    const found = pausedStatuses.find((status) => status === part.trim());
    if (!found) throw Invalid.field('status', `must be a comma list of ${pausedStatuses.join(', ')}`, 'enum');
    return found;
  });
}

const providers = [Pauses, Answers, Delegations, Inbox, Links, Notices, Trail];

@Module({
  imports: [
    DatabaseModule,
    ExecutionsModule,
    TypeOrmModule.forFeature([PausedExecution, PausePoint, ResumeEntry]),
  ],
  providers,
  exports: providers,
})
export class PausesModule {}
