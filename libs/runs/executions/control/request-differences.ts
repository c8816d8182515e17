import { pickTemplates } from '#libs/language/definition/blocks/registry';
import { Meter } from '#libs/language/definition/expressions/cost';
import { ExpressionError, renderParams } from '#libs/language/definition/expressions/expressions';
import { at } from '#libs/language/definition/shapes/shape';
import type { Effect, SentValue } from '#libs/language/engine/effects';
import { toSent } from '#libs/language/engine/visits';
import { isLargerThan } from '#libs/language/engine/scope';
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';
import { countStoredBytes } from '../record/pack.ts';

/** Why the values of a request are not shown. */
export const hiddenReasons = ['role', 'unrecorded', 'large', 'failing'] as const;
type HiddenReason = (typeof hiddenReasons)[number];

/** A visit that would send another request, or ask another question. */
export interface DifferingRequest {
  path: string;
  /** The members that differ, the first ones. */
  members: DifferingMember[];
  /** How many further members differ. */
  more: number;
  /** Null when the values are shown. */
  hidden: HiddenReason | null;
}

interface DifferingMember {
  /** Its place, such as `body.amount`. */
  name: string;
  /** Null when it was not sent, or is not shown. */
  was: SentValue | null;
  is: SentValue | null;
}

/** What an effect asked, and would ask. */
export interface ChangedEffect {
  was: Effect;
  is: Effect;
  /** True when the visit shows what it has sent. */
  isRecorded: boolean;
}

/** What the comparison of requests gets from outside. */
export interface RequestViewer {
  /** True for a caller who may see what visits have sent. */
  seesValues: boolean;
  /** Reads the secrets that parameters mention. */
  readSecrets(params: JsonObject): Promise<Record<string, string>>;
  /** Removes secrets as they are removed from the values of visits. */
  withoutSecrets<T>(value: T, secrets: Record<string, string>): T;
}

/** The most visits of an execution whose members are compared. */
export const comparedMax = 50;
const membersMax = 20;
const nameCharsMax = 200;
/** The most that both sides of a request may hold, in bytes or characters. */
const requestMax = 1024 * 1024;
/** The most that the values of one backtest come to, in characters. */
const answerCharsMax = 2 * 1024 * 1024;
/** A request whose parameters cost more to render is not compared: others of this process wait meanwhile. */
const costMax = 500_000;

/** Compares requests, and bounds what one backtest shows of them. */
export class RequestComparison {
  private charsLeft = answerCharsMax;
  private secrets: Promise<Record<string, string>> | undefined;

  constructor(private readonly viewer: RequestViewer) {}

  /**
   * Returns the members of a request that differ; null when all are equal, once they have their values. `resolve` reads stored values of
   * the execution.
   */
  async compareRequest(
    { was, is, isRecorded }: ChangedEffect,
    resolve: (value: Json) => Promise<Json>,
  ): Promise<DifferingRequest | null> {
    const { path } = was.visit;
    const failing: DifferingRequest = { path, members: [], more: 0, hidden: 'failing' };
    if (countStoredBytes(toRequest(was)) + countStoredBytes(toRequest(is)) > requestMax)
      return { ...failing, hidden: 'large' };
    const secrets = await this.readSecrets([was, is]);
    let both: [Json, Json];
    try {
      both = [await render(was, secrets, resolve), await render(is, secrets, resolve)];
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return failing;
    }
    if (isLargerThan(both, 2 * requestMax)) return { ...failing, hidden: 'large' };
    const found: Difference[] = [];
    const count = collectDifferences(both, '', found);
    if (count === 0) return null;
    const members = this.viewer.withoutSecrets(found, secrets).map(toMember);
    const chars = JSON.stringify(members).length;
    const hidden = this.hides(isRecorded, chars);
    if (!hidden) this.charsLeft -= chars;
    return {
      path,
      members: hidden ? members.map(({ name }) => ({ name, was: null, is: null })) : members,
      more: count - members.length,
      hidden,
    };
  }

  private hides(isRecorded: boolean, chars: number): HiddenReason | null {
    if (!this.viewer.seesValues) return 'role';
    if (!isRecorded) return 'unrecorded';
    return chars > this.charsLeft ? 'large' : null;
  }

  private async readSecrets(effects: Effect[]): Promise<Record<string, string>> {
    const params = effects.flatMap((effect) => (effect.kind === 'activity' ? [effect.params] : []));
    if (!JSON.stringify(params).includes('secrets')) return {};
    return (this.secrets ??= this.viewer.readSecrets({ params }));
  }
}

/** Returns what an effect asks of others, before its templates have their values; null when it asks nothing. */
export function toRequest(effect: Effect): JsonObject | null {
  switch (effect.kind) {
    case 'activity':
      return { type: effect.type, params: effect.params, scope: effect.scope };
    case 'child':
      return { workflowId: effect.workflowId, inputs: effect.inputs };
    case 'pause': {
      const { title, message, fields, form, asking = null } = effect;
      return { title, message, fields, form, asking } as unknown as JsonObject;
    }
    case 'evaluate':
    case 'wait':
      return null;
  }
}

/** Returns a request with its values, as its visit shows it; a change of the type of its block is a member too. */
async function render(
  effect: Effect,
  secrets: Record<string, string>,
  resolve: (value: Json) => Promise<Json>,
): Promise<Json> {
  if (effect.kind !== 'activity') return resolve(toRequest(effect));
  const { type, params } = effect;
  const names = { ...objectOf(await resolve(effect.scope)), secrets };
  const rendered = renderParams(pickTemplates(type, params), names, new Meter(costMax));
  return { ...params, ...rendered, blockType: type };
}

/** A member that one of two requests may lack. */
type Difference = [name: string, was: Json | undefined, is: Json | undefined];

/** Adds the first members that differ, and returns how many do. */
function collectDifferences([was, is]: [Json?, Json?], name: string, found: Difference[]): number {
  if (was === is) return 0;
  if ((isObject(was) && isObject(is)) || (Array.isArray(was) && Array.isArray(is))) {
    const [former, now] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
    let count = 0;
    for (const step of new Set([...former.keys(), ...now.keys()]))
      count += collectDifferences(
        [former.get(step), now.get(step)],
        at(name, Array.isArray(was) ? Number(step) : step),
        found,
      );
    return count;
  }
  if (found.length < membersMax) found.push([name, was, is]);
  return 1;
}

const toMember = ([name, was, is]: Difference): DifferingMember => ({
  name: cutText(name, nameCharsMax),
  was: was === undefined ? null : toSent(was),
  is: is === undefined ? null : toSent(is),
});
