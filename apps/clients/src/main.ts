import { writeClients } from './generate.ts';
import { packCli } from './package-cli.ts';
import { packSdk } from './package-sdk.ts';

const usage = `npm run clients             writes the generated sources of the clients anew
npm run clients -- pack     packs what is published into dist/packages
`;

const [command = 'generate'] = process.argv.slice(2);
if (command === 'generate') await writeClients();
else if (command === 'pack') {
  for (const tarball of [await packSdk('dist/packages/sdk'), await packCli('dist/packages/cli')])
    process.stdout.write(`${tarball}\n`);
} else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
