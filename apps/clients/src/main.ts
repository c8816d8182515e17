import { execFileSync } from 'node:child_process';
import { writeClients } from './generate.ts';
import { packCli } from './package-cli.ts';
import { packSdk } from './package-sdk.ts';

const usage = `npm run clients             writes the generated sources of the clients anew
npm run clients -- pack     packs what is published into dist/packages
npm run clients -- publish  packs and publishes; words behind it go to npm publish, as --dry-run
`;

const [command = 'generate', ...words] = process.argv.slice(2);
const packAll = async () => [await packSdk('dist/packages/sdk'), await packCli('dist/packages/cli')];

if (command === 'generate') await writeClients();
else if (command === 'pack') for (const tarball of await packAll()) process.stdout.write(`${tarball}\n`);
else if (command === 'publish') {
  for (const tarball of await packAll())
    execFileSync('npm', ['publish', tarball, '--access', 'public', ...words], { stdio: 'inherit' });
} else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
