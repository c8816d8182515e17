import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { settingsOrExit } from '#libs/platform/settings/boot';
import { createOwnerLink } from '#libs/workspace/sign-in/owner-link';

const usage = `npm run owner-link                          prints a link that signs in the owner: the first admin of the oldest workspace
npm run owner-link -- --email ADDRESS       prints a link for the admin with this mail address
npm run owner-link -- --set-email ADDRESS   gives the owner this mail address, and prints a link

Who opens the link first has signed in. It works once, for an hour.
`;

/** Prints a link by which an admin signs in. A person who may run commands here may do everything anyway. */
const { values } = parseArgs({
  options: { email: { type: 'string' }, 'set-email': { type: 'string' }, help: { type: 'boolean' } },
});
const newEmail = values['set-email'] ?? null;

if (values.help) process.stdout.write(usage);
else if (newEmail !== null && !/^[^\s@]+@[^\s@]+$/.test(newEmail)) {
  process.stderr.write(`${JSON.stringify(newEmail)} is no mail address.\n`);
  process.exitCode = 2;
} else {
  const link = await createOwnerLink(settingsOrExit(), { email: values.email ?? null, newEmail });
  if (link) process.stdout.write(`${JSON.stringify(link)}\n`);
  else {
    process.stderr.write('There is no such admin. `npm run workspaces -- list` shows the workspaces.\n');
    process.exitCode = 2;
  }
}
