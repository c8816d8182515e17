import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Environment } from '#libs/platform/settings/environment';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import type { Anchor } from '#libs/workspace/audit/anchor';
import type { Holder } from './files.ts';
import { isMac, type Stretching, toMac, toRootKey } from './seal.ts';

/** What a backup holds. It is not encrypted, but nobody without the passphrase can change it. */
export interface Manifest {
  format: 'holdfast-backup-1';
  madeAt: string;
  /** The version of the program, of Postgres and of Temporal. */
  versions: { holdfast: string; postgres: string; pgDump: string };
  /** Where Temporal kept its runs; null: they are not in the backup. */
  temporal: 'sqlite' | 'postgres' | null;
  /** For how long Temporal stood still while the moment of the copy was taken. */
  stoodStillMs: number;
  migrations: string[];
  /** The number of rows of each table. */
  rows: Record<string, number>;
  /** The ids in PAYLOAD_KEYS without which open runs cannot go on. Backups of earlier releases do not name them. */
  payloadKeys?: string[];
  /** Where each chain of the audit log ended, signed. */
  anchors: Anchor[];
  stretching: Stretching;
  files: BackupFile[];
}

export interface BackupFile {
  name: string;
  bytes: number;
  sha256: string;
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export const manifestName = 'manifest.json';
export const secretsName = 'secrets.sealed';
export const databaseName = 'database.dump.sealed';
export const temporalNames = {
  file: 'temporal.db.gz.sealed',
  log: 'temporal.db-wal.gz.sealed',
  database: 'temporal.dump.sealed',
  visibility: 'temporal_visibility.dump.sealed',
};

/** The options that all commands of backups have. */
export interface PassphraseOption {
  passphraseFile?: string;
}

/** A new salt for a new backup. */
export const newStretching = (): Stretching => ({
  N: 2 ** 17,
  r: 8,
  p: 1,
  salt: randomBytes(16).toString('base64'),
});

const passphraseCharsMin = 12;

export function readPassphrase({ passphraseFile }: PassphraseOption): string {
  const { BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE, ...others } = process.env;
  const own = passphraseFile
    ? { BACKUP_PASSPHRASE_FILE: passphraseFile }
    : { BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE };
  const read = new Environment({ ...others, ...own });
  read.required('BACKUP_PASSPHRASE');
  const passphrase = read.secret('BACKUP_PASSPHRASE', '', passphraseCharsMin);
  read.finish();
  return passphrase;
}

/** The manifest as it is written: with a proof that only who knows the passphrase can make. */
export function signedManifest(manifest: Manifest, root: Buffer): string {
  return `${JSON.stringify({ ...manifest, mac: toMac(root, JSON.stringify(manifest)) }, null, 2)}\n`;
}

/** Opens a backup: its manifest, and the key of its files. Refuses a wrong passphrase, and a folder that is no whole backup. */
export async function openBackup(
  holder: Holder,
  option: PassphraseOption,
): Promise<{ manifest: Manifest; root: Buffer }> {
  const { mac = '', ...manifest } = parseManifest(await text(await holder.readFile(manifestName)));
  if (manifest.format !== 'holdfast-backup-1')
    throw new CannotStart(
      `${manifestName} has the format ${JSON.stringify(manifest.format)}, which this release does not know: use the release that made it.`,
    );
  const root = await toRootKey(readPassphrase(option), manifest.stretching);
  if (!isMac(root, JSON.stringify(manifest), mac))
    throw new CannotStart(
      'The passphrase is not that of this backup, or its manifest was changed. Without the passphrase nobody can read the backup: look for it where you keep it, or use another backup.',
    );
  return { manifest, root };
}

function parseManifest(written: string): Manifest & { mac?: string } {
  try {
    return JSON.parse(written) as Manifest & { mac?: string };
  } catch {
    throw new CannotStart(`${manifestName} of the backup is damaged: use another copy of this backup.`);
  }
}
