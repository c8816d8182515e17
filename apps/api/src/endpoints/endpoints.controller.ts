import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit } from '#libs/workspace/audit/audit';
import { Endpoints } from '#libs/workspace/endpoints/endpoints';
import { EventDeliveries } from '#libs/workspace/endpoints/event-deliveries';
import { eventTypes } from '#libs/workspace/endpoints/event-types';
import type { JsonObject } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RecentSignIn, RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { parseTime } from '../http/parse-time.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import {
  CreateEndpointBody,
  DeliveryListQuery,
  EventDeliveryView,
  EndpointSecretView,
  EndpointView,
  ReplayBody,
  ReplayedEventsView,
  UpdateEndpointBody,
} from './endpoints.dto.ts';
import { requireChoices } from './event-choices.ts';

/** The servers of users that hear of events, and the log of deliveries. */
@ApiTags('Events')
@Controller('api/v1/workspaces/:workspaceId')
export class EndpointsController {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly deliveries: EventDeliveries,
    private readonly audit: Audit,
  ) {}

  @Get('endpoints')
  @ApiOperation({
    summary: 'List the endpoints',
    description: 'Lists the servers that hear of events of the workspace, with the health of each.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: [EndpointView] }, 'All endpoints, the oldest first, without their secrets.')
  async listEndpoints(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.endpoints.list(workspaceId)).map((endpoint) => EndpointView.of(endpoint)) };
  }

  @Post('endpoints')
  @ApiOperation({
    summary: 'Create an endpoint',
    description:
      'Has events sent to a server, signed by Standard Webhooks. The secret is shown only in this answer. The endpoint hears of what happens from now on.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(201, { data: EndpointSecretView }, 'The endpoint was created; `secret` is shown only here.', {
    also: [409],
  })
  async createEndpoint(
    @CurrentCaller() { workspaceId }: Admission,
    @Body() { url, description = '', types = [], workflowIds = [], enabled = true }: CreateEndpointBody,
  ) {
    requireChoices({ types, workflowIds }, eventTypes);
    const fields = { url, description, types, workflowIds, enabled };
    return { data: EndpointSecretView.ofMade(await this.endpoints.create(workspaceId, fields)) };
  }

  @Get('endpoints/:endpointId')
  @ApiOperation({
    summary: 'Read one endpoint',
    description:
      'Shows an endpoint with its health: since when it fails and why, or until when it is slowed.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: EndpointView }, 'The endpoint without its secret.')
  async getEndpoint(@CurrentCaller() { workspaceId }: Admission, @Param('endpointId') id: string) {
    return { data: EndpointView.of(await this.endpoints.get(workspaceId, id)) };
  }

  @Patch('endpoints/:endpointId')
  @ApiOperation({
    summary: 'Change an endpoint',
    description:
      'Changes only the sent members. With `"enabled": false` its deliveries wait, and with `true` they go on.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: EndpointView }, 'The endpoint as it is after the change.')
  async updateEndpoint(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('endpointId') id: string,
    @Body() { url, description, types, workflowIds, enabled }: UpdateEndpointBody,
  ) {
    const changes = { url, description, types, workflowIds, enabled };
    requireChange(changes, ['url', 'description', 'types', 'workflowIds', 'enabled']);
    requireChoices(changes, eventTypes);
    return { data: EndpointView.of(await this.endpoints.update(workspaceId, id, changes)) };
  }

  @Delete('endpoints/:endpointId')
  @ApiOperation({
    summary: 'Delete an endpoint',
    description: 'Deletes an endpoint with its log. Deliveries that are pending are not sent.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: DeletedView }, 'The endpoint was deleted with its deliveries.')
  async deleteEndpoint(@CurrentCaller() { workspaceId }: Admission, @Param('endpointId') id: string) {
    await this.endpoints.delete(workspaceId, id);
    return { data: { id, deleted: true } };
  }

  @Post('endpoints/:endpointId/rotate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Give an endpoint a new secret',
    description:
      'Makes a new secret. For 24 hours each event has a signature of both secrets, so that the receiver can change without a gap.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: EndpointSecretView }, 'The endpoint; `secret` is shown only here.')
  async rotateEndpoint(@CurrentCaller() { workspaceId }: Admission, @Param('endpointId') id: string) {
    return { data: EndpointSecretView.ofMade(await this.endpoints.rotate(workspaceId, id)) };
  }

  @Post('endpoints/:endpointId/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send a test to an endpoint',
    description:
      'Sends the event `endpoint.tested`, whatever types are chosen. Read the delivery for its result.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: EventDeliveryView }, 'The delivery, which is sent within a second.', {
    also: [409],
  })
  async testEndpoint(@CurrentCaller() { workspaceId }: Admission, @Param('endpointId') id: string) {
    const delivery = await this.deliveries.test(await this.endpoints.get(workspaceId, id));
    await this.note(workspaceId, 'endpoint.tested', id);
    return { data: EventDeliveryView.of(delivery) };
  }

  @Post('endpoints/:endpointId/replay')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send events to an endpoint again',
    description:
      'Sends again what has failed, or all events since a time, each with its id of before. Events are kept for 30 days.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: ReplayedEventsView }, 'The number of events that are sent again.', { also: [409] })
  async replayEndpoint(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('endpointId') id: string,
    @Body() { failed, since }: ReplayBody,
  ) {
    if ((failed === true) === (since !== undefined))
      throw Invalid.field('', 'must have one of the two: "failed": true, or since', 'required');
    const from = parseTime({ since }, 'since') ?? null;
    const replayed = await this.deliveries.replayAll(await this.endpoints.get(workspaceId, id), from);
    const changes = { since: since ?? null, replayed: replayed.replayed };
    await this.note(workspaceId, 'endpoint.replayed', id, changes);
    return { data: ReplayedEventsView.of(replayed) };
  }

  @Get('event-deliveries')
  @ApiOperation({
    summary: 'List the deliveries of events',
    description:
      'Lists what was sent to endpoints and callbacks, and what waits or has failed, each with its attempts.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: [EventDeliveryView] }, 'One page of deliveries, the newest first.', { paged: true })
  async listEventDeliveries(@CurrentCaller() { workspaceId }: Admission, @Query() query: DeliveryListQuery) {
    const { items, nextCursor } = await this.deliveries.list(workspaceId, query);
    return { data: items.map((delivery) => EventDeliveryView.of(delivery)), nextCursor };
  }

  @Get('event-deliveries/:deliveryId')
  @ApiOperation({
    summary: 'Read one delivery',
    description: 'Shows a delivery with its latest attempts, their statuses and their errors.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: EventDeliveryView }, 'The delivery with its attempts.')
  async getEventDelivery(@CurrentCaller() { workspaceId }: Admission, @Param('deliveryId') id: string) {
    return { data: EventDeliveryView.of(await this.deliveries.get(workspaceId, id)) };
  }

  @Post('event-deliveries/:deliveryId/replay')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send one event again',
    description: 'Sends an event again with its id, so that a receiver that has it can tell.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: EventDeliveryView }, 'The delivery, which is pending again.', { also: [409] })
  async replayEventDelivery(@CurrentCaller() { workspaceId }: Admission, @Param('deliveryId') id: string) {
    const delivery = await this.deliveries.replay(workspaceId, id);
    await this.note(workspaceId, 'event_delivery.replayed', id);
    return { data: EventDeliveryView.of(delivery) };
  }

  private async note(
    workspaceId: string,
    action: string,
    resourceId: string,
    changes: JsonObject = {},
  ): Promise<void> {
    const [resourceType = ''] = action.split('.');
    await this.audit.recordIfThere(workspaceId, { action, resourceType, resourceId, changes });
  }
}
