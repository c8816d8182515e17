import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './paths.ts';

/** The keys that the first start makes, and prints once. */
export interface FirstAccess {
  workspace: { id: string; name: string };
  keys: { workspace: string; personal: string };
  /** Signs in the person who opens it first. */
  ownerLink: string;
}

/**
 * Runs the API's set-up program: migrations, namespace, search attributes, first workspace. Resolves to the
 * workspace when this run made it. Throws with the program's last lines when it fails.
 */
export function setUp(env: NodeJS.ProcessEnv, log: string): Promise<FirstAccess | undefined> {
  const program = join(checkout(), 'dist/apps/api/src/commands/setup.js');
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['--enable-source-maps', program],
      { env, cwd: checkout() },
      (error, out, errors) => {
        process.off('exit', abandon);
        writeFileSync(log, errors);
        if (!error) return resolve(firstWorkspace(out));
        reject(
          new Error(
            `The set-up failed:\n${errors.trim().split('\n').slice(-15).join('\n') || error.message}`,
          ),
        );
      },
    );
    const abandon = () => child.kill();
    process.once('exit', abandon);
  });
}

function firstWorkspace(output: string): FirstAccess | undefined {
  const answer = JSON.parse(output.trim().split('\n').at(-1) || '{}') as Partial<FirstAccess>;
  const { workspace, keys, ownerLink } = answer;
  return workspace && keys && ownerLink ? { workspace, keys, ownerLink } : undefined;
}
