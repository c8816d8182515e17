import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { Conflict, type Detail, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { parseFolder } from '#libs/runs/workflows/folder';
import { Workflow } from '#libs/runs/workflows/workflow.entity';
import { McpServer, type ToolChoice } from './mcp-server.entity.ts';
import { ownTools, toolNames } from './tool-names.ts';

export type McpServerFields = Pick<McpServer, 'name' | 'description' | 'folder' | 'tools' | 'waitSeconds'>;

/** A deployed workflow as a server offers it. */
export interface OfferedTool {
  workflowId: string;
  toolName: string;
  workflowName: string;
  description: string;
  version: number;
  planHash: string;
  hints: Pick<ToolChoice, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint'>;
}

/** A server with all tools that it offers, the oldest workflow first. */
export interface ToolOffer {
  server: McpServer;
  tools: OfferedTool[];
}

const rememberedMs = 5000;
const rememberedMax = 200;
const serversMax = 100;
/** The most workflows that one server offers. If there are more, it offers the chosen workflows first, then the oldest. */
export const offeredMax = 1000;

/** The MCP servers of a workspace, and the tools that each offers to agents. */
@Injectable()
export class McpServers {
  private readonly remembered = new LRUCache<string, ToolOffer>({ max: rememberedMax, ttl: rememberedMs });

  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Oldest first. */
  async list(
    workspaceId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<McpServer>> {
    const scope = `mcp servers ${workspaceId}`;
    const after = this.cursors.open(cursor, scope);
    const rows = await this.database.within(workspaceId, async (tx) => {
      const query = tx.createQueryBuilder(McpServer, 's').where({ workspaceId });
      if (after) query.andWhere('(s.createdAt, s.id) > (:at::timestamptz, :id)', after);
      return query
        .orderBy('s.createdAt')
        .addOrderBy('s.id')
        .limit(limit + 1)
        .getMany();
    });
    return this.cursors.page(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
  }

  async get(workspaceId: string, id: string): Promise<McpServer> {
    return this.database.within(workspaceId, (tx) => serverOf(tx, workspaceId, id));
  }

  async create(workspaceId: string, fields: McpServerFields): Promise<McpServer> {
    const id = newId('mcp');
    return this.write(fields.name, workspaceId, async (tx) => {
      if ((await tx.countBy(McpServer, { workspaceId })) >= serversMax)
        throw new Conflict(
          `A workspace has at most ${serversMax} MCP servers; delete one first.`,
          'TOO_MANY_MCP_SERVERS',
        );
      await requireSound(tx, workspaceId, fields);
      await tx.insert(McpServer, { ...fields, id, workspaceId });
      return serverOf(tx, workspaceId, id);
    });
  }

  /** Changes what is given. */
  async update(workspaceId: string, id: string, changes: Partial<McpServerFields>): Promise<McpServer> {
    return this.write(changes.name ?? '', workspaceId, async (tx) => {
      await serverOf(tx, workspaceId, id);
      await requireSound(tx, workspaceId, changes);
      // TypeORM leaves out what is undefined.
      await tx.update(McpServer, { workspaceId, id }, { ...changes, updatedAt: new Date(readClockMs()) });
      return serverOf(tx, workspaceId, id);
    });
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    const { affected } = await this.database.within(workspaceId, (tx) =>
      tx.delete(McpServer, { workspaceId, id }),
    );
    if (!affected) throw new NotFound('MCP server');
  }

  /** The cached offer, for calls. A removed tool can still be called for five seconds, like a revoked key. */
  async recall(workspaceId: string, id: string): Promise<ToolOffer> {
    return this.remembered.get(`${workspaceId} ${id}`) ?? this.offer(workspaceId, id);
  }

  /** Reads the server and its current offer. Throws `NotFound`. */
  async offer(workspaceId: string, id: string): Promise<ToolOffer> {
    const [row] = await this.database.statement<OfferRow>(workspaceId, readOffer, [
      workspaceId,
      id,
      offeredMax,
    ]);
    if (!row) throw new NotFound('MCP server');
    const { offered, ...server } = row;
    const names = toolNames(offered, server.tools);
    const choices = new Map(server.tools.map((choice) => [choice.workflowId, choice]));
    const tools = offered.map((one) => toolOf(one, names.get(one.id) ?? '', choices.get(one.id)));
    this.remembered.set(`${workspaceId} ${id}`, { server, tools });
    return { server, tools };
  }

  private write<T>(name: string, workspaceId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return guardName({ constraint: 'mcp_servers_name', thing: 'MCP server', name }, () =>
      this.database.within(workspaceId, work),
    );
  }
}

interface OfferedRow {
  id: string;
  name: string;
  description: string;
  version: number;
  planHash: string;
}

type OfferRow = McpServer & { offered: OfferedRow[] };

function toolOf(row: OfferedRow, toolName: string, choice: ToolChoice | undefined): OfferedTool {
  const { readOnlyHint, destructiveHint, idempotentHint } = choice ?? {};
  return {
    workflowId: row.id,
    toolName,
    workflowName: row.name,
    description: choice?.description || row.description || `Runs the workflow "${row.name}".`,
    version: row.version,
    planHash: row.planHash,
    hints: { readOnlyHint, destructiveHint, idempotentHint },
  };
}

async function serverOf(tx: EntityManager, workspaceId: string, id: string): Promise<McpServer> {
  const server = await tx.findOneBy(McpServer, { workspaceId, id });
  if (!server) throw new NotFound('MCP server');
  return server;
}

/** Throws `Invalid` for a malformed folder, for repeated or reserved names of tools, and for workflows that the workspace does not have. */
async function requireSound(
  tx: EntityManager,
  workspaceId: string,
  { folder, tools = [] }: Partial<McpServerFields>,
): Promise<void> {
  if (folder) parseFolder(folder);
  const ids = tools.map(({ workflowId }) => workflowId);
  const rows =
    ids.length > 0
      ? await tx.find(Workflow, { select: { id: true }, where: { workspaceId, id: In(ids) } })
      : [];
  const known = new Set(rows.map(({ id }) => id));
  const details = tools.flatMap(({ workflowId, name }, i): Detail[] => {
    const earlier = tools.slice(0, i);
    const faults: Detail[] = [];
    const fault = (field: string, code: string, message: string) =>
      faults.push({ path: `tools.${i}.${field}`, code, message });
    if (!known.has(workflowId)) fault('workflowId', 'unknown', 'names no workflow of this workspace');
    if (earlier.some((one) => one.workflowId === workflowId))
      fault('workflowId', 'duplicate', 'is in the list already');
    if (name !== undefined && earlier.some((one) => one.name === name))
      fault('name', 'duplicate', 'is the name of another tool of this server');
    if (ownTools.some((own) => own === name))
      fault('name', 'reserved_name', 'is the name of a tool that every server has');
    return faults;
  });
  if (details.length > 0) throw new Invalid(details);
}

/**
 * SQL conditions: the server `s` chose the workflow `w`, or `w` is in its folder or below it. Folders below `a` begin with `a/`. In byte
 * order they come before `a0`, because `0` follows the slash. The empty folder contains all workflows.
 */
const isChosen = `w.id = any (array(select tool ->> 'workflowId' from json_array_elements(s.tools) tool))`;
const belongs = `w.workspace_id = s.workspace_id and (
  s.folder = '' or w.folder = s.folder or (w.folder >= s.folder || '/' and w.folder < s.folder || '0') or ${isChosen})`;

/** $1 workspace, $2 server, $3 limit */
const readOffer = /* sql */ `
select s.id, s.workspace_id as "workspaceId", s.name, s.description, s.folder, s.tools, s.wait_seconds as "waitSeconds",
  s.created_at as "createdAt", s.updated_at as "updatedAt",
  (select coalesce(json_agg(one order by one."createdAt", one.id), '[]') from (
    select w.id, w.name, w.description, d.version, d.plan_hash as "planHash", w.created_at as "createdAt"
    from workflows w join deployments d on d.workflow_id = w.id and d.version = w.live_version
    where ${belongs}
    order by ${isChosen} desc, w.created_at, w.id limit $3
  ) one) as offered
from mcp_servers s where s.workspace_id = $1 and s.id = $2`;
