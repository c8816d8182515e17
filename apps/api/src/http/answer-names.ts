import { Injectable } from '@nestjs/common';
import { nameOfActor } from '#libs/platform/database/actor-context';
import { Database } from '#libs/platform/database/database';
import { isObject } from '#libs/platform/json/json';
import type { Envelope } from './api-result.ts';
import { fieldRules, type NameRule, nameRules, nestedFields } from './fields.ts';

/** Where an answer has names: in fields of its own, or in its members. */
interface NamePlan {
  rules: NameRule[];
  members: [name: string, plan: NamePlan][];
}

/** An object of an answer whose field gets a name. */
interface Place {
  object: Record<string, unknown>;
  rule: NameRule;
  /** Empty when nobody acted. */
  id: string;
}

/** Writes the names of people and keys into answers, beside their ids: one statement for each answer that has some. */
@Injectable()
export class AnswerNames {
  private readonly plans = new WeakMap<object, NamePlan | null>();

  constructor(private readonly database: Database) {}

  /** Adds the names to the views of a body, which has one of the shapes. Does not look into the data of tenants. */
  async addNames(workspaceId: string, shapes: Envelope[], body: unknown): Promise<void> {
    const places = shapes.flatMap((shape) => {
      const plan = this.findPlan(shape);
      return plan ? listPlaces(body, plan) : [];
    });
    if (places.length === 0) return;
    const names = await this.findAll(workspaceId, new Set(places.map(({ id }) => id)));
    for (const { object, rule, id } of places) {
      const name = names.get(id) ?? null;
      const { [rule.to]: former } = object;
      object[rule.to] = rule.from === rule.to && isObject(former) ? { ...former, name } : name;
    }
  }

  private async findAll(workspaceId: string, ids: Set<string>): Promise<Map<string, string | null>> {
    ids.delete('');
    if (workspaceId === '' || ids.size === 0) return new Map();
    const rows = await this.database.statement<NameRow>(workspaceId, findNames, [[...ids]]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  private findPlan(envelope: Envelope): NamePlan | null {
    const known = this.plans.get(envelope);
    if (known !== undefined) return known;
    const plan = buildPlan(envelope, []);
    this.plans.set(envelope, plan);
    return plan;
  }
}

interface NameRow {
  id: string;
  name: string | null;
  [column: string]: unknown;
}

const findNames = /* sql */ `select a.id, ${nameOfActor('a.id')} as name from unnest($1::text[]) a (id)`;

/** Builds the plan of an envelope or a view; null when it has no names. A view within itself has none there. */
function buildPlan(shape: Envelope, above: Envelope[]): NamePlan | null {
  if (above.includes(shape)) return null;
  const isView = typeof shape === 'function';
  const rules = isView ? nameRules(shape.prototype) : [];
  const shapes = isView ? listNested(shape) : Object.entries(shape);
  const members = shapes.flatMap(([name, member]): NamePlan['members'] => {
    const one = Array.isArray(member) ? member[0] : member;
    const plan = typeof one === 'string' ? null : buildPlan(one, [...above, shape]);
    return plan ? [[name, plan]] : [];
  });
  return rules.length + members.length > 0 ? { rules, members } : null;
}

function listNested(view: new () => object): [string, new () => object][] {
  return nestedFields(view.prototype).flatMap((name) => {
    const nested = fieldRules(view.prototype, name).shape?.();
    return nested ? [[name, nested]] : [];
  });
}

function listPlaces(value: unknown, plan: NamePlan): Place[] {
  if (Array.isArray(value)) return value.flatMap((one) => listPlaces(one, plan));
  if (!isObject(value)) return [];
  const object = value as Record<string, unknown>;
  const own = plan.rules.flatMap((rule) => {
    const from = object[rule.from];
    if (from === undefined) return [];
    const id = isObject(from) ? from['id'] : from;
    return [{ object, rule, id: typeof id === 'string' ? id : '' }];
  });
  return [...own, ...plan.members.flatMap(([name, one]) => listPlaces(object[name], one))];
}
