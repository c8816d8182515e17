import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Calendars } from '#libs/triggers/schedules/calendars';
import { ApiResult } from '../http/api-result.ts';
import { type Admission, CurrentCaller } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import { CalendarView, CreateCalendarBody, UpdateCalendarBody } from './calendars.dto.ts';

/** Days with a name, which schedules leave out or come on. */
@ApiTags('Triggers')
@Controller('api/v1/workspaces/:workspaceId/calendars')
export class CalendarsController {
  constructor(private readonly calendars: Calendars) {}

  @Get()
  @ApiOperation({
    summary: 'List the calendars',
    description: 'Lists the calendars of the workspace, which schedules name in `except` and `dates`.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [CalendarView] }, 'All calendars, by their names.')
  async listCalendars(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.calendars.list(workspaceId)).map((one) => CalendarView.of(one)) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a calendar',
    description:
      'Gives days a name. A schedule with `"except": ["holidays"]` does not come on them, and one with `"dates": ["holidaysT09:00"]` comes at nine on each.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(201, { data: CalendarView }, 'The calendar was created.', { also: [409] })
  async createCalendar(@CurrentCaller() { workspaceId }: Admission, @Body() body: CreateCalendarBody) {
    const { name, dates = [], weekdays = [] } = body;
    return { data: CalendarView.of(await this.calendars.create(workspaceId, name, { dates, weekdays })) };
  }

  @Get(':calendarId')
  @ApiOperation({ summary: 'Read one calendar', description: 'Shows a calendar with its days.' })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: CalendarView }, 'The calendar with its days.')
  async getCalendar(@CurrentCaller() { workspaceId }: Admission, @Param('calendarId') id: string) {
    return { data: CalendarView.of(await this.calendars.get(workspaceId, id)) };
  }

  @Patch(':calendarId')
  @ApiOperation({
    summary: 'Change a calendar',
    description:
      'Changes only the sent members. It holds for the moments of schedules that have not come; backfills under way keep the days that they began with.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: CalendarView }, 'The calendar as it is after the change.')
  async updateCalendar(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('calendarId') id: string,
    @Body() body: UpdateCalendarBody,
  ) {
    requireChange(body, ['dates', 'weekdays']);
    const given = Object.entries(body).filter(([, value]) => value !== undefined);
    return { data: CalendarView.of(await this.calendars.update(workspaceId, id, Object.fromEntries(given))) };
  }

  @Delete(':calendarId')
  @ApiOperation({
    summary: 'Delete a calendar',
    description: 'Deletes a calendar. It is refused while a schedule names it, and the refusal says which.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: DeletedView }, 'The calendar was deleted.', { also: [409] })
  async deleteCalendar(@CurrentCaller() { workspaceId }: Admission, @Param('calendarId') id: string) {
    await this.calendars.delete(workspaceId, id);
    return { data: { id, deleted: true } };
  }
}
