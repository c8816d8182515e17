import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { findWorkflow } from '../lookups.ts';
import { addExecutionFilter, readExecutionFilter } from '../execution-filter.ts';
import { wholeNumber } from '../inputs.ts';
import { toObject } from '../json-object.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { VisitProgress } from '../visit-progress.ts';
import { addCompareCommand } from './compare-command.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';
import { requireText } from './run-command.ts';

type ListedLog = Schemas['LogView'];
const everyMs = 1000;
/** Executions may become visible out of their order of acceptance, because they are committed side by side. */
const overlapMs = 10_000;

/** Commands that read the logs of executions. */
export function addLogCommands(program: Command, context: CommandContext): void {
  const logs = addExecutionFilter(program.command('logs').description('List executions, the newest first'))
    .option('--limit <n>', 'how many', wholeNumber(), 20)
    .option('--follow', 'go on with each new one as it is accepted')
    .addHelpText(
      'after',
      examples(
        'holdfast logs --status failed --since 2027-01-29',
        'holdfast logs --workflow invoice --trigger Daily',
        'holdfast logs --workflow invoice --follow',
        'holdfast logs show exec_01... --values',
        'holdfast logs compare exec_01... exec_02...',
        'holdfast logs stats --by day',
        'holdfast logs export --status failed -o failed.jsonl',
      ),
    )
    .action(withSession(context, listLogs));
  addExecutionFilter(
    logs.command('export').description('Write all executions that are found, a line of JSON each'),
  )
    .option('-o, --output <file>', 'the file; standard output when it is left out')
    .addHelpText('after', examples('holdfast logs export --status failed -o failed.jsonl'))
    .action((_, command: Command) => withSession(context, exportLogs)(command.optsWithGlobals(), command));
  logs
    .command('show <execution>')
    .description('Show one execution, block by block')
    .option('--values', 'with the template of each block, what it has sent and what came back')
    .action(withSession(context, showLog));
  logs
    .command('stats')
    .description('Count executions by the hour of their acceptance, or by the day, in UTC')
    .option('--workflow <workflow>', 'only of this workflow')
    .option('--by <unit>', 'hour or day', 'hour')
    .option('--since <time>', 'from this time on; the last 24 hours, or 30 days by day, when left out')
    .option('--until <time>', 'up to this time; now when left out')
    .addHelpText('after', examples('holdfast logs stats --workflow invoice --by day'))
    .action(withSession(context, showStats));
  addCompareCommand(logs, context);
  program
    .command('cancel <execution>')
    .description('Cancel an execution')
    .action(withSession(context, cancel));
}

/** What `logs` and `logs export` find. */
async function readFilters(session: CommandSession, options: CommandOptions) {
  const filter = await readExecutionFilter(session, options);
  return { ...filter, workspaceId: await session.workspaceId(), details: 'full' as const };
}

async function exportLogs(session: CommandSession, options: CommandOptions): Promise<void> {
  const download = await session.client.logs.export(await readFilters(session, options));
  await session.saveDownload(download, options['output'] as string | undefined, 'The log');
}

async function listLogs(session: CommandSession, options: CommandOptions): Promise<void> {
  const { client, terminal } = session;
  const { limit, follow } = options as { limit: number; follow?: boolean };
  const filters = await readFilters(session, options);
  const found = await client.logs.list({ ...filters, limit: Math.min(limit, 100) }).toArray(limit);
  if (!follow) {
    session.show(found, () =>
      formatTable(
        terminal,
        ['EXECUTION', 'WORKFLOW', 'VERSION', 'TITLE', 'STATUS', 'BY', 'CREATED', 'MS', 'ERROR'],
        found.map(toRow),
      ),
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
    const startDate =
      seen.size === 0 && filters.startDate !== undefined
        ? filters.startDate
        : new Date(Math.max(first, newest - overlapMs)).toISOString();
    for await (const log of client.logs.list({ ...filters, startDate, order: 'asc', limit: 100 })) {
      if (seen.has(log.id)) continue;
      seen.add(log.id);
      newest = Math.max(newest, Date.parse(log.createdAt));
      tell(log);
    }
  }
}

const toRow = (log: ListedLog) => [
  log.executionId,
  String(Object(log.workflow).name ?? '-'),
  log.isTest ? 'test' : log.version,
  log.title ?? '-',
  log.status,
  log.startedBy ?? '-',
  log.createdAt,
  log.totalDurationMs ?? '-',
  log.error ?? '',
];

async function showStats(session: CommandSession, options: CommandOptions): Promise<void> {
  const { workflow, by, since, until } = options as {
    workflow?: string;
    by?: 'hour' | 'day';
    since?: string;
    until?: string;
  };
  const lines = await session.client.logs.getStats({
    workspaceId: await session.workspaceId(),
    workflowIds: workflow === undefined ? undefined : (await findWorkflow(session, workflow)).id,
    by,
    startDate: since,
    endDate: until,
  });
  session.show(lines, () =>
    formatTable(
      session.terminal,
      ['AT', 'RUNS', 'FAILED', 'CANCELLED', 'OPEN', 'P50 MS', 'P95 MS', 'COST'],
      lines.map((line) => [
        line.at,
        line.runs,
        line.failed,
        line.cancelled,
        line.open,
        line.p50Ms ?? '-',
        line.p95Ms ?? '-',
        line.cost,
      ]),
    ),
  );
}

async function showLog(
  session: CommandSession,
  { values }: CommandOptions,
  executionId?: string,
): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const log = await session.client.logs.get(id);
  if (session.options.json) {
    session.show(log, () => '');
    return;
  }
  const { terminal } = session;
  const head = [log.executionId, log.status, log.createdAt, log.title, log.error];
  terminal.out(`${safeText(head.filter(Boolean).join(' '))}\n`);
  if (values === true) await showValues(session, id, log);
  else await new VisitProgress(session, id).finish();
  terminal.out(`${JSON.stringify(log.executionData.finalOutput ?? null, null, 2)}\n`);
}

/** Prints each visit with its template, what it has sent and what came back, a page at a time. */
async function showValues(
  { client, terminal }: CommandSession,
  id: string,
  first: Schemas['LogDetailView'],
): Promise<void> {
  const definition = await client.executions
    .getDefinition(first.workflowId, first.executionId)
    .catch((error: unknown) => {
      // It is gone with its workflow, or the key may not read it.
      if ([403, 404].includes(Object(error).status)) return { definition: null };
      throw error;
    });
  for (let { executionData } = first; ;) {
    for (const { path, blockId, status, sent, output, failure } of executionData.blocks) {
      terminal.out(`${safeText(`${path} ${status}${failure ? ` ${failure.message}` : ''}`)}\n`);
      const template = JSON.stringify(findTemplate(definition.definition, blockId));
      if (template?.includes('{{')) terminal.out(`  from ${template}\n`);
      if (sent) terminal.out(`  sent ${JSON.stringify(sent.value)}${sent.cut ? ` … (${sent.chars})` : ''}\n`);
      if (output !== null) terminal.out(`  got  ${JSON.stringify(output)}\n`);
    }
    if (!executionData.nextCursor) return;
    ({ executionData } = await client.logs.get(id, { cursor: executionData.nextCursor }));
  }
}

/** The parameters of a block as its author wrote them, also of one in the body of a loop. */
function findTemplate(definition: unknown, blockId: string): unknown {
  const { blocks } = toObject(definition);
  for (const block of Array.isArray(blocks) ? blocks : []) {
    const { id, params, body } = toObject(block);
    const found = id === blockId ? params : findTemplate(body, blockId);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function cancel(
  session: CommandSession,
  _options: CommandOptions,
  executionId?: string,
): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const { workflowId } = await session.client.logs.get(id);
  const result = await session.client.executions.cancel(workflowId, id);
  session.done(result, result.message);
}
