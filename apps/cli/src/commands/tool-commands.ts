import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { completeWords, completionScript } from '../completion.ts';
import { UsageError } from '../exit.ts';
import type { CommandSession } from '../session.ts';
import { writeTypes } from '../workflow-types.ts';
import { acting, type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands for developers: types, open, completion. */
export function addToolCommands(program: Command, context: CommandContext): void {
  program
    .command('types')
    .description('Write the TypeScript types of the inputs and outputs of the deployed workflows')
    .option('-o, --output <file>', 'write to this file')
    .addHelpText('after', examples('holdfast types -o src/holdfast-workflows.d.ts'))
    .action(withSession(context, writeWorkflowTypes));
  program
    .command('open <thing> [id]')
    .description('Open a page: docs, reference, execution <id>, pause <id>')
    .option('--print', 'print the address and open nothing')
    .action(withSession(context, openPage));
  program
    .command('completion <shell>')
    .description('Print what makes bash, zsh or fish complete the words of this command')
    .addHelpText(
      'after',
      examples(
        'holdfast completion bash >> ~/.bashrc',
        'holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
      ),
    )
    .action(
      acting(context, async ({ terminal }, _options, shell) => terminal.out(completionScript(String(shell)))),
    );
  program
    .command('complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action(
      acting(context, async ({ terminal }, _options, ...words) =>
        terminal.out(completeWords(context.program, words.map(String))),
      ),
    );
}

async function writeWorkflowTypes(session: CommandSession, options: CommandOptions): Promise<void> {
  const text = await writeTypes(session.client, await session.workspaceId());
  const { output } = options as { output?: string };
  if (output === undefined) {
    session.terminal.out(text);
    return;
  }
  await writeFile(output, text);
  session.done({ output }, `The types are in ${output}.`);
}

async function openPage(
  session: CommandSession,
  options: CommandOptions,
  thing = '',
  id = '',
): Promise<void> {
  const address = await findAddress(session, thing, id);
  session.show({ url: address }, () => `${address}\n`);
  if (options['print'] || session.options.json) return;
  const command =
    process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const opened = spawn(command, [address], { stdio: 'ignore', detached: true });
  opened.on('error', () => session.terminal.err('No browser was found; open the address by hand.\n'));
  opened.unref();
}

async function findAddress(session: CommandSession, thing: string, id: string): Promise<string> {
  const { client, url } = session;
  if (thing === 'docs') return `${url}/docs`;
  if (thing === 'reference') return `${url}/docs/api`;
  if (thing === 'execution') return (await client.executions.getTimeline(id, { limit: 1 })).data.pageUrl;
  if (thing === 'pause') {
    const workspaceId = await session.workspaceId();
    for await (const one of client.pauses.listInbox({ workspaceId, limit: 100 }))
      if (one.contextId === id && one.resumeLinks.uiUrl) return one.resumeLinks.uiUrl;
    throw new UsageError(`Nothing with the id ${id} waits, or this key may not see its page.`);
  }
  throw new UsageError(`There is no page of ${thing}. There are: docs, reference, execution, pause.`);
}
