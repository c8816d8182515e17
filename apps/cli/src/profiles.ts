import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { foreignText } from '#libs/platform/text/foreign-text';
import { UsageError } from './exit.ts';

/** The address of one installation, and the key for it. */
export interface Profile {
  url: string;
  apiKey: string;
  workspaceId?: string;
}

interface ProfileFile {
  current: string;
  profiles: Record<string, Profile>;
}

/** The place of the profiles: HOLDFAST_CONFIG_DIR, else the folder where this system keeps settings of a person. */
export function profilePath(env: NodeJS.ProcessEnv): string {
  const folder =
    env['HOLDFAST_CONFIG_DIR'] ?? join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'holdfast');
  return join(folder, 'profiles.json');
}

export async function readProfiles(path: string): Promise<ProfileFile> {
  let text: string;
  try {
    text = foreignText(await readFile(path));
  } catch {
    return { current: 'default', profiles: {} };
  }
  try {
    const { current, profiles } = JSON.parse(text) as Partial<ProfileFile>;
    return { current: current ?? 'default', profiles: profiles ?? {} };
  } catch {
    throw new UsageError(`${path} is no JSON. Mend it, or delete it and log in again.`);
  }
}

/** Keys are in it, so nobody but its owner may read it, at no moment. */
export async function writeProfiles(path: string, profiles: ProfileFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, path);
}

/** Options that name an installation, as every command takes them. */
export interface ConnectionOptions {
  profile?: string;
  url?: string;
  key?: string;
  workspace?: string;
}

/** The installation that a command means: its options first, then the environment, then the profile. Throws UsageError where none is known. */
export async function findProfile(options: ConnectionOptions, env: NodeJS.ProcessEnv): Promise<Profile> {
  const { current, profiles } = await readProfiles(profilePath(env));
  const name = options.profile ?? env['HOLDFAST_PROFILE'] ?? current;
  const stored = profiles[name];
  if (options.profile !== undefined && !stored)
    throw new UsageError(`There is no profile ${name}. Make it with: holdfast login --profile ${name}`);
  const url = options.url ?? env['HOLDFAST_URL'] ?? stored?.url;
  const apiKey = options.key ?? env['HOLDFAST_API_KEY'] ?? stored?.apiKey;
  const workspaceId = options.workspace ?? env['HOLDFAST_WORKSPACE_ID'] ?? stored?.workspaceId;
  if (!url || !apiKey)
    throw new UsageError(
      'No installation is known. Log in with: holdfast login, or set HOLDFAST_URL and HOLDFAST_API_KEY.',
    );
  // A stored key is for its own address, and must not go to another.
  if (stored && apiKey === stored.apiKey && url !== stored.url && !options.key && !env['HOLDFAST_API_KEY'])
    throw new UsageError(`The stored key is for ${stored.url}. Give --key for ${url}, or log in there.`);
  return { url, apiKey, ...(workspaceId ? { workspaceId } : {}) };
}
