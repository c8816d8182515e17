import type { Readable } from 'node:stream';
import { Controller, Get, Headers, Req } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { HttpAnswer } from '../http/answer.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiErrors, ApiEventResult } from '../http/api-result.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';
import { WorkspaceEventView } from './events.dto.ts';
import { WorkspaceEventStream } from './event-stream.ts';

@ApiTags('Workspaces')
@Controller('api/v1/events')
export class EventsController {
  constructor(private readonly stream: WorkspaceEventStream) {}

  @Get()
  @ApiOperation({
    summary: 'Follow the changes of a workspace',
    description:
      'Streams an event within about a second of a change. `changed` names `executions`, `pauses` or `settings`. The event does not hold the change: read the lists again.',
  })
  @RequirePermission('read', 'workspace')
  @TakesWorkspace()
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The id of the last event that was received; the first event comes at once when something has changed since.',
  })
  @ApiEventResult(
    WorkspaceEventView,
    'One event for each change; the stream goes on until the client closes it, or its key or session ends.',
  )
  @ApiErrors()
  followWorkspace(
    @CurrentCaller() { workspaceId }: Admission,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
  ): HttpAnswer<Readable> {
    return this.stream.open(request, { workspaceId, lastEventId });
  }
}
