import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { DataKeys } from './data-keys.ts';

export interface SecretName {
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The secrets of a workspace, for its effect blocks. A value is decrypted only for a request that is sent, or to be removed from one that is shown. */
@Injectable()
export class Secrets {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  /** Lists the names. The API never returns a value. */
  list(workspaceId: string): Promise<SecretName[]> {
    return this.database.statement(
      workspaceId,
      'select name, created_at as "createdAt", updated_at as "updatedAt" from secrets where workspace_id = $1 order by name',
      [workspaceId],
    );
  }

  /** Creates the secret or gives it a new value. */
  async put(workspaceId: string, name: string, value: string): Promise<SecretName> {
    return this.database.within(workspaceId, async (tx) => {
      const [row] = await send<{ others: number }>(tx, countOthers, [workspaceId, name]);
      if (row && row.others >= secretsMax)
        throw new Conflict(
          `A workspace has at most ${secretsMax} secrets; delete one first.`,
          'TOO_MANY_SECRETS',
        );
      const sealed = await this.keys.seal(tx, value, place(workspaceId, name));
      const rows = await send<SecretName>(tx, putSecret, [workspaceId, name, sealed]);
      if (!rows[0]) throw new NotFound('secret');
      return rows[0];
    });
  }

  async delete(workspaceId: string, name: string): Promise<void> {
    const deleted = await this.database.statement(
      workspaceId,
      'delete from secrets where workspace_id = $1 and name = $2 returning name',
      [workspaceId, name],
    );
    if (deleted.length === 0) throw new NotFound('secret');
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
      const rows = await send<{ name: string; sealed: string }>(
        tx,
        'select name, sealed from secrets where workspace_id = $1',
        [workspaceId],
      );
      const openSealed = await this.keys.buildOpener(tx, workspaceId);
      return Object.fromEntries(
        rows.map(({ name, sealed }) => [name, openSealed(sealed, place(workspaceId, name))]),
      );
    });
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
