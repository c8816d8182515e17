import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';
import {
  type DataKey,
  masterKey,
  newDataKey,
  open,
  parseKeyVersion,
  seal,
  type SealedCell,
  unwrapDataKey,
  type WrappedKey,
} from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';

/** The keys of workspaces that seal values in rows. The master key seals the keys. */
@Injectable()
export class DataKeys {
  private readonly master: DataKey;

  constructor(settings: Settings) {
    this.master = masterKey(settings.secret);
  }

  /** Seals a text for one cell of the workspace, in an open transaction. Makes the first key of a workspace. */
  async seal(tx: EntityManager, text: string, cell: SealedCell): Promise<string> {
    const { workspace } = cell;
    const fresh = newDataKey(this.master, workspace);
    await send(
      tx,
      'insert into data_keys (workspace_id, version, wrapped) values ($1, $2, $3) on conflict do nothing',
      [workspace, fresh.key.version, fresh.wrapped],
    );
    const keys = [...(await this.read(tx, workspace)).values()];
    const newest = keys.reduce((one, key) => (key.version > one.version ? key : one), keys[0] ?? fresh.key);
    return seal(newest, text, cell);
  }

  /** Reads the keys of the workspace. Returns a function that opens sealed values. It throws `Unsealable`. */
  async buildOpener(
    tx: EntityManager,
    workspaceId: string,
  ): Promise<(sealed: string, cell: SealedCell) => string> {
    const keys = await this.read(tx, workspaceId);
    return (sealed, cell) => {
      const key = keys.get(parseKeyVersion(sealed));
      if (!key) throw new Error(`The data key of ${cell.table} ${cell.row} is missing.`);
      return open(key, sealed, cell).toString('utf8');
    };
  }

  private async read(tx: EntityManager, workspaceId: string): Promise<Map<number, DataKey>> {
    const rows = await send<WrappedKey>(
      tx,
      'select version, wrapped from data_keys where workspace_id = $1',
      [workspaceId],
    );
    return new Map(rows.map((row) => [row.version, unwrapDataKey(this.master, workspaceId, row)]));
  }
}
