import { writeClients } from './generate.ts';
import { packSdk } from './package-sdk.ts';

const usage = `npm run clients             writes the generated sources of the clients anew
npm run clients -- pack     packs what is published into dist/packages
`;

const [command = 'generate'] = process.argv.slice(2);
if (command === 'generate') await writeClients();
else if (command === 'pack') process.stdout.write(`${await packSdk('dist/packages/sdk')}\n`);
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
