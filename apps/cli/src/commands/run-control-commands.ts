import type { Command } from 'commander';
import type { Json } from '#libs/platform/json/json';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { cutText } from '#libs/platform/text/whole-text';
import { parseHeld, parseObject } from '../json-object.ts';
import { wholeNumber } from '../inputs.ts';
import { findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { UsageError } from '../exit.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { requireText } from './run-command.ts';
import { examples } from './session-commands.ts';

/** Commands that go on with an execution that has ended, and that ask what a change would have made of it. */
export function addRunControlCommands(program: Command, context: CommandContext): void {
  program
    .command('retry <execution>')
    .description('Let a failed execution go on from the call that failed')
    .option('--dry-run', 'only say what would run anew')
    .addHelpText('after', examples('holdfast retry exec_01... --dry-run', 'holdfast retry exec_01...'))
    .action(withSession(context, retry));
  program
    .command('fork <execution>')
    .description('Run an execution again, from its start or from a visit')
    .option('--from <path>', 'the visit from which it runs anew, as `holdfast logs show` names it')
    .option('--version <n>', 'the version to run', wholeNumber())
    .option('--inputs <json>', 'other inputs, as a JSON object')
    .option('--output <json>', 'the output of the visit, which is then not carried out')
    .option('--input <json>', 'parameters of the visit to replace, as a JSON object')
    .option('--dry-run', 'only say what would be kept and what would run anew')
    .addHelpText(
      'after',
      examples('holdfast fork exec_01... --from charge --dry-run', 'holdfast fork exec_01... --version 4'),
    )
    .action(withSession(context, fork));
  program
    .command('backtest <workflow>')
    .description('Replay the last executions on the draft, or on a version, with the answers they had')
    .option('--version <n>', 'the version to replay on', wholeNumber())
    .option('--executions <n>', 'how many', wholeNumber(), backtestedMax)
    .addHelpText('after', examples('holdfast backtest invoice', 'holdfast backtest invoice --version 4'))
    .action(withSession(context, listOtherEnds));
}

async function retry(
  session: CommandSession,
  { dryRun = false }: CommandOptions & { dryRun?: boolean },
  executionId?: string,
): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const { workflowId } = await session.client.logs.get(id);
  const result = await session.client.executions.retry(workflowId, id, { dryRun });
  const anew = result.repeated.map(({ path }) => path).join(', ');
  const [asks, runs] = dryRun ? ['would be asked', 'would run'] : ['is asked', 'runs'];
  const begins =
    anew === '' ? `An operator ${asks} again what becomes of the failed call` : `${anew} ${runs} anew`;
  const said = safeText(`${begins}, ${result.kept} visits are kept.`);
  session.done(
    result,
    dryRun ? `${said}\n${formatKeys(session, result.keptCalls, result.repeated)}`.trimEnd() : said,
  );
}

async function fork(session: CommandSession, options: CommandOptions, executionId?: string): Promise<void> {
  const id = requireText(executionId, 'The execution');
  const { from, version, inputs, output, input, dryRun } = options as {
    from?: string;
    version?: number;
    inputs?: string;
    output?: string;
    input?: string;
    dryRun?: boolean;
  };
  const { workflowId } = await session.client.logs.get(id);
  const result = await session.client.executions.fork(workflowId, id, {
    from,
    version,
    inputs: inputs === undefined ? undefined : parseObject(inputs, '--inputs'),
    input: input === undefined ? undefined : parseObject(input, '--input'),
    ...(output === undefined ? {} : { output: parseOutput(output) }),
    dryRun,
  });
  const kept = `${result.kept.length} visits are kept`;
  const runs = result.version === 0 ? 'the tested draft' : `version ${result.version}`;
  const again = result.repeated.filter(({ newKey }) => newKey).map(({ path }) => path);
  const calls = again.length === 0 ? 'no call is made again' : `made again: ${again.join(', ')}`;
  session.done(
    result,
    safeText(
      result.execution
        ? `${result.execution.executionId} runs ${runs}; ${kept}.`
        : `A fork would run ${runs}; ${kept}, ${result.repeated.length} would run anew; ${calls}.`,
    ) + (result.dryRun ? `\n${formatKeys(session, result.kept, result.repeated)}`.trimEnd() : ''),
  );
}

/** Returns a table of the calls that are kept and made again, each with its key; empty without any. */
function formatKeys(
  { terminal }: CommandSession,
  kept: { path: string; key: string | null }[],
  repeated: { path: string; key: string | null }[],
): string {
  const toRows = (visits: typeof kept, what: string) =>
    visits.flatMap(({ path, key }) => (key === null ? [] : [[path, what, key]]));
  const rows = [...toRows(kept, 'kept'), ...toRows(repeated, 'made again')];
  return rows.length === 0 ? '' : formatTable(terminal, ['CALL', 'IS', 'KEY'], rows);
}

function parseOutput(text: string): Json {
  try {
    return parseHeld(text) as Json;
  } catch {
    throw new UsageError('--output must be JSON.');
  }
}

/** The most executions that a backtest replays. */
export const backtestedMax = 200;

async function listOtherEnds(session: CommandSession, options: CommandOptions, workflow = ''): Promise<void> {
  const { version, executions } = options as { version?: number; executions: number };
  const { id } = await findWorkflow(session, workflow);
  const result = await session.client.deployments.backtest(id, { version, executions });
  const others = result.runs.filter(({ verdict }) => verdict !== 'same');
  session.show(result, () =>
    [
      formatBacktest(result) || 'No execution has ended that could be replayed.\n',
      others.length === 0
        ? ''
        : formatTable(
            session.terminal,
            ['EXECUTION', 'VERDICT', 'WAS', 'WOULD BE', 'BECAUSE OF'],
            others.map((run) => [
              run.executionId,
              run.verdict,
              tellEnd(run.was),
              tellEnd(run.is),
              tellWhy(run),
            ]),
          ),
      formatMembers(session, others),
    ].join(''),
  );
}

type BacktestedRunView = Schemas['BacktestedRunView'];

const tellEnd = (end: BacktestedRunView['is']): string =>
  end === null ? '-' : (end.failure ?? cutText(`${end.status} ${JSON.stringify(end.output)}`, 60));

/** Returns a table of the members of requests that differ; empty without any. */
function formatMembers({ terminal }: CommandSession, runs: BacktestedRunView[]): string {
  const rows = runs.flatMap(({ executionId, requests }) =>
    requests.flatMap(({ path, members, more, hidden }) => [
      ...members.map(({ name, was, is }) => [
        executionId,
        path,
        name,
        hidden ? 'hidden' : tellPart(was),
        hidden ? 'hidden' : tellPart(is),
      ]),
      ...(more > 0 ? [[executionId, path, `and ${more} more`, '', '']] : []),
    ]),
  );
  if (rows.length === 0) return '';
  return `\n${formatTable(terminal, ['EXECUTION', 'VISIT', 'DIFFERS IN', 'WAS SENT', 'WOULD BE SENT'], rows)}`;
}

const tellPart = (part: Schemas['SentPartView'] | null): string =>
  part === null ? '-' : cutText(part.cut ? String(part.value) : JSON.stringify(part.value), 60);

/** Returns the first thing that goes another way. */
function tellWhy({ difference, requests, omitted, unknown, reason }: BacktestedRunView): string {
  if (difference)
    return `${difference.path}: ${difference.was ?? 'not run'} -> ${difference.is ?? 'not run'}`;
  const lists = {
    'other requests': requests.map(({ path }) => path),
    'left out': omitted,
    'not in the record': unknown,
  };
  const found = Object.entries(lists).filter(([, paths]) => paths.length > 0);
  return found.map(([name, paths]) => `${name}: ${paths.join(', ')}`).join('; ') || (reason ?? '');
}

/** Returns a line about what a backtest found; empty when there was none, or nothing to replay. */
export function formatBacktest(backtest: Schemas['BacktestView'] | null | undefined): string {
  if (!backtest || backtest.runs.length === 0) return '';
  const { differs, asks, unreadable } = backtest.counts;
  const more = [
    asks > 0 ? `${asks} would ask for an answer that the record does not have` : '',
    unreadable > 0 ? `${unreadable} cannot be replayed` : '',
    backtest.cut ? 'the time was over before all were replayed' : '',
  ].filter(Boolean);
  const count = backtest.runs.length;
  const replayed = `Of the last ${count === 1 ? '1 run, replayed with its' : `${count} runs, replayed with their`} answers`;
  const found = [`${differs || 'none'} would end otherwise or send other requests`, ...more];
  return `${replayed}, ${found.join('; ')}.\n`;
}
