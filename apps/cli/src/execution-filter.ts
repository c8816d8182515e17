import type { Command } from 'commander';
import type { CommandOptions } from './commands/context.ts';
import { UsageError } from './exit.ts';
import { collect, wholeNumber } from './inputs.ts';
import { findTrigger, findWorkflow } from './lookups.ts';
import type { CommandSession } from './session.ts';

/** Adds the options that say which executions are meant. */
export function addExecutionFilter(command: Command): Command {
  return command
    .option('--workflow <workflow>', 'only of this workflow; may be given several times', collect)
    .option('--folder <list>', 'only of workflows in these folders, as sales/eu, and below them')
    .option('--status <list>', 'queued, running, paused, completed, failed, cancelled')
    .option('--level <level>', 'error: those that failed; info: all others')
    .option('--failure-codes <list>', 'only those that failed with these codes')
    .option('--search <text>', 'only those whose id, title, inputs, error or output hold this')
    .option('--since <time>', 'only those accepted at this time or later, as 2027-01-29T09:00:00Z')
    .option('--until <time>', 'only those accepted at this time or before; a day is the whole day in UTC')
    .option('--origin <list>', 'api, mcp, workflow, test, or kinds of triggers, as webhook,schedule')
    .option(
      '--trigger <trigger>',
      'only those that this trigger started, by its id, or its name with --workflow; may be given several times',
      collect,
    )
    .option('--execution <id>', 'only this execution')
    .option('--parent <id>', 'only those that this execution started')
    .option('--min-duration <ms>', 'only those that took so many milliseconds or more', wholeNumber(0))
    .option('--max-duration <ms>', 'only those that took so many milliseconds or less', wholeNumber(0))
    .option('--min-cost <cost>', 'only those with this booked cost or more', toCost)
    .option('--max-cost <cost>', 'only those with this booked cost or less', toCost)
    .option('--model <name>', 'only those in which a model block used this model');
}

interface FilterOptions {
  workflow?: string[];
  folder?: string;
  status?: string;
  level?: 'error' | 'info';
  failureCodes?: string;
  search?: string;
  since?: string;
  until?: string;
  origin?: string;
  trigger?: string[];
  execution?: string;
  parent?: string;
  minDuration?: number;
  maxDuration?: number;
  minCost?: number;
  maxCost?: number;
  model?: string;
}

/** The filter of the API that the options name. A member that no option names is undefined. */
export async function readExecutionFilter(session: CommandSession, options: CommandOptions) {
  const given = options as FilterOptions;
  const { workflow: workflows = [], trigger: triggers = [] } = given;
  return {
    workflowIds: toList(
      await Promise.all(workflows.map(async (one) => (await findWorkflow(session, one)).id)),
    ),
    folderIds: given.folder,
    status: given.status,
    level: given.level,
    failureCodes: given.failureCodes,
    search: given.search,
    startDate: given.since,
    endDate: given.until,
    triggers: given.origin,
    triggerIds: toList(await Promise.all(triggers.map((one) => findTriggerId(session, workflows, one)))),
    executionId: given.execution,
    parentExecutionId: given.parent,
    minDurationMs: given.minDuration,
    maxDurationMs: given.maxDuration,
    minCost: given.minCost,
    maxCost: given.maxCost,
    model: given.model,
  };
}

const toList = (ids: string[]): string | undefined => (ids.length === 0 ? undefined : ids.join(','));

async function findTriggerId(session: CommandSession, workflows: string[], name: string): Promise<string> {
  if (/^trg_[0-9a-f]+$/.test(name)) return name;
  const [workflow, other] = workflows;
  if (workflow === undefined || other !== undefined)
    throw new UsageError(`Give the id of the trigger ${name}, or name its one workflow with --workflow.`);
  return (await findTrigger(session, workflow, name)).id;
}

function toCost(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new UsageError(`${text} must be a cost, as 0.5.`);
  return value;
}
