import { checkAnswers } from '#libs/language/definition/answers';
import { effectTypes } from '#libs/language/definition/blocks/registry';
import { findBlock, type PlanBlock } from '#libs/language/definition/plan';
import type { Effect, EvaluateEffect } from '#libs/language/engine/effects';
import type { LoggedEvent, LoggedRun, LoggedStep } from '#libs/language/engine/logged-run';
import { hasRoom, keepCounting, type RunEvent } from '#libs/language/engine/run-events';
import { answerByScript } from '#libs/language/engine/script';
import type { EditedVisit } from '#libs/language/engine/state';
import { Conflict, Invalid } from '#libs/platform/errors/errors';
import { type Json, objectOf } from '#libs/platform/json/json';
import { renewRefs } from '../record/pack.ts';

/**
 * The ends of effects that a run need not find out again, by path. The path of a container's query ends in `#` and the query,
 * and that of a question about a failed call in `!` and its number.
 */
export type KnownEnds = Map<string, RunEvent>;

/** The types of blocks whose output comes from outside, so that a person can give it. */
export const outsideTypes: ReadonlySet<string> = new Set([...effectTypes, 'human', 'workflow']);

/** The visit that is given an output, which is then not carried out. */
export interface GivenOutput {
  path: string;
  output: Json;
}

/** The ends in a log of the visits that `isKept` accepts. */
export function findKnownEnds(events: LoggedEvent[], isKept: (path: string) => boolean): KnownEnds {
  const known: KnownEnds = new Map();
  for (const { event } of keepCounting(events)) {
    if (!('path' in event) || event.kind === 'rests' || !isKept(event.path.split(/[#!]/, 1)[0] ?? ''))
      continue;
    const { ran: _, ...end } = event;
    known.set(event.path, end);
  }
  return known;
}

/** The ends with references of their own, and which stored value each new reference names. */
export function renewReferences(known: KnownEnds): { known: KnownEnds; copies: Map<string, string> } {
  const { value, copies } = renewRefs([...known] as unknown as Json);
  return { known: new Map(value as unknown as [string, RunEvent][]), copies };
}

/** Runs from the start, with the known ends and a given output, up to the first effects that nobody knows. Returns all that has followed as one step. */
export function replayKnownEnds(
  run: LoggedRun,
  known: KnownEnds,
  {
    given,
    edited,
    nowMs,
  }: { given?: GivenOutput | undefined; edited?: EditedVisit | undefined; nowMs: number },
): LoggedStep {
  return join(run, replayFrom(run, toStarted(edited), new Map(known), { given, nowMs }));
}

/** Does so, and takes for a block over stored values the end that `evaluate` returns; null leaves the block open. */
export async function replayEvaluating(
  run: LoggedRun,
  known: KnownEnds,
  { edited, nowMs }: { edited?: EditedVisit | undefined; nowMs: number },
  evaluate: (effect: EvaluateEffect) => Promise<RunEvent | null>,
): Promise<LoggedStep> {
  const left = new Map(known);
  const steps: LoggedStep[] = [];
  const tried = new Set<string>();
  for (let event: RunEvent | null = toStarted(edited); event;) {
    steps.push(...replayFrom(run, event, left, { nowMs, computes: true }));
    event = null;
    for (const effect of run.run.openEffects) {
      if (effect.kind !== 'evaluate' || tried.has(effect.visit.path)) continue;
      tried.add(effect.visit.path);
      event = await evaluate(effect);
      if (event) break;
    }
  }
  return join(run, steps);
}

const toStarted = (edited: EditedVisit | undefined): RunEvent => ({
  kind: 'started',
  ...(edited ? { edited } : {}),
});

/** Takes an event and what is known after it. Takes out of `left` what it has used. */
function replayFrom(
  run: LoggedRun,
  first: RunEvent,
  left: KnownEnds,
  options: { given?: GivenOutput | undefined; nowMs: number; computes?: true },
): LoggedStep[] {
  // What is known comes before the script of a test.
  const advance = (event: RunEvent) => run.advance([event], options.nowMs, { isScripted: false });
  const steps = [advance(first)];
  for (let event = findNext(run, left, options); event; event = findNext(run, left, options))
    steps.push(advance(event));
  return steps;
}

/** With `computes` the caller computes what blocks over stored values give. */
function findNext(
  run: LoggedRun,
  left: KnownEnds,
  { given, computes }: { given?: GivenOutput | undefined; computes?: true },
): RunEvent | null {
  if (hasRoom(run.run)) return { kind: 'continued' };
  for (const effect of run.run.openEffects) {
    const { path } = effect.visit;
    if (computes && effect.kind === 'evaluate') continue;
    if (given?.path === path) return toEnd(effect, given.output);
    const end = left.get(path);
    left.delete(path);
    if (end) return end;
  }
  return answerByScript(run.plan, run.run) ?? null;
}

/** The end of an effect with an output that a person gives. Throws when the block cannot have it. */
function toEnd(effect: Effect, output: Json): RunEvent {
  const { path } = effect.visit;
  if (effect.kind === 'activity' || effect.kind === 'child') return { kind: 'succeeded', path, output };
  if (effect.kind !== 'pause') throw noOutput(path);
  const { answers, details } = checkAnswers(effect.form, objectOf(output));
  if (details.length > 0)
    throw new Invalid(
      details.map((detail) => ({ ...detail, path: detail.path.replace(/^input/, 'output') })),
    );
  return { kind: 'answered', path, answers };
}

export const noOutput = (path: string) =>
  new Conflict(
    `The block at ${path} only computes, so it takes no output: change the workflow, deploy it, and fork into that version.`,
    'TAKES_NO_OUTPUT',
  );

function join({ blocks }: LoggedRun, steps: LoggedStep[]): LoggedStep {
  const visits = new Map(steps.flatMap((step) => step.visits).map((visit) => [visit.path, visit]));
  return {
    logged: steps.flatMap(({ logged }) => logged),
    atMs: Math.max(...steps.map(({ atMs }) => atMs)),
    visits: [...visits.values()].toSorted((a, b) => a.seq - b.seq),
    lines: blocks.all,
    begun: steps.flatMap(({ begun }) => begun),
    cancelled: steps.flatMap(({ cancelled }) => cancelled),
    more: false,
  };
}

/** True when a visit is in another branch of a parallel around the other visit, so that neither waits for the other. */
export function isIndependent(blocks: PlanBlock[], path: string, other: string): boolean {
  const [mine, others] = [passesOf(path), passesOf(other)];
  const at = mine.findIndex((pass, i) => pass !== others[i]);
  const [pass, otherPass] = [mine[at], others[at]];
  if (pass === undefined || otherPass === undefined) return false;
  const [id, otherId] = [pass, otherPass].map((one) => one.replace(/\[\d+\]$/, ''));
  return id === otherId && id !== undefined && findBlock(blocks, id)?.type === 'parallel';
}

/** The passes around a visit, the outermost first: `box[1]`. */
const passesOf = (path: string): string[] => path.split('@')[1]?.split('/') ?? [];
