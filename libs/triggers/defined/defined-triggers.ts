import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DefinitionFault } from '#libs/language/definition/checks/faults';
import { at, isObject } from '#libs/language/definition/shapes/shape';
import { triggersMax } from '#libs/language/definition/shapes/start-shapes';
import { afterCommit, send } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { type Detail, Invalid } from '#libs/platform/errors/errors';
import type { JsonObject } from '#libs/platform/json/json';
import { canonicalJson } from '#libs/platform/json/canonical';
import { toWarning } from '#libs/runs/workflows/missing-things';
import type {
  KeptWorkflow,
  MadeTriggerChange,
  TriggerChange,
  TriggerKeeper,
  TriggersReport,
} from '#libs/runs/workflows/trigger-keeper';
import { CalledTriggers } from '../called-triggers.ts';
import { requireEvents } from '../events/event-settings.ts';
import { compareInputs, type DeclaredInputs } from '../input-fit.ts';
import { copyCalendars, type DaysByName, lockCalendars } from '../schedules/calendars.ts';
import { requireMoment } from '../schedules/moments.ts';
import { kindOf, requireSettings } from '../settings.ts';
import { type Principal, toSchedule, Trigger, type TriggerFields } from '../trigger.entity.ts';
import { namedOnce, toInputWarning, Triggers } from '../triggers.ts';

/** Reads one member of `start.triggers` like the body of a call. Throws `Invalid` with paths from that member. */
export type ReadTrigger = (member: unknown) => Promise<TriggerFields>;

/** A trigger of a definition, with what is wrong with it. */
interface Carried {
  path: string;
  /** Null when it cannot be read. */
  fields: TriggerFields | null;
  /** The name, as far as there is one. */
  name: string | null;
  faults: DefinitionFault[];
}

/** One change, with the row of before and the settings of afterwards. */
interface Planned extends TriggerChange {
  row?: Trigger;
  wanted?: TriggerFields;
}

/** The triggers that definitions carry. A name says which trigger of a workflow is meant. */
@Injectable()
export class DefinedTriggers {
  constructor(
    private readonly triggers: Triggers,
    private readonly called: CalledTriggers,
  ) {}

  /** Returns the keeper for definitions whose triggers are read in this way. */
  buildKeeper(read: ReadTrigger): TriggerKeeper {
    return {
      report: (tx, workflow, definition) => this.report(tx, workflow, definition, read),
      keep: async (tx, workflow, definition, actor) => {
        const carried = await readCarried(definition, read);
        const days = await lockCalendars(tx, workflow.workspaceId, listSchedules(carried));
        const rows = await listTriggers(tx, workflow.id, 'locked');
        const declared = listInputs(definition);
        const changes = await this.plan(tx, workflow, { rows, carried, declared, days });
        return this.carryOut(tx, workflow, changes, actor);
      },
    };
  }

  private async report(
    tx: EntityManager,
    workflow: KeptWorkflow,
    definition: JsonObject,
    read: ReadTrigger,
  ): Promise<TriggersReport> {
    const carried = await readCarried(definition, read);
    const days = await lockCalendars(tx, workflow.workspaceId, listSchedules(carried));
    const rows = workflow.id === null ? [] : await listTriggers(tx, workflow.id, 'as they are');
    const declared = listInputs(definition);
    const changes = await this.plan(tx, workflow, { rows, carried, declared, days });
    const missing = await listMissingSecrets(tx, workflow.workspaceId, carried);
    const late = await Promise.all(
      carried.map(({ fields, path }) =>
        listFaults(path, async () => fields?.schedule && requireMoment(fields.schedule)),
      ),
    );
    const warnings = [
      ...late.flat().map(toWarning),
      ...warnOfOtherKinds(changes),
      ...carried.flatMap(({ fields }) =>
        fields ? warnOfInputs(fields, compareInputs(fields, declared).warnings) : [],
      ),
      ...rows
        .filter(({ isDefined }) => !isDefined)
        .flatMap((row) => warnOfInputs(row, compareInputs(row, declared).faults.map(toInputWarning))),
    ];
    const faults = carried.flatMap((one) => one.faults);
    return {
      faults,
      missing,
      warnings,
      changes: changes.map(toSaid),
    };
  }

  /** Checks what a definition carries against what there is, and compares both. */
  private async plan(
    tx: EntityManager,
    { workspaceId, id: workflowId }: KeptWorkflow,
    {
      rows,
      carried,
      declared,
      days,
    }: { rows: Trigger[]; carried: Carried[]; declared: DeclaredInputs; days: DaysByName },
  ): Promise<Planned[]> {
    const byName = new Map(rows.map((row) => [row.name, row]));
    const others = rows.filter(({ isDefined }) => !isDefined).length;
    const names = new Set<string>();
    for (const [index, one] of carried.entries()) {
      const { fields, path, faults } = one;
      const add = (member: string, code: string, message: string) =>
        faults.push({ path: member ? at(path, member) : path, code, message });
      if (index + others >= triggersMax)
        add(
          '',
          'too_many',
          `A workflow has at most ${triggersMax} triggers, and ${others} were made by calls.`,
        );
      if (!fields) continue;
      if (names.has(fields.name)) add('name', 'repeated', `"${fields.name}" names two triggers.`);
      names.add(fields.name);
      if (byName.get(fields.name)?.isDefined === false)
        add(
          'name',
          'taken',
          `"${fields.name}" is a trigger that a call has made: give one of them another name.`,
        );
      faults.push(...compareInputs(fields, declared).faults.map((fault) => toFault(path, fault)));
      const { event } = fields;
      if (event)
        faults.push(
          ...(await listFaults(path, () => requireEvents(tx, workspaceId, workflowId ?? '', event))),
        );
      const { schedule } = fields;
      if (schedule)
        faults.push(
          ...(await listFaults(path, async () => {
            one.fields = { ...fields, schedule: copyCalendars(schedule, days) };
          })),
        );
    }
    return compare(carried, byName, await readHolds(tx, rows));
  }

  private async carryOut(
    tx: EntityManager,
    { workspaceId, id: workflowId }: { workspaceId: string; id: string },
    changes: Planned[],
    actor: Principal,
  ): Promise<MadeTriggerChange[]> {
    const made: MadeTriggerChange[] = [];
    for (const planned of changes) {
      const { kind, name, row, wanted } = planned;
      const said = toSaid(planned);
      if (row && !wanted) {
        await this.triggers.leaveOut(tx, row);
        made.push({ ...said, id: row.id });
      } else if (row && wanted)
        made.push({ ...said, id: row.id, ...(await this.triggers.replace(tx, row, wanted, actor)) });
      else if (wanted) {
        const place = { workspaceId, workflowId, isDefined: true };
        const opened = await guardName(namedOnce(name), () => this.triggers.insert(tx, place, wanted, actor));
        made.push({
          ...said,
          id: opened.id,
          url: this.triggers.toUrl(kind, opened.token),
          secret: opened.secret,
        });
      }
    }
    if (made.length > 0) afterCommit(tx, () => void this.called.forget().catch(() => undefined));
    return made;
  }
}

const toSaid = ({ change, kind, name, fields, address, heldFor }: Planned): TriggerChange => ({
  change,
  kind,
  name,
  fields,
  address,
  heldFor,
});

const listSchedules = (carried: Carried[]) =>
  carried.flatMap(({ fields }) => (fields?.schedule ? [fields.schedule] : []));

const listInputs = ({ start }: JsonObject): DeclaredInputs =>
  (isObject(start) && isObject(start['inputs']) ? start['inputs'] : {}) as unknown as DeclaredInputs;

const warnOfInputs = ({ name }: { name: string }, warnings: string[]): string[] =>
  warnings.map((warning) => `Trigger "${name}": ${warning}`);

/** Says what a trigger loses that is made anew because its kind is another. */
function warnOfOtherKinds(changes: Planned[]): string[] {
  const added = new Set(changes.filter(({ change }) => change === 'added').map(({ name }) => name));
  return changes
    .filter(({ change, name }) => change === 'removed' && added.has(name))
    .map(
      ({ name, address, heldFor }) =>
        `The trigger "${name}" is of another kind and is made anew${address ? ', its address is gone' : ''}${heldFor === null ? '' : `, and its hold (${heldFor}) does not hold the new one`}.`,
    );
}

/** Returns the reasons for which triggers are held, by their ids. */
async function readHolds(tx: EntityManager, rows: Trigger[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const holds = await send<{ trigger_id: string; reason: string }>(
    tx,
    'select trigger_id, reason from holds where workspace_id = $1 and trigger_id = any($2) and released_at is null',
    [rows[0]?.workspaceId, rows.map(({ id }) => id)],
  );
  return new Map(holds.map(({ trigger_id: id, reason }) => [id, reason]));
}

/** Returns what has to be done, removals first, because their names may be used again. A trigger with a fault stays as it is. */
function compare(carried: Carried[], byName: Map<string, Trigger>, holds: Map<string, string>): Planned[] {
  const removed: Planned[] = [];
  const others: Planned[] = [];
  const kept = new Set(carried.map(({ name }) => name));
  const remove = (row: Trigger) => {
    if (row.leftOutAt !== null) return;
    const { kind, name } = row;
    const heldFor = holds.get(row.id) ?? null;
    removed.push({
      change: 'removed',
      kind,
      name,
      fields: [],
      address: toAddress(kind, 'closed'),
      heldFor,
      row,
    });
  };
  for (const row of byName.values()) if (row.isDefined && !kept.has(row.name)) remove(row);
  for (const { fields: wanted, faults } of carried) {
    if (!wanted || faults.length > 0) continue;
    const { name } = wanted;
    const kind = kindOf(wanted);
    const row = byName.get(name);
    if (row?.kind === kind) {
      const fields = listDifferences(row, wanted);
      const change = row.leftOutAt === null ? 'changed' : 'restored';
      const state = { address: toAddress(kind, 'kept'), heldFor: holds.get(row.id) ?? null };
      if (change === 'restored' || fields.length > 0)
        others.push({ change, kind, name, fields, ...state, row, wanted });
      continue;
    }
    if (row) remove(row);
    const address = toAddress(kind, 'new');
    others.push({ change: 'added', kind, name, fields: [], address, heldFor: null, wanted });
  }
  return [...removed, ...others];
}

const toAddress = <const A>(kind: string, address: A): A | null =>
  kind === 'webhook' || kind === 'form' ? address : null;

/** The members that differ, as `when` or `schedule.cron`. What one of both does not say counts as null. */
function listDifferences(row: Trigger, wanted: TriggerFields): string[] {
  const differ = (one: unknown, other: unknown) =>
    canonicalJson(one ?? null) !== canonicalJson(other ?? null);
  const settings = (['webhook', 'schedule', 'event', 'form'] as const).flatMap((part) => {
    const [was, is] = [{ ...row[part] }, { ...wanted[part] }] as [JsonObject, JsonObject];
    const members = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return members.filter((name) => differ(was[name], is[name])).map((name) => `${part}.${name}`);
  });
  return [
    ...(differ(row.inputs, wanted.inputs) ? ['inputs'] : []),
    ...(differ(row.filter, wanted.filter) ? ['when'] : []),
    ...settings,
  ];
}

async function readCarried({ start }: JsonObject, read: ReadTrigger): Promise<Carried[]> {
  const members = isObject(start) && Array.isArray(start['triggers']) ? start['triggers'] : [];
  const carried: Carried[] = [];
  for (const [index, member] of members.slice(0, triggersMax + 1).entries()) {
    if (!isObject(member)) continue;
    const path = at('start.triggers', index);
    const one: Carried = { path, fields: null, name: null, faults: [] };
    if (typeof member['name'] === 'string') one.name = member['name'];
    one.faults = await listFaults(path, async () => {
      const fields = await read(member);
      requireSettings(fields, kindOf(fields));
      one.fields = fields;
    });
    carried.push(one);
  }
  return carried;
}

/** Returns the faults for which a check throws `Invalid`, with paths into the definition. */
async function listFaults(base: string, check: () => Promise<unknown>): Promise<DefinitionFault[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return (error.details ?? []).map((detail) => toFault(base, detail));
  }
}

/** Paths into a body name members of lists by `.0`, paths into a definition by `[0]`. */
function toFault(base: string, { path, code, message }: Detail): DefinitionFault {
  const inner = path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  return { path: inner ? `${base}.${inner}` : base, code, message };
}

async function listMissingSecrets(
  tx: EntityManager,
  workspaceId: string,
  carried: Carried[],
): Promise<DefinitionFault[]> {
  const named = carried.flatMap(({ fields, path }) => {
    const name = fields?.webhook?.secretName;
    return name ? [{ name, path: `${path}.webhook.secretName` }] : [];
  });
  if (named.length === 0) return [];
  const names = named.map(({ name }) => name);
  const rows = await send<{ name: string }>(
    tx,
    'select name from secrets where workspace_id = $1 and name = any($2)',
    [workspaceId, names],
  );
  const present = new Set(rows.map(({ name }) => name));
  return named
    .filter(({ name }) => !present.has(name))
    .map(({ name, path }) => ({
      path,
      code: 'secret_not_found',
      message: `There is no secret "${name}" in this workspace, so every delivery would be refused.`,
    }));
}

/** Reads the triggers of a workflow, the oldest first. Locked ones lose nothing that a worker stores of a schedule meanwhile. */
const listTriggers = async (
  tx: EntityManager,
  workflowId: string,
  how: 'locked' | 'as they are',
): Promise<Trigger[]> => {
  const rows = await tx.find(Trigger, {
    where: { workflowId },
    order: { createdAt: 'ASC', id: 'ASC' },
    ...(how === 'locked' ? { lock: { mode: 'pessimistic_write' } } : {}),
  });
  return rows.map((row) => ({ ...row, schedule: toSchedule(row) }));
};
