import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { canonicalJson } from '#libs/platform/json/canonical';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { toObject } from '../json-object.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { requireText } from './run-command.ts';
import { examples } from './session-commands.ts';

interface ComparedVisit {
  status: string;
  port: string | null;
  /** A digest, so that the outputs of long runs need not be held side by side. */
  output: string;
}

/** The command that shows where two executions went other ways. */
export function addCompareCommand(logs: Command, context: CommandContext): void {
  logs
    .command('compare <first> <second>')
    .description('Compare two executions visit by visit: their states, ports and outputs')
    .option('--different', 'only the visits that differ')
    .addHelpText('after', examples('holdfast logs compare exec_01... exec_02... --different'))
    .action(withSession(context, compare));
}

async function compare(
  session: CommandSession,
  { different }: CommandOptions,
  ...ids: string[]
): Promise<void> {
  const [first, second] = [
    await readRun(session, requireText(ids[0], 'The first execution')),
    await readRun(session, requireText(ids[1], 'The second execution')),
  ];
  const paths = [...new Set([...first.visits.keys(), ...second.visits.keys()])];
  const visits = paths
    .map((path) => toPair(path, first.visits.get(path), second.visits.get(path)))
    .filter(({ isSame }) => !isSame || different !== true);
  const inputs = listDifferent(first.execution.inputs, second.execution.inputs);
  const output = isEqual(first.execution.output, second.execution.output) ? 'same' : 'differs';
  session.show({ first: first.head, second: second.head, inputs, output, visits }, () =>
    [
      `first  ${tellHead(first.head)}\n`,
      `second ${tellHead(second.head)}\n`,
      inputs.length === 0
        ? 'The inputs are the same.\n'
        : `The inputs differ: ${safeText(inputs.join(', '))}.\n`,
      output === 'same' ? 'The outputs are the same.\n' : 'The outputs differ.\n',
      visits.length === 0
        ? 'No visit differs.\n'
        : formatTable(
            session.terminal,
            ['', 'PATH', 'FIRST', 'SECOND', 'OUTPUT'],
            visits.map((one) => [
              one.isSame ? '' : '*',
              one.path,
              tellVisit(one.first),
              tellVisit(one.second),
              one.output ?? '-',
            ]),
          ),
    ].join(''),
  );
}

async function readRun({ client }: CommandSession, id: string) {
  let log = await client.logs.get(id);
  const { executionId, workflowId, workflowName, version, status, title, isTest } = log;
  const visits = new Map<string, ComparedVisit>();
  for (;;) {
    const { blocks, nextCursor } = log.executionData;
    for (const { path, status: state, port, output } of blocks) {
      const value = await readOutput(client, log, output);
      visits.set(path, { status: state, port, output: digest(value) });
    }
    if (!nextCursor) break;
    log = await client.logs.get(id, { cursor: nextCursor });
  }
  const execution = await client.executions.get(workflowId, executionId, { limit: 1 });
  const head = { executionId, workflowName, version: isTest ? 'test' : version, status, title };
  return { head, execution, visits };
}

/** The output of a visit, also of one that is so large that the log has only a reference to it. */
async function readOutput(
  client: CommandSession['client'],
  { workflowId, executionId }: Schemas['LogDetailView'],
  output: unknown,
): Promise<unknown> {
  const { $payload: id, bytes } = toObject(output);
  if (typeof id !== 'string' || typeof bytes !== 'number') return output;
  return client.executions.getValue(workflowId, executionId, id);
}

const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

const isEqual = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

function toPair(path: string, first?: ComparedVisit, second?: ComparedVisit) {
  const shown = (visit?: ComparedVisit) => visit && { status: visit.status, port: visit.port };
  const [one, two] = [shown(first) ?? null, shown(second) ?? null];
  const output = first && second ? (first.output === second.output ? 'same' : 'differs') : null;
  return { path, first: one, second: two, output, isSame: output === 'same' && isEqual(one, two) };
}

const listDifferent = (one: object, other: object): string[] => {
  const [first, second] = [toObject(one), toObject(other)];
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => !isEqual(first[name] ?? null, second[name] ?? null));
};

const tellVisit = (visit: { status: string; port: string | null } | null): string =>
  visit === null ? 'not run' : visit.port === null ? visit.status : `${visit.status} -> ${visit.port}`;

function tellHead(head: Awaited<ReturnType<typeof readRun>>['head']): string {
  const { executionId, workflowName, version, status, title } = head;
  const run = version === 'test' ? 'test' : `version ${version}`;
  return safeText([executionId, `${workflowName},`, run, status, title].filter(Boolean).join(' '));
}
