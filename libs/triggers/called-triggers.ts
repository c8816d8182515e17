import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { keyedHash, type SealedCell } from '#libs/platform/crypto/crypto';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { Database } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { isGranted } from '#libs/workspace/auth/caller';
import { changedCallers } from '#libs/workspace/auth/callers';
import type { Role } from '#libs/workspace/auth/people.entity';
import { DataKeys } from '#libs/workspace/secrets/data-keys';
import { Secrets } from '#libs/workspace/secrets/secrets';
import { roleOfPrincipal } from './principal.ts';
import type { FormSettings, Trigger, WebhookSettings } from './trigger.entity.ts';

/** A trigger as its address found it, with the secrets that are valid now. */
export interface CalledTrigger extends Pick<
  Trigger,
  'id' | 'workspaceId' | 'workflowId' | 'status' | 'note' | 'actor' | 'inputs' | 'filter' | 'revision'
> {
  webhook: WebhookSettings | null;
  form: FormSettings | null;
  secrets: string[];
  plan: string;
  /** True while the principal may execute workflows of the workspace. */
  mayExecute: boolean;
}

/** A trigger whose address takes webhooks. */
export type CalledWebhook = CalledTrigger & { webhook: WebhookSettings };

/** A trigger whose address shows a form. */
export type CalledForm = CalledTrigger & { form: FormSettings };

/** A trigger is found anew after this time, like the caller of a key. A change of it is known at once. */
const cacheMs = 5000;
const cacheMax = 10_000;
const unknownMs = 60_000;
const changed = 'triggers';
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Finds triggers by their addresses, and remembers them for a while. */
@Injectable()
export class CalledTriggers {
  private readonly called = new LRUCache<string, CalledTrigger>({ max: cacheMax, ttl: cacheMs });
  private readonly unknown = new LRUCache<string, true>({ max: cacheMax, ttl: unknownMs });
  /** Grows with each change that this process hears of. */
  private changes = 0;

  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
    private readonly workspaceSecrets: Secrets,
    private readonly notifier: CompletionNotifier,
    private readonly settings: Settings,
  ) {
    notifier.onNotice(changedCallers, () => this.forgetHere());
    notifier.onNotice(changed, () => this.forgetHere());
  }

  /** The trigger of an address, when this process has read it lately. */
  recall(token: string): CalledTrigger | undefined {
    return tokenPattern.test(token) ? this.called.get(toTokenDigest(this.settings, token)) : undefined;
  }

  /** The trigger of an address for webhooks. Throws `NotFound` for an address that none has. */
  async findWebhook(token: string): Promise<CalledWebhook> {
    const { webhook, ...trigger } = await this.findByToken(token);
    if (!webhook) throw new NotFound('trigger');
    return { ...trigger, webhook };
  }

  /** The trigger of the address of a form. Throws `NotFound` for an address that none has. */
  async findForm(token: string): Promise<CalledForm> {
    const { form, ...trigger } = await this.findByToken(token);
    if (!form) throw new NotFound('trigger');
    return { ...trigger, form };
  }

  /** The trigger of an address. Throws `NotFound` for an address that none has. */
  async findByToken(token: string): Promise<CalledTrigger> {
    if (!tokenPattern.test(token)) throw new NotFound('trigger');
    const digest = toTokenDigest(this.settings, token);
    const known = this.called.get(digest);
    if (known) return known;
    if (this.unknown.has(digest)) throw new NotFound('trigger');
    const before = this.changes;
    const [row] = await this.database.systemUnflushed<CalledRow>(findCalled, [digest]);
    if (!row) {
      if (before === this.changes) this.unknown.set(digest, true);
      throw new NotFound('trigger');
    }
    const { secret, formerSecret, role, ...trigger } = row;
    const cell = cellOfSecret(row.workspaceId, row.id);
    const sealed = [secret, formerSecret].filter((value) => value !== null);
    const named = row.webhook?.secretName;
    const secrets = named
      ? [await this.workspaceSecrets.read(row.workspaceId, named)].filter((value) => value !== null)
      : sealed.length === 0
        ? []
        : await this.openSecrets(row.workspaceId, sealed, cell);
    const found = { ...trigger, secrets, mayExecute: role !== null && isGranted(role, 'execute') };
    if (before === this.changes) this.called.set(digest, found);
    return found;
  }

  private openSecrets(workspaceId: string, sealed: string[], cell: SealedCell): Promise<string[]> {
    return this.database.within(workspaceId, async (tx) => {
      const open = await this.keys.buildOpener(tx, workspaceId);
      return sealed.map((value) => open(value, cell));
    });
  }

  /** Forgets what this process and the others remember of triggers. */
  async forget(): Promise<void> {
    this.forgetHere();
    await this.notifier.notifyOthers(changed);
  }

  /** Forgets also addresses that led to nothing, because a deploy may have brought them back. */
  private forgetHere(): void {
    this.changes++;
    this.called.clear();
    this.unknown.clear();
  }
}

type CalledRow = Omit<CalledTrigger, 'secrets' | 'mayExecute'> & {
  secret: string | null;
  formerSecret: string | null;
  role: Role | null;
};

/** The place of the secret of a trigger. */
export const cellOfSecret = (workspace: string, row: string) => ({
  workspace,
  table: 'triggers',
  row,
  column: 'secret',
});

/** The keyed hash of a token. The database stores it instead of the token. */
export const toTokenDigest = ({ secret }: Pick<Settings, 'secret'>, token: string): string =>
  keyedHash(secret, 'hook-token', token);

/** The trigger of a token, and the role of its principal. A former token is valid until its end, and so is a former secret. $1 digest */
const findCalled = /* sql */ `
select t.id, t.workspace_id as "workspaceId", t.workflow_id as "workflowId", t.status, t.note, t.actor, t.inputs, t.filter, t.webhook, t.form,
  t.revision, t.secret, case when t.former_secret_until > now() then t.former_secret end as "formerSecret", w.plan,
  ${roleOfPrincipal('t')} as role
from triggers t join workspaces w on w.id = t.workspace_id
where t.left_out_at is null and (t.token_digest = $1 or (t.former_token_digest = $1 and t.former_token_until > now()))`;
