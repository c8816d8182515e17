import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import type { EntityManager } from 'typeorm';
import { pickTemplates } from '#libs/language/definition/blocks/registry';
import { missingSecret } from '#libs/language/definition/checks/named-things';
import { costMax, Meter } from '#libs/language/definition/expressions/cost';
import { renderParams } from '#libs/language/definition/expressions/expressions';
import type { ActivityEffect, SentValue } from '#libs/language/engine/effects';
import { requireRendered } from '#libs/language/engine/scope';
import { toSent } from '#libs/language/engine/visits';
import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { readClockMs } from '#libs/platform/clock/database-clock';
import type { CallGate } from '#libs/platform/egress/egress';
import { RunAdvance } from '#libs/runs/executions/advance/run-advance';
import type { EffectCommits } from '#libs/runs/executions/direct/effect-door';
import { AtMostOnceClaims } from '#libs/runs/executions/record/at-most-once-claims';
import { buildCallName, EffectCheckpoints } from '#libs/runs/executions/record/effect-checkpoints';
import { findExcess, type Packed } from '#libs/runs/executions/record/pack';
import { Payloads } from '#libs/runs/executions/record/payloads';
import { storable } from '#libs/runs/executions/record/storable';
import { Secrets } from '#libs/workspace/secrets/secrets';
import type { RunKey } from '#temporal/activities';
import { BlockLogLines, toVisit } from './block-log-lines.ts';
import { countedAttempt, type EffectTask } from './effect-task.ts';
import { blockFailure, Committed, type EffectWrites } from './effect-handler.ts';
import { retryWhileUnavailable } from '#libs/platform/database/violations';
import { withoutSecrets } from './redact.ts';
import type { Unread } from '../outputs/large-output.ts';
import { Outputs } from '../outputs/outputs.ts';

/** The attempt repeats a claim whose commit got no reply. The next attempt could not know who made the claim. */
const claimMsMax = 10_000;

/** The details by which one activity carries out an effect. */
export interface ExecutionOptions {
  /** The name of the call for its claim. */
  call: string;
  /** The path of the first effect of its batch; absent in an activity of its own. */
  first?: string;
  /** Stores an output with what it sent. May be called again when the database was away. */
  store: (output: Packed, sent: SentValue | undefined) => Promise<void>;
  /**
   * Carries out a write on this database and commits it with its output. Present when this process carries out the run by itself. Then
   * the step before the effect says that the call may be sent.
   */
  commitWrite?: EffectCommits['commitWrite'];
}

/** The stores that an attempt reads and writes. */
@Injectable()
export class EffectStores {
  constructor(
    readonly payloads: Payloads,
    readonly secrets: Secrets,
    readonly claims: AtMostOnceClaims,
    readonly checkpoints: EffectCheckpoints,
    readonly lines: BlockLogLines,
    readonly runs: RunAdvance,
    readonly outputs: Outputs,
  ) {}
}

/** After so many milliseconds, others may have the work of a process that stood still. */
const doubtfulMs = 5000;

/** One attempt at an effect: reads its parameters, and commits its call, its logs and its output. */
export class EffectAttempt implements EffectWrites, CallGate {
  /** True from the moment when the outside world may have seen the effect. */
  mayHaveActed = false;
  /** The rendered parameters without secrets; undefined before they were read. */
  sent: SentValue | undefined;
  private secrets: Record<string, string> = {};
  private leaveMemory: (() => void) | undefined;
  private hasEnded = false;
  /** The moment until which nobody else had carried the effect out, in the time of `performance`. */
  private wantedAtMs: number;

  constructor(
    private readonly stores: EffectStores,
    readonly run: RunKey,
    readonly effect: ActivityEffect,
    private readonly task: EffectTask,
    private readonly options: ExecutionOptions,
  ) {
    this.wantedAtMs = performance.now() - computeAge(task);
  }

  get signal(): AbortSignal {
    return this.task.signal;
  }

  /** Renders the parameters that are templates. The others stay unchanged. */
  async readParams(): Promise<JsonObject> {
    const { type, params, scope } = this.effect;
    const excess = findExcess(scope);
    if (excess) throw excess;
    this.secrets = await this.stores.secrets.readFor(this.run.workspaceId, params);
    const names = {
      ...objectOf(await this.stores.payloads.resolve(this.run, scope)),
      secrets: this.secrets,
    };
    const templates = pickTemplates(type, params);
    const missing = missingSecret(templates, this.secrets);
    if (missing) throw blockFailure(missing.code, missing.message, { retryable: false });
    const rendered = { ...params, ...renderParams(templates, names, new Meter(costMax)) };
    requireRendered(rendered);
    const shown = this.redact(rendered);
    const sent = toSent(shown);
    if (sent.isCut) sent.whole = await this.stores.payloads.putSent(this.run, this.effect.visit.path, shown);
    this.sent = sent;
    return rendered;
  }

  /**
   * Claims the call before it is sent. The number of attempts proves nothing, because it includes tasks that were lost
   * on their way to a worker. The claim names the Temporal run, so the run after a reset may send the call again.
   */
  async sendOnce(): Promise<void> {
    if (!(await this.claimCall())) {
      const message =
        'A worker was lost while it made this call; it may or may not have arrived, so it is not made again.';
      throw blockFailure('OUTCOME_UNKNOWN', message, { retryable: false });
    }
    this.mayHaveActed = true;
  }

  private async claimCall(): Promise<boolean> {
    if (this.options.commitWrite) return true;
    if (this.effect.mayBeSent && countedAttempt(this.task) === 1) return false;
    const { round } = this.effect;
    // A person who lets the call be made again makes another call.
    const name = round === undefined ? this.options.call : `${this.options.call}/retry-${round}`;
    const call = buildCallName(this.run, name);
    const sender = randomUUID();
    const claim = () => this.stores.claims.claimCall(this.run, call, sender);
    return retryWhileUnavailable(claim, this.signal, claimMsMax);
  }

  async keepLogs(lines: string[]): Promise<void> {
    await this.stores.lines.keepLogs(this.run, this.effect, this.redact(lines));
  }

  async commitOnce(write: (tx: EntityManager) => Promise<Json>): Promise<Committed> {
    const { checkpoints } = this.stores;
    const writeOutput = async (tx: EntityManager) => this.redact(storable(await write(tx)));
    const { commitWrite } = this.options;
    // Nobody knows whether a commit without a reply was made, so the write is not repeated here.
    if (commitWrite) return new Committed(await commitWrite(writeOutput, this.sent));
    const commit = () =>
      checkpoints.commitOnce(this.run, toVisit(this.effect), writeOutput, this.options.first);
    return new Committed(await this.retryUntilStored(commit));
  }

  /** Stores the output of the handler, without secrets. Resolves to the packed output. */
  async storeOutput(output: Json | Committed | Unread): Promise<Json> {
    this.mayHaveActed = true;
    if (output instanceof Committed) return output.packed;
    const { secrets, signal } = this;
    const packed = await this.stores.outputs.pack(this.run.workspaceId, output, { secrets, signal });
    await this.retryUntilStored(() => this.options.store(packed, this.sent));
    return packed.value;
  }

  isDoubtful(): boolean {
    return performance.now() - this.wantedAtMs > doubtfulMs;
  }

  async confirm(): Promise<void> {
    const atMs = performance.now();
    const isTaken = () => this.stores.runs.isTaken(this.run, this.effect.visit.path);
    // A claimed call that is given up now would have an unknown outcome.
    if (await retryWhileUnavailable(isTaken, this.signal, this.mayHaveActed ? claimMsMax : 0))
      throw ApplicationFailure.retryable('Another attempt has carried the block out.', 'SETTLED');
    this.wantedAtMs = atMs;
  }

  async enterMemory(bytes: number, signal: AbortSignal): Promise<void> {
    // Whoever waits holds nothing, so that no two attempts wait for each other.
    this.freeMemory();
    const leave = await this.stores.outputs.enter(this.run.workspaceId, bytes, signal);
    this.freeMemory();
    this.leaveMemory = leave;
    // An answer that was given up may still get its memory.
    if (this.hasEnded) this.freeMemory();
  }

  /** Frees what the attempt holds. */
  endAttempt(): void {
    this.hasEnded = true;
    this.freeMemory();
  }

  private freeMemory(): void {
    this.leaveMemory?.();
    this.leaveMemory = undefined;
  }

  /** A value without the secrets that this attempt has read. */
  redact<T>(value: T): T {
    return withoutSecrets(value, this.secrets);
  }

  /** The effect has been carried out. A database that is away must not lose that. */
  private retryUntilStored<T>(commit: () => Promise<T>): Promise<T> {
    return retryWhileUnavailable(commit, this.signal, this.effect.timeoutMs);
  }
}

/** The age of a task of Temporal, in milliseconds. */
const computeAge = ({ scheduledAtMs }: EffectTask): number =>
  scheduledAtMs === undefined ? 0 : readClockMs() - scheduledAtMs;
