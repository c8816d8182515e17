import type { Command } from 'commander';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import { readText } from '../inputs.ts';
import { parseObject } from '../json-object.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** The command that makes a workflow of the file of another product. */
export function addImportCommand(program: Command, context: CommandContext): void {
  program
    .command('import <file>')
    .description('Make a workflow of the file of another product, and tell what became of each block')
    .requiredOption('--from <product>', 'the product that exported the file: n8n or sim')
    .option('--dry-run', 'tell it and store nothing')
    .option('--name <text>', 'the name of the workflow, in place of the one in the file')
    .addHelpText('after', examples('holdfast import orders.json --from n8n --dry-run'))
    .action(withSession(context, importFile));
}

async function importFile(session: CommandSession, options: CommandOptions, path = ''): Promise<void> {
  const { from, dryRun, name } = options as { from: string; dryRun?: boolean; name?: string };
  if (from !== 'n8n' && from !== 'sim') throw new UsageError(`--from must be n8n or sim, not ${from}.`);
  const file = parseObject(await readText(path), path);
  const workspaceId = await session.workspaceId();
  const made = await session.client.workflows.import({
    ...file,
    workspaceId,
    from,
    dryRun: dryRun === true,
    workflowName: name,
  });
  // Without a product it would be the workflow alone.
  if (!('report' in made)) throw new UsageError('The installation is older than this command.');
  const { report, workflow, triggers } = made;
  session.show(made, () => {
    const blocks = report.blocks.map((one) => [
      one.outcome,
      one.name,
      one.type,
      one.becomes ?? '-',
      one.note,
    ]);
    const needs = report.needs.map((one) => `needs ${one.kind} ${one.name}: ${one.note}\n`);
    const { kept, changed, refused } = report.summary;
    const stored = workflow ? `${workflow.name} is stored as ${workflow.id}.` : 'Nothing was stored.';
    const table = formatTable(session.terminal, ['OUTCOME', 'BLOCK', 'TYPE', 'BECOMES', 'NOTE'], blocks);
    const addresses = triggers.map(
      ({ name: trigger, url, secret }) =>
        `made trigger ${trigger}${url === null ? '' : ` at ${url}`}${secret === null ? '' : ` with the secret ${secret}`}\n`,
    );
    return `${table}${needs.join('')}${addresses.join('')}${kept} kept, ${changed} changed, ${refused} refused. ${stored}\n`;
  });
  if (report.summary.refused > 0) throw new Exit(exitCodes.failed);
}
