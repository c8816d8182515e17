import { Command } from 'commander';
import { UsageError } from '../exit.ts';
import type { CommandSession } from '../session.ts';
import { formatTable } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands for days with a name, which schedules refer to. */
export function addCalendarCommands(program: Command, context: CommandContext): void {
  const calendars = new Command('calendars').description('Days with a name, which schedules refer to');
  calendars
    .command('list', { isDefault: true })
    .description('List the calendars with their days')
    .action(withSession(context, listCalendars));
  calendars
    .command('set <name>')
    .description('Make a calendar, or change the days of one')
    .option('--dates <days...>', 'days, as 2026-12-25')
    .option('--weekdays <days...>', 'days of each week, as saturday')
    .addHelpText('after', examples('holdfast calendars set holidays --dates 2026-12-25 2026-12-26'))
    .action(withSession(context, setCalendar));
  calendars
    .command('delete <name>')
    .description('Delete a calendar that no schedule names')
    .action(
      withSession(context, async (session, _options, name = '') => {
        const found = await findCalendar(session, name);
        if (!found) throw new UsageError(`There is no calendar ${name}.`);
        const workspaceId = await session.workspaceId();
        session.done(await session.client.calendars.delete(workspaceId, found.id), `${name} is deleted.`);
      }),
    );
  program.addCommand(calendars);
}

async function findCalendar(session: CommandSession, name: string) {
  const all = await session.client.calendars.list(await session.workspaceId()).toArray();
  return all.find((one) => one.name === name);
}

async function setCalendar(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { dates, weekdays } = options as { dates?: string[]; weekdays?: string[] };
  const workspaceId = await session.workspaceId();
  const found = await findCalendar(session, name);
  const set = found
    ? await session.client.calendars.update(workspaceId, found.id, { dates, weekdays })
    : await session.client.calendars.create(workspaceId, { name, dates, weekdays });
  session.done(set, `${name} is set.`);
}

async function listCalendars(session: CommandSession): Promise<void> {
  const found = await session.client.calendars.list(await session.workspaceId()).toArray();
  session.show(found, () =>
    formatTable(
      session.terminal,
      ['CALENDAR', 'WEEKDAYS', 'DATES'],
      found.map(({ name, weekdays, dates }) => [name, weekdays.join(' ') || '-', dates.join(' ') || '-']),
    ),
  );
}
