import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { UsageError } from '../exit.ts';
import { readObject, wholeNumber } from '../inputs.ts';
import { isObject, parseObject } from '../json-object.ts';
import { findTrigger, findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { addTriggerOptions, buildTriggerBody, decideKind, toFormerSettings } from '../trigger-options.ts';
import { addBackfillCommands } from './backfill-commands.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { addDeliveryCommands, addListenCommand, toVerdictText } from './delivery-commands.ts';
import { examples } from './session-commands.ts';

type TriggerSettings = Schemas['CreateTriggerBody'];

/** Commands for what starts workflows by itself. */
export function addTriggerCommands(program: Command, context: CommandContext): void {
  addListenCommand(program, context);
  const triggers = program.command('triggers').description('See and change what starts a workflow by itself');
  triggers
    .command('list <workflow>')
    .description('List the triggers of a workflow, with their state')
    .action(withSession(context, listTriggers));
  triggers
    .command('show <workflow> <trigger>')
    .description('Show the settings and the state of a trigger')
    .action(withSession(context, showTrigger));
  addTriggerOptions(
    triggers
      .command('create <workflow> [name]')
      .description('Make an address for webhooks, a form, or a schedule; the secret is shown only now')
      .option(
        '--secret <secret>',
        'for a webhook: the secret that the sender has made; - reads the standard input',
      ),
  )
    .addHelpText(
      'after',
      examples(
        'holdfast triggers create triage "Help desk" --scheme github',
        'holdfast triggers create triage Shop --scheme hmac --hmac-header X-Signature --hmac-prefix sha256=',
        'holdfast triggers create triage "Ask us" --form',
        'holdfast triggers create alarm "A run failed" --on execution.failed',
        'holdfast triggers create report Daily --cron "0 9 * * MON-FRI" --timezone Europe/Berlin',
        'holdfast triggers create report --file trigger.json',
      ),
    )
    .action(withSession(context, createTrigger));
  addTriggerOptions(
    triggers
      .command('update <workflow> <trigger>')
      .description(
        'Change settings of a trigger; the others, its address and its secret stay, and it acts for you',
      )
      .option('--name <name>', 'another name'),
  )
    .addHelpText(
      'after',
      examples(
        'holdfast triggers update report Daily --overlap buffer_one --max-runs none',
        `holdfast triggers update triage "Help desk" --when 'event.body.action == "opened"'`,
      ),
    )
    .action(withSession(context, updateTrigger));
  triggers
    .command('rotate <workflow> <trigger>')
    .description('Give a trigger a new address or secret, shown only now; the former ones hold for a day')
    .option('--address', 'make a new address')
    .option('--secret', 'make a new secret')
    .option('--secret-value <secret>', 'a secret that the sender has made; - reads the standard input')
    .option(
      '--overlap-hours <n>',
      'how long the former ones hold, 168 at most; 24 when left out',
      wholeNumber(0),
    )
    .addHelpText(
      'after',
      examples(
        'holdfast triggers rotate triage "Help desk" --secret --overlap-hours 1',
        'holdfast triggers rotate triage Shop --secret-value - < secret.txt',
      ),
    )
    .action(withSession(context, rotateTrigger));
  triggers
    .command('pause <workflow> <trigger>')
    .description('Let a trigger start nothing for now')
    .option('--note <text>', 'why, shown with the trigger and to its senders')
    .action(withSession(context, pauseTrigger));
  triggers
    .command('resume <workflow> <trigger>')
    .description('Let a trigger go on; it acts for you from then on')
    .action(withSession(context, resumeTrigger));
  triggers
    .command('run <workflow> <trigger>')
    .description('Start an execution now, as a test delivery')
    .option('--body <json>', 'the body of the event')
    .action(withSession(context, runTrigger));
  addDeliveryCommands(triggers, context);
  addBackfillCommands(triggers, context);
  triggers
    .command('delete <workflow> <trigger>')
    .description('Delete a trigger with its address and the log of its deliveries')
    .option('-y, --yes', 'do not ask')
    .action(withSession(context, deleteTrigger));
}

async function listTriggers(session: CommandSession, _options: CommandOptions, workflow = ''): Promise<void> {
  const { id } = await findWorkflow(session, workflow);
  const found = await session.client.triggers.list(id, { limit: 100 }).toArray(100);
  session.show(found, () =>
    formatTable(
      session.terminal,
      ['TRIGGER', 'NAME', 'KIND', 'STATE', 'NEXT', 'LAST'],
      found.map((one) => [
        one.id,
        one.name,
        one.kind,
        one.status,
        one.schedule?.next[0] ?? '-',
        one.lastDelivery ? `${toVerdictText(one.lastDelivery)} ${one.lastDelivery.at}` : '-',
      ]),
    ),
  );
}

async function showTrigger(
  session: CommandSession,
  _options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const trigger = await session.client.triggers.get(workflowId, id);
  const { actsFor, lastDelivery, warnings, ...rest } = trigger;
  const rows = [
    ...toRows(rest),
    ['actsFor', actsFor.name ?? actsFor.id],
    ...(lastDelivery ? [['lastDelivery', `${toVerdictText(lastDelivery)} ${lastDelivery.at}`]] : []),
    ...warnings.map((warning) => ['warning', warning]),
  ];
  session.show(trigger, () => formatTable(session.terminal, ['MEMBER', 'VALUE'], rows));
}

/** A row for each member that says something, named as in a body. */
function toRows(value: object, above = ''): string[][] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    if (one === null || (Array.isArray(one) && one.length === 0)) return [];
    if (isObject(one) && name !== 'inputs') return toRows(one, `${above}${name}.`);
    return [[`${above}${name}`, typeof one === 'string' ? one : JSON.stringify(one)]];
  });
}

async function createTrigger(
  session: CommandSession,
  options: CommandOptions,
  workflow = '',
  name?: string,
): Promise<void> {
  const { file: path, secret, ...given } = await readGiven(session, options);
  const file = path === undefined ? {} : await readObject(session.terminal, path);
  const kind = decideKind(given, file);
  const body = {
    ...buildTriggerBody(kind, given, file),
    kind,
    ...(name === undefined ? {} : { name }),
    ...(secret === undefined ? {} : { secret: await readSecret(session, secret) }),
  };
  if (!('name' in body)) throw new UsageError('Name the trigger behind the workflow, or in the file.');
  const { id } = await findWorkflow(session, workflow);
  const made = await session.client.triggers.create(id, body as TriggerSettings);
  const next = made.schedule
    ? `It starts next at ${made.schedule.next[0]}.`
    : made.event
      ? `It starts the workflow on ${made.event.types.join(', ')}.`
      : `Its address is ${made.url}`;
  const shown = made.secret === null ? '' : `\nIts secret is ${made.secret}`;
  session.done(made, `${made.id} was made. ${next}${shown}${tellWarnings(made)}`);
}

async function updateTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { file: path, ...given } = await readGiven(session, options);
  const file = path === undefined ? {} : await readObject(session.terminal, path);
  const { workflowId, id, name } = await findTrigger(session, ...names);
  const { client } = session;
  const trigger = await client.triggers.get(workflowId, id);
  const { kind } = trigger;
  const { kind: named = kind, ...members } = file;
  if (named !== kind) throw new UsageError(`${path} is of kind ${named}, and ${name} of kind ${kind}.`);
  const body = {
    ...buildTriggerBody(kind, given, members, toFormerSettings(trigger)),
    ...(given['name'] === undefined ? {} : { name: given['name'] }),
  };
  if (Object.keys(body).length === 0)
    throw new UsageError('Say what to change. See the options with: holdfast help triggers update');
  const changed = await client.triggers.update(workflowId, id, body as Schemas['UpdateTriggerBody']);
  const next = changed.schedule?.next[0];
  const then = next === undefined ? '' : ` It starts next at ${next}.`;
  session.done(changed, `${changed.name} is changed, and acts for you.${then}${tellWarnings(changed)}`);
}

async function rotateTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { address, secret, secretValue, overlapHours } = options as {
    address?: boolean;
    secret?: boolean;
    secretValue?: string;
    overlapHours?: number;
  };
  if (!address && !secret && secretValue === undefined)
    throw new UsageError('Say what is new: --address, --secret, or --secret-value with that of the sender.');
  const { workflowId, id, name } = await findTrigger(session, ...names);
  const rotated = await session.client.triggers.rotate(workflowId, id, {
    url: address,
    secret,
    secretValue: secretValue === undefined ? undefined : await readSecret(session, secretValue),
    overlapHours,
  });
  const { webhook, url } = rotated;
  const told = [
    url === null ? '' : `\nIts address is ${url}`,
    rotated.secret === null ? '' : `\nIts secret is ${rotated.secret}`,
    webhook?.formerUrlUntil && url ? `\nThe former address holds until ${webhook.formerUrlUntil}.` : '',
    webhook?.formerSecretUntil && (secret || secretValue !== undefined)
      ? `\nThe former secret holds until ${webhook.formerSecretUntil}.`
      : '',
  ];
  session.done(rotated, `${name} is changed.${told.join('')}${tellWarnings(rotated)}`);
}

const tellWarnings = ({ warnings }: { warnings: string[] }): string =>
  warnings.map((warning) => `\nwarning: ${warning}`).join('');

/** The options, with the ids of the workflows that they name. */
async function readGiven(session: CommandSession, options: CommandOptions) {
  const { of } = options as { of?: string[] };
  const workflows = of === undefined || of.join() === 'none' ? of : await findIds(session, of);
  return { ...options, of: workflows } as CommandOptions & { file?: string; secret?: string };
}

/** A secret of an option, or of the standard input, where other users do not see it. */
async function readSecret({ terminal }: CommandSession, given: string): Promise<string> {
  return given === '-' ? (await terminal.readInput()).trim() : given;
}

async function findIds(session: CommandSession, workflows: string[]): Promise<string[]> {
  const found = await Promise.all(workflows.map((name) => findWorkflow(session, name)));
  return found.map(({ id }) => id);
}

async function pauseTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const { note } = options as { note?: string };
  const paused = await session.client.triggers.pause(workflowId, id, { note });
  session.done(paused, `${paused.name} is paused.`);
}

async function resumeTrigger(
  session: CommandSession,
  _options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const resumed = await session.client.triggers.resume(workflowId, id);
  session.done(resumed, `${resumed.name} goes on, and acts for you.`);
}

async function runTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id } = await findTrigger(session, ...names);
  const { body } = options as { body?: string };
  const event = body === undefined ? {} : { body: parseObject(body, '--body') };
  const started = await session.client.triggers.run(workflowId, id, event);
  session.done(started, `Follow it with: holdfast logs show ${started.executionId}`);
}

async function deleteTrigger(
  session: CommandSession,
  options: CommandOptions,
  ...names: string[]
): Promise<void> {
  const { workflowId, id, name } = await findTrigger(session, ...names);
  const question = `Delete ${name} with the log of its deliveries?`;
  await session.confirm(question, options['yes'] === true);
  session.done(await session.client.triggers.delete(workflowId, id), `${name} was deleted.`);
}
