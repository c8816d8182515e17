import { type Command, Option } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import type { CommandOptions } from './commands/context.ts';
import { UsageError } from './exit.ts';
import { wholeNumber } from './inputs.ts';
import { isObject, parseObject, type PlainObject, toObject } from './json-object.ts';

export type TriggerKind = Schemas['CreateTriggerBody']['kind'];

/** An option, and the member of the body that it sets. The kind of trigger is the first part of the member where none is named. */
interface Setting {
  flags: string;
  says: string;
  member: string;
  kinds?: TriggerKind[];
  /** True when the option alone says which kind of trigger is made. */
  decides?: true;
  parse?: (text: string) => unknown;
  /** What `none` stands for. */
  none?: unknown;
}

const seconds = wholeNumber(0);
const every: TriggerKind[] = ['webhook', 'form', 'schedule', 'event'];

const settings: Setting[] = [
  {
    flags: '--inputs <json>',
    says: 'the inputs, a template over the event; none: the event is the inputs',
    member: 'inputs',
    kinds: every,
    parse: (text) => parseObject(text, '--inputs'),
    none: null,
  },
  {
    flags: '--when <expression>',
    says: 'for all but a schedule: which events count; none: all',
    member: 'when',
    kinds: ['webhook', 'form', 'event'],
    none: null,
  },
  {
    flags: '--scheme <scheme>',
    says: 'for a webhook: how its sender proves a delivery, as github, bearer, none, or hmac for a signature that no scheme knows',
    member: 'webhook.scheme',
    decides: true,
  },
  {
    flags: '--secret-name <name>',
    says: 'for a webhook: the secret of the workspace that proves the sender; none: one of the trigger',
    member: 'webhook.secretName',
    none: null,
  },
  {
    flags: '--hmac-header <name>',
    says: 'for the scheme hmac: the header with the signature',
    member: 'webhook.hmac.header',
  },
  {
    flags: '--hmac-algorithm <name>',
    says: 'for the scheme hmac: sha256 (when left out), sha1 or sha512',
    member: 'webhook.hmac.algorithm',
  },
  {
    flags: '--hmac-encoding <name>',
    says: 'for the scheme hmac: hex (when left out) or base64',
    member: 'webhook.hmac.encoding',
  },
  {
    flags: '--hmac-prefix <text>',
    says: 'for the scheme hmac: the text before the signature, as sha256=; none: no text',
    member: 'webhook.hmac.prefix',
    none: '',
  },
  {
    flags: '--hmac-timestamp-header <name>',
    says: 'for the scheme hmac: the header with the time, which the sender signs too; none: it signs the body',
    member: 'webhook.hmac.timestampHeader',
    none: null,
  },
  {
    flags: '--hmac-tolerance <seconds>',
    says: 'for the scheme hmac: how far this time may be from the clock; 300 when left out',
    member: 'webhook.hmac.toleranceSeconds',
    parse: seconds,
  },
  {
    flags: '--id-header <name>',
    says: 'for a webhook: the header with the id of a delivery; none: that of the scheme',
    member: 'webhook.deliveryIdHeader',
    none: null,
  },
  {
    flags: '--id-path <path>',
    says: 'for a webhook: the path of the id of a delivery in the body, as data.id; none: that of the scheme',
    member: 'webhook.deliveryIdPath',
    none: null,
  },
  {
    flags: '--repeat-seconds <n>',
    says: 'for a webhook: how long an equal delivery without an id is a repetition; 300 when left out, 0: never',
    member: 'webhook.repeatSeconds',
    parse: seconds,
  },
  {
    flags: '--form [json]',
    says: 'for a form: its settings, as \'{"title":"Ask us"}\'; without them a field for each input',
    member: 'form',
    decides: true,
    parse: (text) => parseObject(text, '--form'),
  },
  {
    flags: '--respond <what>',
    says: 'for a webhook or form: accepted (when left out) answers at once, result waits for the output',
    member: '*.respond',
    kinds: ['webhook', 'form'],
  },
  {
    flags: '--wait-seconds <n>',
    says: 'for a webhook or form: how long result waits, 60 at most; 10 when left out',
    member: '*.waitSeconds',
    kinds: ['webhook', 'form'],
    parse: wholeNumber(),
  },
  {
    flags: '--cron <expression>',
    says: 'for a schedule: when, as "0 9 * * MON-FRI"',
    member: 'schedule.cron',
    decides: true,
  },
  {
    flags: '--every <seconds>',
    says: 'for a schedule: an interval in place of --cron',
    member: 'schedule.everySeconds',
    decides: true,
    parse: wholeNumber(),
  },
  {
    flags: '--dates <moments...>',
    says: 'for a schedule: listed moments in place of --cron, as 2027-01-29T09:00',
    member: 'schedule.dates',
    decides: true,
  },
  {
    flags: '--except <days...>',
    says: 'for a schedule: days on which nothing starts, as 2026-12-25, and names of calendars; none: no days',
    member: 'schedule.except',
    none: null,
  },
  {
    flags: '--timezone <zone>',
    says: 'for a schedule: the zone of --cron, --dates and --except; UTC when left out',
    member: 'schedule.timezone',
  },
  {
    flags: '--overlap <what>',
    says: 'for a schedule, while an execution is open: skip (when left out), buffer_one, buffer_all, cancel_other, allow_all',
    member: 'schedule.overlap',
  },
  {
    flags: '--catch-up <seconds>',
    says: 'for a schedule: a moment that is later than this is missed; 600 when left out',
    member: 'schedule.catchUpSeconds',
    parse: wholeNumber(),
  },
  {
    flags: '--jitter <seconds>',
    says: 'for a schedule: the most by which a moment is delayed',
    member: 'schedule.jitterSeconds',
    parse: seconds,
  },
  {
    flags: '--ends <time>',
    says: 'for a schedule: no moment comes after it; none: no end',
    member: 'schedule.endsAt',
    none: null,
  },
  {
    flags: '--max-runs <n>',
    says: 'for a schedule: the most executions that it starts; none: no limit',
    member: 'schedule.maxRuns',
    parse: wholeNumber(),
    none: null,
  },
  {
    flags: '--on <types...>',
    says: 'for events: those that start it, as execution.failed',
    member: 'event.types',
    decides: true,
  },
  {
    flags: '--of <workflows...>',
    says: 'for events: only those of these workflows; none: of all but this one',
    member: 'event.workflowIds',
    none: [],
  },
  {
    flags: '--table <id>',
    says: 'for events of rows: the table whose rows are inserted, updated or deleted',
    member: 'event.tableId',
    none: null,
  },
];

/** Adds the options that make and change a trigger. */
export function addTriggerOptions(command: Command): Command {
  command.option(
    '-f, --file <path>',
    'a JSON object as the API takes it, over which the other options go; - reads the standard input',
  );
  for (const { flags, says } of settings) command.option(flags, says);
  return command;
}

const nameOf = ({ flags }: Setting): string => new Option(flags).attributeName();
const kindsOf = ({ kinds, member }: Setting): TriggerKind[] => kinds ?? [member.split('.')[0] as TriggerKind];

/** The kind of a new trigger. Throws UsageError where options and file name none or several. */
export function decideKind(given: CommandOptions, file: PlainObject): TriggerKind {
  const decisive = settings.filter((one) => one.decides && given[nameOf(one)] !== undefined);
  const kinds = new Set([
    ...decisive.flatMap(kindsOf),
    ...(file['kind'] ? [file['kind'] as TriggerKind] : []),
  ]);
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1)
    throw new UsageError(
      'Give --scheme for a webhook, --form for a form, --cron, --every or --dates for a schedule, --on for events, or a --file with one kind.',
    );
  return kind;
}

/** The members of a file with what the options say over them; of a change with the settings that the trigger has below them. */
export function buildTriggerBody(
  kind: TriggerKind,
  given: CommandOptions,
  file: PlainObject,
  former: PlainObject = {},
): PlainObject {
  const body: PlainObject = structuredClone(file);
  for (const setting of settings) {
    const value = given[nameOf(setting)];
    if (value === undefined) continue;
    if (!kindsOf(setting).includes(kind))
      throw new UsageError(`${setting.flags.split(' ')[0]} does not belong to a trigger of kind ${kind}.`);
    const path = setting.member.replace('*', kind).split('.');
    if (path.length > 1 || setting.member === kind) body[kind] ??= toBase(kind, given, former);
    put(body, path, toValue(setting, value));
  }
  return body;
}

/** The settings that stay. Those that the new ones exclude are left out. */
function toBase(kind: TriggerKind, given: CommandOptions, former: PlainObject): PlainObject {
  const kept = toObject(structuredClone(former[kind]));
  const left = new Set<string>();
  if (['cron', 'every', 'dates'].some((name) => given[name] !== undefined))
    for (const member of ['cron', 'everySeconds', 'dates']) left.add(member);
  if (given['scheme'] !== undefined && given['scheme'] !== 'hmac') left.add('hmac');
  return Object.fromEntries(Object.entries(kept).filter(([member]) => !left.has(member)));
}

function toValue({ none, parse }: Setting, value: unknown): unknown {
  if (value === true) return {};
  const isNone = value === 'none' || (Array.isArray(value) && value.length === 1 && value[0] === 'none');
  if (isNone && none !== undefined) return none;
  return parse && typeof value === 'string' ? parse(value) : value;
}

function put(body: PlainObject, [member = '', ...rest]: string[], value: unknown): void {
  const former = body[member];
  if (rest.length === 0) body[member] = isObject(former) && isObject(value) ? { ...former, ...value } : value;
  else {
    const inner = { ...toObject(former) };
    put(inner, rest, value);
    body[member] = inner;
  }
}

type TriggerView = Schemas['TriggerView'];

/** What a trigger is set to, as a body says it. The API keeps the settings of a form that a body leaves out. */
export function toFormerSettings({ webhook, schedule, event }: TriggerView): PlainObject {
  const { hasSecret: _, formerSecretUntil: _until, formerUrlUntil: _url, ...hook } = webhook ?? {};
  const { runs: _runs, next: _next, waiting: _waiting, ...moments } = schedule ?? {};
  return { webhook: withoutNulls(hook), schedule: withoutNulls(moments), event: withoutNulls(event ?? {}) };
}

function withoutNulls(value: PlainObject): PlainObject {
  const kept = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(kept.map(([name, one]) => [name, isObject(one) ? withoutNulls(one) : one]));
}
