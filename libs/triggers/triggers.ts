import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database, send } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { Conflict, type Detail, Invalid, NotFound } from '#libs/platform/errors/errors';
import { triggersMax } from '#libs/language/definition/shapes/start-shapes';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { newId } from '#libs/platform/ids/ids';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Settings } from '#libs/platform/settings/settings';
import { DataKeys } from '#libs/workspace/secrets/data-keys';
import { CalledTriggers, cellOfSecret, toTokenDigest } from './called-triggers.ts';
import { copyCalendars, lockCalendars } from './schedules/calendars.ts';
import { findNextMoment, hasSameMoments, requireMoment, toFireAt } from './schedules/moments.ts';
import { logPassedMoments } from './schedules/passed-moments.ts';
import { requireEvents } from './events/event-settings.ts';
import { compareInputs, type DeclaredInputs } from './input-fit.ts';
import { kindOf, newSecret, requireSettings, requireWebhook } from './settings.ts';
import {
  type Principal,
  type ScheduleSettings,
  toSchedule,
  Trigger,
  type TriggerFields,
} from './trigger.entity.ts';
import * as sql from './triggers.sql.ts';

/** A trigger with what is shown only once: its address and its secret. A value that did not change is undefined. */
export interface OpenedTrigger {
  trigger: TriggerState;
  token?: string;
  secret?: string;
}

/** A trigger with what follows from other rows. */
export interface TriggerState extends Trigger {
  isDeployed: boolean;
  hasSecret: boolean;
  /** How its inputs do not fit those of the live version, a sentence each. */
  inputWarnings: string[];
  /** The address of a form; null for another kind. */
  formUrl: string | null;
  lastDelivery: {
    at: Date;
    verdict: string;
    executionId: string | null;
    isHeld: boolean;
    reason: string | null;
  } | null;
}

export interface Rotation {
  token: boolean;
  /** True makes a new secret, a text is one that the sender has made. */
  secret: boolean | string;
  /** The hours for which the former ones stay valid. */
  overlapHours: number;
}

/** The triggers of workflows. */
@Injectable()
export class Triggers {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly keys: DataKeys,
    private readonly called: CalledTriggers,
    private readonly settings: Settings,
  ) {}

  /** Oldest first. */
  async list(
    workspaceId: string,
    workflowId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<TriggerState>> {
    const scope = `triggers ${workflowId}`;
    const after = this.cursors.open(cursor, scope);
    const values = [workflowId, after?.at ?? null, after?.id ?? null, limit + 1];
    const rows = await this.database.entities(workspaceId, Trigger, sql.pageOfTriggers, values);
    const page = this.cursors.page(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
    const items = await this.withState(workspaceId, page.items);
    return { ...page, items };
  }

  async get(workspaceId: string, workflowId: string, id: string): Promise<TriggerState> {
    const rows = await this.database.entities(
      workspaceId,
      Trigger,
      'where t.id = $1 and t.workflow_id = $2 and t.left_out_at is null',
      [id, workflowId],
    );
    const [trigger] = await this.withState(workspaceId, rows);
    if (!trigger) throw new NotFound('trigger');
    return trigger;
  }

  /** Creates a trigger with its address. A secret that the sender does not make is made here, unless one is given. */
  async create(
    workspaceId: string,
    workflowId: string,
    fields: TriggerFields & { secret?: string },
    actor: Principal,
  ): Promise<OpenedTrigger> {
    const { schedule, event, secret } = fields;
    requireSettings(fields, kindOf(fields), secret);
    const { id, ...opened } = await guardName(namedOnce(fields.name), () =>
      this.database.within(workspaceId, async (tx) => {
        await requireRoom(tx, workspaceId, workflowId);
        const copied = schedule && copyCalendars(schedule, await lockCalendars(tx, workspaceId, [schedule]));
        if (copied) requireMoment(copied);
        await requireFit(tx, workflowId, fields);
        if (event) await requireEvents(tx, workspaceId, workflowId, event);
        const place = { workspaceId, workflowId, isDefined: false };
        return this.insert(tx, place, { ...fields, schedule: copied }, actor);
      }),
    );
    return { trigger: await this.get(workspaceId, workflowId, id), ...opened };
  }

  /** Adds a trigger whose settings were checked. Returns its id, with what is shown only once. */
  async insert(
    tx: EntityManager,
    { workspaceId, workflowId, isDefined }: Pick<Trigger, 'workspaceId' | 'workflowId' | 'isDefined'>,
    fields: TriggerFields & { secret?: string },
    actor: Principal,
  ): Promise<{ id: string; token?: string; secret?: string }> {
    const { webhook, schedule, event, form } = fields;
    const id = newId('trg');
    await forgetLeftOut(tx, workflowId, fields.name);
    const first = schedule && beginFromNow(id, schedule, []);
    const linkSalt = form ? newToken() : null;
    const token = linkSalt === null ? (webhook ? newToken() : undefined) : this.toFormToken(id, linkSalt);
    const made = webhook && fields.secret === undefined ? newSecret(webhook) : undefined;
    const secret = fields.secret ?? made;
    await send(tx, sql.insertTrigger, [
      id,
      workspaceId,
      workflowId,
      kindOf(fields),
      fields.name,
      JSON.stringify(actor),
      toText(fields.inputs),
      fields.filter,
      toText(webhook),
      token === undefined ? null : toTokenDigest(this.settings, token),
      secret === undefined ? null : await this.keys.seal(tx, secret, cellOfSecret(workspaceId, id)),
      toText(schedule && toScheduleColumns(schedule).settings),
      first?.next_at ?? null,
      first?.due_at ?? null,
      toText(event),
      toText(form),
      linkSalt,
      isDefined,
      toText(schedule?.calendars ?? null),
    ]);
    return { id, token, secret: made };
  }

  /** Changes what is given. The trigger acts for who changed it last, so that nobody changes what another starts. */
  async update(
    workspaceId: string,
    trigger: Trigger,
    changes: Partial<TriggerFields>,
    actor: Principal,
  ): Promise<TriggerState> {
    requireMadeByCall(trigger);
    requireSettings(changes, trigger.kind);
    const { event, name = '', inputs, schedule, form } = changes;
    const change = async (tx: EntityManager) => {
      const copied = schedule && copyCalendars(schedule, await lockCalendars(tx, workspaceId, [schedule]));
      if (copied) requireMoment(copied);
      if (event) await requireEvents(tx, workspaceId, trigger.workflowId, event);
      if (inputs !== undefined || schedule || form)
        await requireFit(tx, trigger.workflowId, {
          inputs: inputs === undefined ? trigger.inputs : inputs,
          schedule: schedule ?? trigger.schedule,
          form: form ?? trigger.form,
        });
      if (name) await forgetLeftOut(tx, trigger.workflowId, name);
      const columns = toColumns(trigger, { ...changes, schedule: copied }, actor);
      const { assignments, values } = toAssignments(columns);
      await send(tx, sql.changeTrigger(assignments), [trigger.id, trigger.workflowId, ...values]);
    };
    await guardName(namedOnce(name), () => this.database.within(workspaceId, change));
    await this.called.forget();
    return this.get(workspaceId, trigger.workflowId, trigger.id);
  }

  /**
   * Stops a trigger that the live definition no longer carries, within a transaction, and remembers it for a version that has it again.
   * Those that were left out longest ago are forgotten.
   */
  async leaveOut(tx: EntityManager, { id, workflowId }: Trigger): Promise<void> {
    await send(tx, sql.leaveTriggerOut, [id]);
    await send(tx, sql.forgetMost, [workflowId, triggersMax]);
  }

  /**
   * Gives a trigger other settings of its kind, within a transaction. Its address, its secret, its state and its log stay, and so does the
   * next moment of a schedule with the same moments. One that was left out is back. Returns a secret that it had to make.
   */
  async replace(
    tx: EntityManager,
    trigger: Trigger,
    fields: TriggerFields,
    actor: Principal,
  ): Promise<{ secret?: string }> {
    const { id, workspaceId, workflowId, nextAt } = trigger;
    const { webhook, schedule } = fields;
    const secret = webhook && trigger.secret === null ? newSecret(webhook) : undefined;
    const sealed =
      secret === undefined ? undefined : await this.keys.seal(tx, secret, cellOfSecret(workspaceId, id));
    const keepsMoment = schedule && trigger.schedule && nextAt && hasSameMoments(trigger.schedule, schedule);
    const { assignments, values } = toAssignments({
      ...toColumns(trigger, fields, actor),
      ...(keepsMoment ? goOnAt(id, schedule, trigger.waiting, nextAt) : {}),
      secret: sealed,
      left_out_at: null,
    });
    await send(tx, sql.changeTrigger(assignments), [id, workflowId, ...values]);
    return { secret };
  }

  /** Pauses the trigger, also one that is switched off. Its principal stays. */
  pause(workspaceId: string, trigger: Trigger, note: string | null): Promise<TriggerState> {
    return this.change(workspaceId, trigger, { status: 'paused', note });
  }

  /** Lets a paused or switched off trigger go on from now. It acts for who resumed it. Moments that passed get one entry. */
  async resume(workspaceId: string, trigger: Trigger, actor: Principal): Promise<TriggerState> {
    const { id, workflowId, schedule, waiting } = trigger;
    const { assignments, values } = toAssignments({
      status: 'active',
      note: null,
      forgeries: 0,
      actor: JSON.stringify(actor),
      ...(schedule ? beginFromNow(id, schedule, waiting) : {}),
    });
    await this.database.batch(workspaceId, [
      [sql.changeTrigger(assignments), [id, workflowId, ...values]],
      ...logPassedMoments(trigger),
    ]);
    await this.called.forget();
    return this.get(workspaceId, workflowId, id);
  }

  /** Gives the trigger a new address or secret. The former ones are valid for some hours. */
  async rotate(
    workspaceId: string,
    trigger: Trigger,
    { token: renewsToken, secret: wanted, overlapHours }: Rotation,
    actor: Principal,
  ): Promise<OpenedTrigger> {
    const { webhook: settings, form } = trigger;
    if (settings?.secretName && wanted !== false)
      throw Invalid.field(
        wanted === true ? 'secret' : 'secretValue',
        `is "${settings.secretName}" of the workspace: give that a new value`,
        'conflict',
      );
    if (!settings && !form)
      throw new Conflict(
        `A trigger of kind ${trigger.kind} has neither an address nor a secret.`,
        'NOT_A_WEBHOOK',
      );
    if (!settings && wanted !== false)
      throw Invalid.field(
        wanted === true ? 'secret' : 'secretValue',
        'has no use: a form has no secret',
        'conflict',
      );
    if (settings) requireWebhook(settings, typeof wanted === 'string' ? wanted : undefined, 'secretValue');
    const linkSalt = form && renewsToken ? newToken() : null;
    const token =
      linkSalt === null ? (renewsToken ? newToken() : undefined) : this.toFormToken(trigger.id, linkSalt);
    const secret = wanted === true ? settings && newSecret(settings) : wanted === false ? undefined : wanted;
    if (settings && wanted === true && secret === undefined)
      throw Invalid.field(
        'secret',
        settings.scheme === 'none'
          ? 'cannot be renewed: the scheme none has no secret'
          : 'is made by the sender: send it as secretValue',
        'conflict',
      );
    await this.database.within(workspaceId, async (tx) => {
      const cell = cellOfSecret(workspaceId, trigger.id);
      const sealed = secret === undefined || secret === null ? null : await this.keys.seal(tx, secret, cell);
      const values = [
        token ? toTokenDigest(this.settings, token) : null,
        sealed,
        overlapHours,
        JSON.stringify(actor),
        linkSalt,
      ];
      await send(tx, sql.changeTrigger(sql.rotateTrigger), [trigger.id, trigger.workflowId, ...values]);
    });
    await this.called.forget();
    const state = await this.get(workspaceId, trigger.workflowId, trigger.id);
    return { trigger: state, token, secret: wanted === true ? (secret ?? undefined) : undefined };
  }

  async delete(workspaceId: string, workflowId: string, id: string): Promise<void> {
    requireMadeByCall(await this.get(workspaceId, workflowId, id));
    await this.database.statement(workspaceId, 'delete from triggers where id = $1 and workflow_id = $2', [
      id,
      workflowId,
    ]);
    await this.called.forget();
  }

  /** The address that a token opens; undefined without a token. */
  toUrl(kind: string, token: string | undefined): string | undefined {
    const place = kind === 'form' ? 'forms' : 'hooks';
    return token && `${this.settings.publicUrl}/${place}/${token}`;
  }

  /** Changes the columns that are not undefined. */
  private async change(
    workspaceId: string,
    trigger: Trigger,
    columns: Record<string, unknown>,
  ): Promise<TriggerState> {
    const { assignments, values } = toAssignments(columns);
    await this.database.statement(workspaceId, sql.changeTrigger(assignments), [
      trigger.id,
      trigger.workflowId,
      ...values,
    ]);
    await this.called.forget();
    return this.get(workspaceId, trigger.workflowId, trigger.id);
  }

  private async withState(workspaceId: string, triggers: Trigger[]): Promise<TriggerState[]> {
    if (triggers.length === 0) return [];
    const rows = await this.database.statement<StateRow>(workspaceId, sql.readStates, [
      triggers.map(({ id }) => id),
    ]);
    const states = new Map(rows.map(({ id, ...state }) => [id, state]));
    return triggers.map((row) => {
      const trigger = { ...row, schedule: toSchedule(row) };
      const {
        isDeployed = false,
        hasSecret = false,
        lastDelivery = null,
        declared = null,
      } = states.get(trigger.id) ?? {};
      const last = lastDelivery && { ...lastDelivery, at: new Date(lastDelivery.at) };
      const { id, linkSalt } = trigger;
      const formUrl = (linkSalt !== null && this.toUrl('form', this.toFormToken(id, linkSalt))) || null;
      const fit = declared && compareInputs(trigger, declared);
      const inputWarnings = fit ? [...fit.faults.map(toInputWarning), ...fit.warnings] : [];
      return { ...trigger, isDeployed, hasSecret, formUrl, lastDelivery: last, inputWarnings };
    });
  }

  /** The token in the address of a form. It follows from the row, so that the link can be shown again. */
  private toFormToken(id: string, linkSalt: string): string {
    return keyedHash(this.settings.secret, 'form-link', `${id} ${linkSalt}`);
  }
}

interface StateRow extends Record<string, unknown> {
  id: string;
  isDeployed: boolean;
  hasSecret: boolean;
  declared: DeclaredInputs | null;
  lastDelivery: {
    at: string;
    verdict: string;
    executionId: string | null;
    isHeld: boolean;
    reason: string | null;
  } | null;
}

/** 256 random bits in base64url. */
const newToken = () => randomBytes(32).toString('base64url');

export const namedOnce = (name: string) => ({ constraint: 'triggers_name', thing: 'trigger', name });

/** Throws `Conflict` for a trigger of a definition, because the next deploy would undo the change. */
function requireMadeByCall({ isDefined, name }: Trigger): void {
  if (isDefined)
    throw new Conflict(
      `The trigger "${name}" comes from the definition of its workflow: change it in start.triggers, and deploy.`,
      'TRIGGER_DEFINED',
    );
}

async function requireRoom(tx: EntityManager, workspaceId: string, workflowId: string): Promise<void> {
  const [row] = await send<{ others: number }>(tx, sql.countTriggers, [workspaceId, workflowId]);
  if (!row) throw new NotFound('workflow');
  if (row.others >= triggersMax)
    throw new Conflict(
      `A workflow has at most ${triggersMax} triggers; delete one first.`,
      'TOO_MANY_TRIGGERS',
    );
}

/** Forgets the trigger that a deploy has left out, because another one takes its name. */
async function forgetLeftOut(tx: EntityManager, workflowId: string, name: string): Promise<void> {
  const values = [workflowId, name];
  await send(
    tx,
    'delete from triggers where workflow_id = $1 and name = $2 and left_out_at is not null',
    values,
  );
}

/** Throws `Invalid` for inputs that the live version can never take. Without one nothing is known. */
async function requireFit(
  tx: EntityManager,
  workflowId: string,
  fields: Pick<TriggerFields, 'inputs' | 'schedule' | 'form'>,
): Promise<void> {
  const [row] = await send<{ declared: DeclaredInputs | null }>(
    tx,
    `select (${sql.declaredInputs}) as declared from workflows w where w.id = $1`,
    [workflowId],
  );
  const { faults } = compareInputs(fields, row?.declared ?? {});
  if (faults.length > 0) throw new Invalid(faults);
}

/** Returns the sentence for a trigger whose inputs the live version refuses. */
export const toInputWarning = ({ path, message }: Detail): string =>
  `Every start fails at ${path}: ${message}`;

const toText = (value: object | null) => value && JSON.stringify(value);

/** The settings of a schedule, and beside them its calendars. */
const toScheduleColumns = ({
  calendars = null,
  ...settings
}: Omit<ScheduleSettings, 'calendars'> & { calendars?: object | null }) => ({
  settings,
  calendars,
});

/** Returns the columns that changes set. Undefined ones stay. */
function toColumns(
  { id, waiting }: Trigger,
  { name, inputs, filter, webhook, schedule, event, form }: Partial<TriggerFields>,
  actor: Principal,
): Record<string, unknown> {
  return {
    actor: JSON.stringify(actor),
    name,
    inputs: inputs && JSON.stringify(inputs),
    filter,
    webhook: webhook ? JSON.stringify(webhook) : undefined,
    event: event ? JSON.stringify(event) : undefined,
    form: form ? JSON.stringify(form) : undefined,
    ...(schedule
      ? {
          schedule: JSON.stringify(toScheduleColumns(schedule).settings),
          calendars: toText(toScheduleColumns(schedule).calendars),
          ...beginFromNow(id, schedule, waiting),
        }
      : {}),
  };
}

/** Returns the assignments of the columns that are not undefined, and their values from $3. */
function toAssignments(columns: Record<string, unknown>): { assignments: string; values: unknown[] } {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return {
    assignments: given.map(([name], at) => `${name} = $${at + 3}`).join(', '),
    values: given.map(([, value]) => value),
  };
}

/** The columns with which a schedule goes on from now. */
const beginFromNow = (id: string, schedule: ScheduleSettings, waiting: string[]) =>
  goOnAt(id, schedule, waiting, findNextMoment(schedule, new Date(readClockMs())));

/** The columns with which a schedule goes on at a moment. Moments that wait still do, so a worker looks at them at once. */
function goOnAt(id: string, schedule: ScheduleSettings, waiting: string[], next: Date | null) {
  const due = waiting.length > 0 ? new Date(readClockMs()) : next && toFireAt(schedule, id, next);
  return { next_at: next, due_at: due, claimed_until: null };
}
