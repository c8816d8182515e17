import { anyText, duration, nameText, url } from '../expressions/atoms.ts';
import { durationMs, yearMs } from '../durations.ts';
import { formFields } from '../shapes/form-shapes.ts';
import * as shape from '../shapes/shape.ts';
import { at, isObject, isTemplate, type Report, ruled } from '../shapes/shape.ts';
import { type BlockBase, type BlockKind, type RawBlock, anyMembers } from './kind.ts';

const shown = shape.object(
  { label: shape.text({ max: 500 }), value: shape.json },
  { format: shape.text({ max: 64 }) },
);

/** An e-mail address or a user id; a template may give one, or a list of them. */
const name = shape.text({ min: 3, max: 320 });
const names = shape.list(name, { max: 50 });

const later = duration({ minMs: 1000, maxMs: yearMs });

const approvals = shape.object(
  {},
  {
    required: shape.number({ min: 1, max: 50 }),
    veto: shape.boolean,
    allowStarter: shape.boolean,
    requireSignIn: shape.boolean,
    assignees: names,
    roles: shape.list(shape.choice(['admin', 'editor', 'viewer']), { max: 3 }),
    decision: nameText,
  },
);

const notify = shape.object(
  {},
  { emails: names, webhook: shape.object({ url, secret: shape.text({ min: 1, max: 128 }) }) },
);

const escalation = shape.object({ after: later, to: shape.list(name, { min: 1, max: 50 }) });

const members = shape.object(
  { title: shape.text({ min: 1, max: 2000 }) },
  {
    message: anyText,
    fields: shape.list(shown, { max: 100 }),
    form: formFields,
    approvals,
    notify,
    /** Counted from the opening of the pause. */
    reminders: shape.list(later, { max: 10 }),
    escalation,
    expiresAfter: duration({ minMs: 1000, maxMs: yearMs, template: true }),
    onExpiry: shape.choice(['fail', 'continue']),
    /** An agent that called the workflow may answer by the form of its client. Else only a person decides, on the page. */
    agentMayAnswer: shape.boolean,
    metadata: shape.record(shape.text({ min: 1, max: 128 }), shape.json, { max: 100 }),
  },
);

type HumanParams = shape.ValueOf<typeof members>;

const params = ruled(members, (value, path, report) => {
  if (value.onExpiry !== undefined && value.expiresAfter === undefined)
    report(at(path, 'onExpiry'), 'needs_expiry', 'It has no effect without expiresAfter.');
  checkApprovals(value, path, report);
  checkAgents(value, path, report);
  checkTimes(value, path, report);
});

/** A block that pauses the run until people have answered. */
export interface HumanBlock extends BlockBase {
  type: 'human';
  params: HumanParams;
}

export const human: BlockKind<HumanBlock> = {
  members: { params },
  sample: {
    type: 'human',
    params: { title: 'T', form: [{ name: 'ok', type: 'boolean' }], expiresAfter: 60 },
  },
  ports: (block) => (goesOnAtExpiry(block) ? ['out', 'expired'] : ['out']),
  hasChoice: goesOnAtExpiry,
  portHint: (port) => (port === 'expired' ? 'Set onExpiry to "continue" to have it.' : undefined),
  outputs: (block) => {
    const { form: fields, approvals: policy } = isObject(block.params) ? block.params : {};
    const given = Array.isArray(fields) ? fields.flatMap(fieldName) : [];
    return anyMembers(...given, ...(policy === undefined ? [] : ['votes']));
  },
};

function goesOnAtExpiry(block: RawBlock): boolean {
  return isObject(block.params) && block.params.onExpiry === 'continue';
}

function fieldName(field: unknown): string[] {
  return isObject(field) && typeof field.name === 'string' ? [field.name] : [];
}

function checkApprovals(
  { approvals: asked, form: fields = [], escalation: step }: HumanParams,
  path: string,
  report: Report,
) {
  if (!asked) return;
  const { required = 1, assignees = [], roles = [], decision = 'approved' } = asked;
  const field = fields.find((one) => one.name === decision);
  if (field?.type !== 'boolean' || field.required !== true) {
    const message = `The form needs a required boolean field "${decision}": it says yes or no.`;
    report(at(at(path, 'approvals'), 'decision'), 'decision_field', message);
  }
  const people = [...assignees, ...(step?.to ?? [])];
  const named = roles.length === 0 && assignees.length > 0 && !people.some(isTemplate);
  if (named && new Set(people.map((one) => one.toLowerCase())).size < required) {
    const message = `${required} approvals are needed, but there are fewer assignees.`;
    report(at(at(path, 'approvals'), 'required'), 'max', message);
  }
}

/** Reports a form that no agent can fill in: one with votes, which people have, or with a field that is not flat. */
function checkAgents(
  { agentMayAnswer, approvals: asked, form: fields = [] }: HumanParams,
  path: string,
  report: Report,
): void {
  if (agentMayAnswer !== true) return;
  const where = at(path, 'agentMayAnswer');
  if (asked) report(where, 'needs_people', 'Only people can give approvals; an agent cannot.');
  const deep = fields.find(({ type }) => type === 'json' || type === 'file');
  if (deep)
    report(
      where,
      'flat_form',
      `The field "${deep.name}" is of type ${deep.type}, which no agent can fill in.`,
    );
  if (fields.length === 0) report(where, 'flat_form', 'There is no form that an agent could fill in.');
}

/** Reports times after the deadline, when nothing is sent any more, and reminders that no receiver would get. */
function checkTimes(given: HumanParams, path: string, report: Report): void {
  const { reminders = [], escalation: step, expiresAfter, approvals: asked, notify: receivers } = given;
  const endMs =
    typeof expiresAfter === 'string' && isTemplate(expiresAfter) ? undefined : durationMs(expiresAfter);
  const check = (value: string | number, where: string) => {
    if (endMs !== undefined && (durationMs(value) ?? 0) >= endMs)
      report(where, 'after_expiry', 'It is not before expiresAfter.');
  };
  reminders.forEach((value, i) => check(value, at(at(path, 'reminders'), i)));
  if (step) check(step.after, at(at(path, 'escalation'), 'after'));
  if (step && !asked)
    report(
      at(path, 'escalation'),
      'needs_approvals',
      'An escalation needs approvals: without them nobody has to answer.',
    );
  if (reminders.length > 0 && !asked && !receivers)
    report(at(path, 'reminders'), 'needs_notify', 'There is nobody to remind: set notify or approvals.');
}
