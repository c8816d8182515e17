import { execFileSync } from 'node:child_process';
import { buildCli, packCli } from './package-cli.ts';
import { packPython } from './package-python.ts';
import { buildSdk, packSdk } from './package-sdk.ts';
import { writePythonClient } from './python-client.ts';
import { findPython } from './python-tools.ts';
import { writeMethods, writeTypes } from './typescript-client.ts';

const usage = `npm run clients                    writes the generated sources of the clients anew
npm run clients -- pack            packs what is published into dist/packages
npm run clients -- publish         packs and publishes; words behind it go to npm publish, as --dry-run. The Python client
                                   needs twine, which only checks it where --dry-run is said.
npm run clients -- build sdk|cli   builds what a package adds to its sources; \`npm pack\` and \`npm publish\` in its folder call it
`;

const [command = 'generate', ...words] = process.argv.slice(2);
const builders = { sdk: buildSdk, cli: buildCli };
const packAll = async () => [await packSdk('dist/packages/sdk'), await packCli('dist/packages/cli')];

async function writeClients(): Promise<void> {
  await writeMethods();
  await writeTypes();
  const python = await findPython();
  if (python) await writePythonClient(python);
  else process.stdout.write('There is no python3 from 3.10 on, so the Python client is not made.\n');
}

/** The wheel and the sources of the Python client; none where there is no Python. */
async function packForPython(): Promise<string[]> {
  const python = await findPython();
  if (python) return Object.values(await packPython(python, 'dist/packages/sdk-python'));
  process.stdout.write('There is no python3 from 3.10 on, so the Python client is not built.\n');
  return [];
}

if (command === 'generate') await writeClients();
else if (command === 'build' && (words[0] === 'sdk' || words[0] === 'cli')) await builders[words[0]]();
else if (command === 'pack') {
  for (const path of [...(await packAll()), ...(await packForPython())]) process.stdout.write(`${path}\n`);
} else if (command === 'publish') {
  for (const tarball of await packAll())
    execFileSync('npm', ['publish', tarball, '--access', 'public', ...words], { stdio: 'inherit' });
  const built = await packForPython();
  const verb = words.includes('--dry-run') ? 'check' : 'upload';
  if (built.length > 0) execFileSync('python3', ['-m', 'twine', verb, ...built], { stdio: 'inherit' });
} else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
