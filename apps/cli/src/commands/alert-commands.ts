import { Command } from 'commander';
import { findWorkflow } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands for the rules that watch executions. */
export function addAlertCommands(program: Command, context: CommandContext): void {
  const alerts = new Command('alerts').description('Rules on executions that tell when one is broken');
  alerts
    .command('list', { isDefault: true })
    .description('List the rules with their latest values')
    .action(withSession(context, listAlerts));
  alerts
    .command('create <name>')
    .description('Watch the executions of a workflow, or of the whole workspace')
    .requiredOption('--metric <metric>', 'failuresInRow, failureRate, duration, cost or inactivity')
    .requiredOption('--threshold <n>', 'the rule is broken from this value on', Number)
    .option('--workflow <workflow>', 'only executions of this workflow')
    .option('--window <seconds>', 'the time that is looked at', Number)
    .option('--cooldown <seconds>', 'tell again after this time', Number)
    .addHelpText(
      'after',
      examples('holdfast alerts create "Many failures" --metric failureRate --threshold 20'),
    )
    .action(withSession(context, createAlert));
  alerts
    .command('delete <id>')
    .description('Delete a rule')
    .action(
      withSession(context, async (session, _options, id = '') => {
        session.done(
          await session.client.alerts.delete(await session.workspaceId(), id),
          `${id} is deleted.`,
        );
      }),
    );
  program.addCommand(alerts);
}

type AlertMetric = Parameters<CommandSession['client']['alerts']['create']>[1]['metric'];

async function createAlert(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { metric, threshold, workflow, window, cooldown } = options as {
    metric: AlertMetric;
    threshold: number;
    workflow?: string;
    window?: number;
    cooldown?: number;
  };
  const workflowId = workflow === undefined ? null : (await findWorkflow(session, workflow)).id;
  const times = { windowSeconds: window, cooldownSeconds: cooldown };
  const rule = { name, metric, threshold, workflowId, ...times };
  const made = await session.client.alerts.create(await session.workspaceId(), rule);
  session.done(made, `${made.id} was made.`);
}

async function listAlerts(session: CommandSession): Promise<void> {
  const found = await session.client.alerts.list(await session.workspaceId()).toArray();
  session.show(found, () =>
    formatTable(
      session.terminal,
      ['ALERT', 'NAME', 'WORKFLOW', 'METRIC', 'VALUE', 'THRESHOLD', 'STATE'],
      found.map((one) => [
        one.id,
        one.name,
        one.workflowId ?? 'all',
        one.metric,
        one.value === null ? '-' : String(one.value),
        String(one.threshold),
        one.enabled ? (one.isRaised ? 'broken' : 'holds') : 'off',
      ]),
    ),
  );
}
