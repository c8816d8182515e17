import type { Schemas } from '#libs/sdk/src/holdfast';
import type { Command } from 'commander';
import { applyPlan } from '../definitions/apply-plan.ts';
import { checkChanges, planChanges, type PlannedChange, readRemote, toSource } from '../definitions/plan.ts';
import { SeenRevisions } from '../definitions/seen-revisions.ts';
import { showDiff, showPlan } from '../definitions/show-plan.ts';
import {
  newPathFor,
  readWorkflowFiles,
  writeEditorSchema,
  writeWorkflowFile,
} from '../definitions/workflow-files.ts';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import { findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { backtestedMax, formatBacktest } from './run-control-commands.ts';
import { examples } from './session-commands.ts';

/** Commands that keep workflows as files, and that change which version is live. */
export function addDefinitionCommands(program: Command, context: CommandContext): void {
  program
    .command('pull [folder]')
    .description('Write every workflow of the workspace into a folder, a file each')
    .option('--yaml', 'write YAML in place of JSON')
    .option('--force', 'write over files that differ')
    .addHelpText('after', examples('holdfast pull workflows', 'holdfast pull workflows --yaml'))
    .action(withSession(context, pull));
  const changing = (name: string, description: string) =>
    program
      .command(`${name} [folder]`)
      .description(description)
      .option('--dry-run', 'show the plan and change nothing')
      .option('--prune', 'delete the workflows that have no file')
      .option('--force', 'overwrite what has changed there unseen')
      .option('-y, --yes', 'do not ask');
  changing('push', 'Write the files to the drafts of the workspace')
    .addHelpText('after', examples('holdfast push workflows --dry-run', 'holdfast push workflows --yes'))
    .action(withSession(context, (session, options, folder) => change(session, options, folder, false)));
  changing('apply', 'Write the files to the drafts, and deploy what has changed')
    .addHelpText(
      'after',
      examples('holdfast apply workflows', 'holdfast apply workflows --prune --yes --json'),
    )
    .action(withSession(context, (session, options, folder) => change(session, options, folder, true)));
  program
    .command('diff [folder]')
    .description('Show how the files differ from the drafts; the exit code is 5 when they do')
    .option('--prune', 'show the workflows that have no file too')
    .action(withSession(context, diff));
  addDeploymentCommands(program, context);
}

function addDeploymentCommands(program: Command, context: CommandContext): void {
  program
    .command('workflows')
    .description('List the workflows')
    .option('--name <text>', 'only those whose name holds this')
    .option('--folder <path>', 'only those of this folder')
    .action(withSession(context, listWorkflows));
  program
    .command('deploy <workflow>')
    .description('Make the draft of a workflow live')
    .option('--message <text>', 'the name of the version')
    .option('--strict', 'refuse a draft that names things which are not there')
    .option('--dry-run', 'show what it would mean, and change nothing')
    .action(withSession(context, deploy));
  program
    .command('rollback <workflow> [version]')
    .description('Make an earlier version live: the one before, or the one that is named')
    .option('--dry-run', 'show what it would mean, and change nothing; name the version for it')
    .addHelpText('after', examples('holdfast rollback invoice 3 --dry-run', 'holdfast rollback invoice'))
    .action(withSession(context, rollback));
  program
    .command('versions <workflow>')
    .description('List the versions of a workflow')
    .action(withSession(context, listVersions));
}

async function pull(session: CommandSession, options: CommandOptions, folder = '.'): Promise<void> {
  const { client, terminal, url } = session;
  const workspaceId = await session.workspaceId();
  const files = await readWorkflowFiles(folder).catch((error: unknown) => {
    if (error instanceof UsageError && error.message.startsWith('There is no folder')) return [];
    throw error;
  });
  const remote = await readRemote(client, workspaceId);
  const seen = await SeenRevisions.read(folder, url, workspaceId);
  const taken = new Set(files.map(({ path }) => path));
  const changes = planChanges(files, remote, seen, { deploys: false, prunes: false, forces: true });
  const edited = changes.filter(({ action }) => action === 'update');
  if (edited.length > 0 && !options['force'])
    throw new UsageError(
      `These files differ from the drafts and would be written over: ${edited.map(({ path }) => path).join(', ')}. Look at them with holdfast diff, then push them, or give --force.`,
    );
  await writeEditorSchema(folder, await client.workflows.getDefinitionSchema());
  const written: string[] = [];
  for (const one of remote) {
    const known = files.find(({ workflow }) => workflow.name.toLowerCase() === one.name.toLowerCase());
    const path = known?.path ?? newPathFor(folder, one, options['yaml'] === true, taken);
    taken.add(path);
    await writeWorkflowFile(folder, path, toSource(one));
    seen.set(one.id, one.etag);
    written.push(path);
  }
  await seen.write();
  session.show(
    written,
    () =>
      `${written.map((path) => `${path}\n`).join('')}${terminal.paint('bold', `${written.length} workflows.`)}\n`,
  );
}

async function change(
  session: CommandSession,
  options: CommandOptions,
  folder = '.',
  deploys = false,
): Promise<void> {
  const { client, terminal, url } = session;
  const workspaceId = await session.workspaceId();
  const [files, remote, seen] = await Promise.all([
    readWorkflowFiles(folder),
    readRemote(client, workspaceId),
    SeenRevisions.read(folder, url, workspaceId),
  ]);
  const changes = planChanges(files, remote, seen, {
    deploys,
    prunes: options['prune'] === true,
    forces: options['force'] === true,
  });
  await checkChanges(client, workspaceId, changes);
  const plan = () => showPlan(terminal, changes);
  if (options['dryRun']) {
    session.show(changes.map(planView), plan);
    // It ends as the real run would, so that a script sees what cannot be done.
    return refuseFaults(changes, deploys);
  }
  if (!session.options.json) terminal.out(plan());
  refuseFaults(changes, deploys);
  const work = changes.filter(({ action }) => action !== 'keep');
  if (work.length > 0) await session.confirm('Shall this be done?', options['yes'] === true);
  const applied = await applyPlan(session, changes, seen);
  session.show(applied, () => {
    const warnings = applied.flatMap(({ name, warnings: all = [] }) =>
      all.map((one) => `warning ${name}: ${one}\n`),
    );
    const lines = applied.flatMap(({ name, triggers = [] }) =>
      triggers.map((one) => `${name}: ${formatTriggerChange(one)}\n`),
    );
    return `${warnings.join('')}${lines.join('')}${applied.length} done.\n`;
  });
}

const planView = ({ action, name, path, deploys, faults }: PlannedChange) => ({
  action,
  name,
  path,
  deploys,
  faults,
});

/** Nothing is begun that would stop in the middle. */
function refuseFaults(changes: PlannedChange[], deploys: boolean): void {
  const conflicts = changes.filter(({ action }) => action === 'conflict');
  if (conflicts.length > 0)
    throw new UsageError(
      `${conflicts.map(({ name }) => name).join(', ')} changed there unseen. Nothing was changed. Pull, or give --force.`,
    );
  const wrong = deploys ? changes.filter(({ faults }) => faults.length > 0) : [];
  if (wrong.length > 0)
    throw new UsageError(
      `${wrong.map(({ name }) => name).join(', ')} cannot be deployed; the faults are above. Nothing was changed.`,
    );
}

async function diff(session: CommandSession, options: CommandOptions, folder = '.'): Promise<void> {
  const { client, terminal, url } = session;
  const workspaceId = await session.workspaceId();
  const files = await readWorkflowFiles(folder);
  const seen = await SeenRevisions.read(folder, url, workspaceId);
  const remote = await readRemote(client, workspaceId);
  const prunes = options['prune'] === true;
  const changes = planChanges(files, remote, seen, { deploys: false, prunes, forces: true });
  session.show(changes.map(planView), () => showDiff(terminal, changes));
  if (changes.some(({ action }) => action !== 'keep')) throw new Exit(exitCodes.differs);
}

async function listWorkflows(session: CommandSession, options: CommandOptions): Promise<void> {
  const { client, terminal } = session;
  const { name, folder } = options as { name?: string; folder?: string };
  const workspaceId = await session.workspaceId();
  const list = await client.workflows.list({ workspaceId, name, folder, limit: 100 }).toArray(1000);
  session.show(list, () =>
    formatTable(
      terminal,
      ['WORKFLOW', 'NAME', 'FOLDER', 'VERSION', 'LAST'],
      list.map((one) => [one.id, one.name, one.folder, one.version ?? '-', formatLast(one.lastExecution)]),
    ),
  );
}

const formatLast = (last: unknown): string => String(Object(last).status ?? '-');

async function deploy(session: CommandSession, options: CommandOptions, workflow = ''): Promise<void> {
  const { client } = session;
  const { message, strict, dryRun } = options as { message?: string; strict?: boolean; dryRun?: boolean };
  const { id, name } = await findWorkflow(session, workflow);
  if (dryRun) return preview(session, id, { action: 'deploy' }, 'It can be deployed.');
  const result = await client.deployments.deploy(id, { name: message, strict });
  const warnings = result.warnings.map((one) => `\nwarning: ${one}`).join('');
  const triggers = result.triggers.map((one) => `\n${formatTriggerChange(one)}`).join('');
  session.done(result, `${name} is live as version ${result.version}.${warnings}${triggers}`);
}

/** Shows what a change of the live version would mean, with a backtest of it. Ends with 1 where it has a fault. */
async function preview(
  session: CommandSession,
  id: string,
  wish: { action: 'deploy' | 'rollback'; version?: number },
  good: string,
): Promise<void> {
  const { backtest, ...found } = await session.client.deployments.preview(id, {
    ...wish,
    backtest: backtestedMax,
  });
  const faults = found.faults.map((fault) => `fault ${fault.path}: ${fault.message}\n`);
  session.show({ ...found, backtest }, () =>
    [
      ...faults,
      ...found.warnings.map((one) => `warning: ${one}\n`),
      ...found.triggers.map((one) => `${formatTriggerChange(one)}\n`),
      ...found.waiting.map(
        ({ version, count }) => `${count} executions of version ${version} wait and go on as they began.\n`,
      ),
      formatBacktest(backtest),
      faults.length > 0 ? '' : `${good}\n`,
    ].join(''),
  );
  if (faults.length > 0) throw new Exit(exitCodes.failed);
}

/** Returns a line about a trigger of the definition, with what is shown only once. */
function formatTriggerChange(
  one: Schemas['TriggerChangeView'] & { url?: string | null; secret?: string | null },
): string {
  const { kind, name, fields, address, heldFor, url, secret } = one;
  const opened = [
    ...(url ? [url] : address ? [`address ${address}`] : []),
    ...(secret ? [`secret ${secret}`] : []),
    ...(heldFor === null ? [] : [`held: ${heldFor}`]),
  ];
  const said = [...fields, ...opened].join(', ');
  return `${one.change} ${kind} "${name}"${said && `: ${said}`}`;
}

async function rollback(
  session: CommandSession,
  options: CommandOptions,
  workflow = '',
  version?: string,
): Promise<void> {
  const { id, name } = await findWorkflow(session, workflow);
  const wanted = version === undefined ? undefined : Number(version);
  if (wanted !== undefined && !Number.isInteger(wanted))
    throw new UsageError(`${version} is no number of a version.`);
  if (options['dryRun']) {
    if (wanted === undefined)
      throw new UsageError(`Name the version behind ${name}. See them with: holdfast versions ${id}`);
    const good = `Version ${wanted} can be live again.`;
    return preview(session, id, { action: 'rollback', version: wanted }, good);
  }
  const result = await session.client.deployments.rollback(
    id,
    wanted === undefined ? {} : { version: wanted },
  );
  const triggers = result.triggers.map((one) => `\n${formatTriggerChange(one)}`).join('');
  session.done(result, `${name} is live as version ${result.version}.${triggers}`);
}

async function listVersions(session: CommandSession, _options: CommandOptions, workflow = ''): Promise<void> {
  const { id } = await findWorkflow(session, workflow);
  const versions = await session.client.deployments.listVersions(id, { limit: 100 }).toArray(1000);
  session.show(versions, () =>
    formatTable(
      session.terminal,
      ['', 'VERSION', 'NAME', 'CREATED', 'BY'],
      versions.map((one) => [
        one.isActive ? '*' : '',
        one.version,
        one.name,
        one.createdAt,
        one.createdByName ?? one.createdBy,
      ]),
    ),
  );
}
