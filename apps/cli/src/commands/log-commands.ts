import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { findWorkflow } from '../lookups.ts';
import { wholeNumber } from '../inputs.ts';
import type { Session } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { VisitProgress } from '../visit-progress.ts';
import { type CommandContext, type Options, withSession } from './context.ts';
import { examples } from './session-commands.ts';
import { requireText } from './run-command.ts';

type ListedLog = Schemas['LogView'];
const everyMs = 1000;
/** Executions may become visible out of their order of acceptance, because they are committed side by side. */
const overlapMs = 10_000;

/** Commands that read the logs of executions. */
export function addLogCommands(program: Command, context: CommandContext): void {
  const logs = program
    .command('logs')
    .description('List executions, the newest first')
    .option('--workflow <workflow>', 'only of this workflow')
    .option('--status <list>', 'queued, running, paused, completed, failed, cancelled')
    .option('--search <text>', 'only those whose error or output holds this')
    .option('--limit <n>', 'how many', wholeNumber(), 20)
    .option('--follow', 'go on with each new one as it is accepted')
    .addHelpText(
      'after',
      examples(
        'holdfast logs --status failed',
        'holdfast logs --workflow invoice --follow',
        'holdfast logs show exec_01...',
      ),
    )
    .action(withSession(context, listLogs));
  logs
    .command('show <execution>')
    .description('Show one execution, block by block')
    .action(withSession(context, showLog));
  program
    .command('cancel <execution>')
    .description('Cancel an execution')
    .action(withSession(context, cancel));
}

async function listLogs(session: Session, options: Options): Promise<void> {
  const { client, terminal } = session;
  const { workflow, limit, status, search, follow } = options as {
    workflow?: string;
    limit: number;
    status?: string;
    search?: string;
    follow?: boolean;
  };
  const workflowIds = workflow === undefined ? undefined : (await findWorkflow(session, workflow)).id;
  const filters = {
    workspaceId: await session.workspaceId(),
    workflowIds,
    status,
    search,
    details: 'full' as const,
  };
  const found = await client.logs.list({ ...filters, limit: Math.min(limit, 100) }).toArray(limit);
  if (!follow) {
    session.show(found, () =>
      formatTable(terminal, ['EXECUTION', 'WORKFLOW', 'STATUS', 'CREATED', 'MS', 'ERROR'], found.map(toRow)),
    );
    return;
  }
  const seen = new Set(found.map(({ id }) => id));
  const tell = (log: ListedLog) =>
    terminal.out(session.options.json ? `${JSON.stringify(log)}\n` : `${safeText(toRow(log).join('  '))}\n`);
  for (const log of found.toReversed()) tell(log);
  // Before the first line there is nothing that a reader has not asked to leave out.
  const first = Date.parse(found.at(-1)?.createdAt ?? new Date(0).toISOString());
  let newest = Date.parse(found[0]?.createdAt ?? new Date(0).toISOString());
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    const startDate = new Date(Math.max(first, newest - overlapMs)).toISOString();
    for await (const log of client.logs.list({ ...filters, startDate, order: 'asc', limit: 100 })) {
      if (seen.has(log.id)) continue;
      seen.add(log.id);
      newest = Math.max(newest, Date.parse(log.createdAt));
      tell(log);
    }
  }
}

const toRow = ({ executionId, workflow, status, createdAt, totalDurationMs, error }: ListedLog) => [
  executionId,
  String(Object(workflow).name ?? '-'),
  status,
  createdAt,
  totalDurationMs ?? '-',
  error ?? '',
];

async function showLog(session: Session, _options: Options, executionId?: string): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const log = await session.client.logs.get(id);
  if (session.options.json) {
    session.show(log, () => '');
    return;
  }
  const { terminal } = session;
  terminal.out(
    `${safeText(`${log.executionId} ${log.status} ${log.createdAt}${log.error ? ` ${log.error}` : ''}`)}\n`,
  );
  await new VisitProgress(session, id).finish();
  terminal.out(`${JSON.stringify(log.executionData.finalOutput ?? null, null, 2)}\n`);
}

async function cancel(session: Session, _options: Options, executionId?: string): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const { workflowId } = await session.client.logs.get(id);
  const result = await session.client.executions.cancel(workflowId, id);
  session.done(result, result.message);
}
