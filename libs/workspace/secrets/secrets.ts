import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import {
  parseKeyVersion,
  masterKey,
  newDataKey,
  open,
  seal,
  unwrapDataKey,
  type DataKey,
  type WrappedKey,
} from '#libs/platform/crypto/crypto';

export interface SecretName {
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The secrets of a workspace, for its effect blocks. A value is decrypted only for a request that is being sent. */
@Injectable()
export class Secrets {
  private readonly master: DataKey;

  constructor(
    private readonly database: Database,
    settings: Settings,
  ) {
    this.master = masterKey(settings.secret);
  }

  /** Lists the names. The API never returns a value. */
  list(workspaceId: string): Promise<SecretName[]> {
    return this.database.within(workspaceId, (tx) =>
      tx.query(
        'select name, created_at as "createdAt", updated_at as "updatedAt" from secrets where workspace_id = $1 order by name',
        [workspaceId],
      ),
    );
  }

  /** Creates the secret or gives it a new value. */
  async put(workspaceId: string, name: string, value: string): Promise<SecretName> {
    return this.database.within(workspaceId, async (tx) => {
      const [{ others }] = await tx.query(countOthers, [workspaceId, name]);
      if (others >= secretsMax)
        throw new Conflict(
          `A workspace has at most ${secretsMax} secrets; delete one first.`,
          'TOO_MANY_SECRETS',
        );
      const key = await this.newestKey(tx, workspaceId);
      const sealed = seal(key, value, place(workspaceId, name));
      const rows: SecretName[] = await tx.query(putSecret, [workspaceId, name, sealed]);
      if (!rows[0]) throw new NotFound('secret');
      return rows[0];
    });
  }

  async delete(workspaceId: string, name: string): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const [, count]: [unknown, number] = await tx.query(
        'delete from secrets where workspace_id = $1 and name = $2',
        [workspaceId, name],
      );
      if (count === 0) throw new NotFound('secret');
    });
  }

  /** The value of one secret, for a request that is being sent; null when there is no such secret. */
  async read(workspaceId: string, name: string): Promise<string | null> {
    const values = await this.readFor(workspaceId, { secrets: name });
    return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
  }

  /** The values of all secrets by name, for the parameters of a block. Reads nothing if the parameters mention no secret. */
  async readFor(workspaceId: string, params: JsonObject): Promise<Record<string, string>> {
    if (!JSON.stringify(params).includes('secrets')) return {};
    return this.database.within(workspaceId, async (tx) => {
      const rows: { name: string; sealed: string }[] = await tx.query(
        'select name, sealed from secrets where workspace_id = $1',
        [workspaceId],
      );
      const keys = await this.keys(tx, workspaceId);
      return Object.fromEntries(
        rows.map(({ name, sealed }) => {
          const key = keys.get(parseKeyVersion(sealed));
          if (!key) throw new Error(`The data key of the secret ${name} is missing.`);
          return [name, open(key, sealed, place(workspaceId, name)).toString('utf8')];
        }),
      );
    });
  }

  private async newestKey(tx: EntityManager, workspaceId: string): Promise<DataKey> {
    const fresh = newDataKey(this.master, workspaceId);
    await tx.query(
      'insert into data_keys (workspace_id, version, wrapped) values ($1, $2, $3) on conflict do nothing',
      [workspaceId, fresh.key.version, fresh.wrapped],
    );
    const keys = [...(await this.keys(tx, workspaceId)).values()];
    return keys.reduce((newest, key) => (key.version > newest.version ? key : newest), keys[0] ?? fresh.key);
  }

  private async keys(tx: EntityManager, workspaceId: string): Promise<Map<number, DataKey>> {
    const rows: WrappedKey[] = await tx.query(
      'select version, wrapped from data_keys where workspace_id = $1',
      [workspaceId],
    );
    return new Map(rows.map((row) => [row.version, unwrapDataKey(this.master, workspaceId, row)]));
  }
}

const place = (workspace: string, row: string) => ({ workspace, table: 'secrets', row, column: 'sealed' });

/** The most secrets of a workspace. Each output of a block that uses a secret is searched for all of them. */
const secretsMax = 100;

const countOthers = /* sql */ `
select count(*)::int as others from secrets where workspace_id = $1 and name <> $2`;

const putSecret = /* sql */ `
insert into secrets (workspace_id, name, sealed) values ($1, $2, $3)
on conflict (workspace_id, name) do update set sealed = excluded.sealed, updated_at = now()
returning name, created_at as "createdAt", updated_at as "updatedAt"`;
