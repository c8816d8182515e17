import { type Command, Option } from 'commander';
import { UsageError } from '../exit.ts';
import { copyTemplate, nextCommands, readTemplate, templateNames } from '../templates.ts';
import { formatTable, safeText } from '../terminal.ts';
import { acting, type CommandContext, getGlobals, type CommandOptions } from './context.ts';
import { examples } from './session-commands.ts';

/** The command that begins a folder with a template. */
export function addNewCommand(program: Command, context: CommandContext): void {
  program
    .command('new [folder]')
    .description('Make a folder with a workflow, its scenarios and what it needs, out of a template')
    .addOption(
      new Option('--template <name>', 'the template; its name is the folder where none is named').choices(
        templateNames(),
      ),
    )
    .option('--list', 'list the templates')
    .addHelpText('after', examples('holdfast new --list', 'holdfast new orders --template order-saga'))
    .action(acting(context, (_, options, folder) => begin(context, options, folder)));
}

async function begin(context: CommandContext, options: CommandOptions, named: unknown): Promise<void> {
  const { template, list } = options as { template?: string; list?: boolean };
  if (list) return listTemplates(context);
  if (template === undefined)
    throw new UsageError(`Name a template with --template: ${templateNames().join(', ')}.`);
  const { terminal } = context;
  const folder = typeof named === 'string' ? named : template;
  const { title } = await readTemplate(template);
  const files = await copyTemplate(template, folder);
  const next = [`cd ${quote(folder)}`, ...(await nextCommands(template))];
  const lines = (all: string[]) => all.map((line) => `  ${safeText(line)}\n`).join('');
  terminal.out(
    getGlobals(context).json
      ? `${JSON.stringify({ template, folder, files, next }, null, 2)}\n`
      : `${title} is in ${safeText(folder)}:\n${lines(files)}Next, with your own values:\n${lines(next)}`,
  );
}

async function listTemplates(context: CommandContext): Promise<void> {
  const { terminal } = context;
  const templates = await Promise.all(templateNames().map(readTemplate));
  const rows = templates.map(({ name, description }) => [name, description]);
  terminal.out(
    getGlobals(context).json
      ? `${JSON.stringify(templates, null, 2)}\n`
      : formatTable(terminal, ['TEMPLATE', 'WHAT IT DOES'], rows),
  );
}

/** A word as a shell takes it for one. */
const quote = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
