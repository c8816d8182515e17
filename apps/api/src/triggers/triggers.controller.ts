import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiError, Conflict, Invalid } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { Workflows } from '#libs/runs/workflows/workflows';
import { Deliveries } from '#libs/triggers/deliveries';
import { Triggers } from '#libs/triggers/triggers';
import type { FirstDelivery } from '#libs/runs/executions/accept/accept-execution';
import { ExecutionViews } from '../executions/execution-views.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { ApiResult } from '../http/api-result.ts';
import { type Admission, CurrentCaller } from '../http/caller.guard.ts';
import { CursorQuery } from '../http/cursor-query.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { parseTime, requireTimeOrder } from '../http/parse-time.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import {
  DeliveriesQuery,
  DeliveryDetailView,
  DeliveryView,
  ReplayDeliveriesBody,
  type ReplayedView,
  ReplaysView,
  StartedByHandView,
} from './deliveries.dto.ts';
import { Hooks } from './hooks.ts';
import { requireKind, toFields } from './trigger-fields.ts';
import { StartingEventsBody } from './events.dto.ts';
import { FormTriggerBody } from './forms.dto.ts';
import { ScheduleBody } from './schedules.dto.ts';
import {
  CreateTriggerBody,
  OpenedTriggerView,
  PauseTriggerBody,
  RotateTriggerBody,
  RunTriggerBody,
  TriggerView,
  UpdateTriggerBody,
  WebhookBody,
} from './triggers.dto.ts';

@ApiTags('Triggers')
@Controller('api/v1/workflows/:workflowId/triggers')
export class TriggersController {
  constructor(
    private readonly triggers: Triggers,
    private readonly deliveries: Deliveries,
    private readonly workflows: Workflows,
    private readonly hooks: Hooks,
    private readonly views: ExecutionViews,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the triggers of a workflow',
    description: 'Lists what starts the workflow by itself, each with its state and its newest delivery.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: [TriggerView] }, 'One page of triggers, the oldest first.', { paged: true })
  async listTriggers(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Query() query: CursorQuery,
  ) {
    await this.workflows.get(workspaceId, workflowId);
    const { items, nextCursor } = await this.triggers.list(workspaceId, workflowId, query);
    return { data: items.map((item) => TriggerView.of(item)), nextCursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a trigger',
    description:
      'Gives the workflow an address for webhooks, a form, a schedule, or events that start it. Each proven delivery, each form that is sent, each moment and each event starts the live version once. The executions act for the caller of this call. The address and the secret are shown only now.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(201, { data: OpenedTriggerView }, 'The trigger was created and starts executions.', {
    also: [409],
  })
  async createTrigger(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') workflowId: string,
    @Body() body: CreateTriggerBody,
  ) {
    const opened = await this.triggers.create(workspaceId, workflowId, toFields(body), caller.actor);
    return { data: OpenedTriggerView.ofOpened(opened, this.settings.publicUrl) };
  }

  @Get(':triggerId')
  @ApiOperation({
    summary: 'Read one trigger',
    description:
      'Shows the settings and the state of a trigger. Its address and its secret are never shown again.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: TriggerView }, 'The trigger with its state.')
  async getTrigger(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
  ) {
    return { data: TriggerView.of(await this.triggers.get(admission.workspaceId, workflowId, id)) };
  }

  @Patch(':triggerId')
  @ApiOperation({
    summary: 'Change a trigger',
    description:
      'Changes only the sent members. The address and the secret stay. From then on the trigger acts for the caller of this call. A trigger of `start.triggers` is changed there, and by a deploy.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(200, { data: TriggerView }, 'The trigger as it is after the change.', { also: [409] })
  async updateTrigger(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Body() body: UpdateTriggerBody,
  ) {
    const { name, inputs, when, webhook, schedule, event, form } = body;
    requireChange(body, ['name', 'inputs', 'when', 'webhook', 'schedule', 'event', 'form']);
    const trigger = await this.triggers.get(workspaceId, workflowId, id);
    requireKind(trigger.kind, { webhook, schedule, event, form, when });
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(inputs === undefined ? {} : { inputs }),
      ...(when === undefined ? {} : { filter: when }),
      ...(webhook === undefined ? {} : { webhook: WebhookBody.toSettings(webhook) }),
      ...(schedule === undefined ? {} : { schedule: ScheduleBody.toSettings(schedule) }),
      ...(event === undefined ? {} : { event: StartingEventsBody.toSettings(event) }),
      ...(form && trigger.form ? { form: FormTriggerBody.change(trigger.form, form) } : {}),
    };
    return { data: TriggerView.of(await this.triggers.update(workspaceId, trigger, changes, caller.actor)) };
  }

  @Delete(':triggerId')
  @ApiOperation({
    summary: 'Delete a trigger',
    description:
      'Closes the address and deletes the log of its deliveries. Executions that it started go on.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(200, { data: DeletedView }, 'The trigger was deleted with the log of its deliveries.', {
    also: [409],
  })
  async deleteTrigger(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
  ) {
    await this.triggers.delete(workspaceId, workflowId, id);
    return { data: { id, deleted: true } };
  }

  @Post(':triggerId/pause')
  @ApiOperation({
    summary: 'Pause a trigger',
    description:
      'Deliveries are logged and start nothing, until the trigger is resumed. They can be replayed then.',
  })
  @RequirePermission('write', 'workflow')
  @ApiBody({ type: PauseTriggerBody, required: false })
  @ApiResult(200, { data: TriggerView }, 'The trigger is paused.')
  async pauseTrigger(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Body() { note }: PauseTriggerBody,
  ) {
    const trigger = await this.triggers.get(workspaceId, workflowId, id);
    return { data: TriggerView.of(await this.triggers.pause(workspaceId, trigger, note ?? null)) };
  }

  @Post(':triggerId/resume')
  @ApiOperation({
    summary: 'Resume a trigger',
    description:
      'Lets a paused trigger, or one that was switched off, go on. From then on it acts for the caller of this call.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(200, { data: TriggerView }, 'The trigger takes deliveries again.')
  async resumeTrigger(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
  ) {
    const trigger = await this.triggers.get(workspaceId, workflowId, id);
    return { data: TriggerView.of(await this.triggers.resume(workspaceId, trigger, caller.actor)) };
  }

  @Post(':triggerId/rotate')
  @ApiOperation({
    summary: 'Give a trigger a new address or secret',
    description:
      'Makes a new address, a new secret, or both, and shows them only now. The former ones stay valid for `overlapHours`, so that no delivery is refused while the sender changes over.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(200, { data: OpenedTriggerView }, 'The trigger with what is new.', { also: [409] })
  async rotateTrigger(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Body() { url = false, secret = false, secretValue, overlapHours = 24 }: RotateTriggerBody,
  ) {
    if (!url && !secret && secretValue === undefined)
      throw Invalid.field('', 'must name what is to change: url, secret, or secretValue', 'required');
    if (secret && secretValue !== undefined)
      throw Invalid.field('secretValue', 'must be left out where secret makes a new one', 'conflict');
    const trigger = await this.triggers.get(workspaceId, workflowId, id);
    const rotation = { token: url, secret: secretValue ?? secret, overlapHours };
    const opened = await this.triggers.rotate(workspaceId, trigger, rotation, caller.actor);
    return { data: OpenedTriggerView.ofOpened(opened, this.settings.publicUrl) };
  }

  @Post(':triggerId/run')
  @ApiOperation({
    summary: 'Run a trigger now',
    description:
      'Makes a test delivery with this body, which starts an execution for the caller. It needs no signature, is not filtered, and is taken also while the trigger is paused.',
  })
  @RequirePermission('write', 'workflow')
  @ApiBody({ type: RunTriggerBody, required: false })
  @Idempotent('exec')
  @ApiResult(202, { data: StartedByHandView }, 'The execution is accepted.', { also: [402, 409, 422] })
  async runTrigger(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Body() body: RunTriggerBody,
  ) {
    const trigger = await this.triggers.get(admission.workspaceId, workflowId, id);
    const { body: event = null, headers = {}, query = {} } = body;
    requireTexts('headers', headers);
    requireTexts('query', query);
    return new KeyedWork(`run ${id}`, body, async (once) => {
      return this.toStarted(await this.hooks.test(admission, trigger, once, { body: event, headers, query }));
    });
  }

  @Get(':triggerId/deliveries')
  @ApiOperation({
    summary: 'List the deliveries of a trigger',
    description:
      'Lists what came to the trigger and what became of it. Accepted deliveries are kept as long as executions; of each other verdict the newest 1000 are kept, and 100 forged ones.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: [DeliveryView] }, 'One page of deliveries, the newest first.', { paged: true })
  async listDeliveries(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Query() query: DeliveriesQuery,
  ) {
    await this.triggers.get(workspaceId, workflowId, id);
    const page = await this.deliveries.list(workspaceId, id, { ...query, ...toRange(query) });
    return { data: page.items.map((item) => DeliveryView.of(item)), nextCursor: page.nextCursor };
  }

  @Get(':triggerId/deliveries/:deliveryId')
  @ApiOperation({
    summary: 'Read one delivery',
    description: 'Shows a delivery with its headers and its body, as the sender sent them.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: DeliveryDetailView }, 'The delivery with its headers and its body.')
  async getDelivery(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    await this.triggers.get(workspaceId, workflowId, id);
    return { data: DeliveryDetailView.ofDetail(await this.deliveries.get(workspaceId, id, deliveryId)) };
  }

  @Post(':triggerId/deliveries/:deliveryId/replay')
  @ApiOperation({
    summary: 'Replay a delivery',
    description:
      'Starts a new execution from the headers and the body of a delivery, on the live version and with the template of now. It acts for the caller.',
  })
  @RequirePermission('write', 'workflow')
  @Idempotent('exec')
  @ApiResult(202, { data: StartedByHandView }, 'The execution is accepted.', { also: [402, 409, 422] })
  async replayDelivery(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    const trigger = await this.triggers.get(admission.workspaceId, workflowId, id);
    const delivery = await this.deliveries.get(admission.workspaceId, id, deliveryId);
    if (delivery.verdict === 'forged')
      throw new Conflict(
        'A forged delivery is not replayed, because nothing proves its sender.',
        'DELIVERY_FORGED',
      );
    return new KeyedWork(`replay ${deliveryId}`, null, async (once) => {
      return this.toStarted(await this.hooks.replay(admission, trigger, once, delivery));
    });
  }

  @Post(':triggerId/deliveries/replay')
  @ApiOperation({
    summary: 'Replay deliveries of a query',
    description:
      'Replays the deliveries with a verdict, the oldest first, for example those that came while the trigger was paused. This call replays each delivery once, however often it is sent: send it with its `nextCursor` until `hasMore` is false. What a sender has sent again starts one execution, and a delivery that has started since is left out.',
  })
  @RequirePermission('write', 'workflow')
  @ApiResult(
    200,
    { data: ReplaysView },
    'The replays, each with its execution or the reason why there is none.',
  )
  async replayDeliveries(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Param('triggerId') id: string,
    @Body() body: ReplayDeliveriesBody,
  ) {
    const { verdict, limit = 50, cursor } = body;
    const { workspaceId } = admission;
    const trigger = await this.triggers.get(workspaceId, workflowId, id);
    const query = { verdict, limit, cursor, ...toRange(body) };
    const { items, isLast } = await this.deliveries.listUnreplayed(trigger, query);
    const replays: ReplayedView[] = [];
    let [reached, isLimited] = [cursor ?? null, false];
    for (const { delivery, cursor: behind } of items) {
      const replayOf = delivery.id;
      try {
        const { executionId } = await this.hooks.replayOnce(admission, trigger, delivery);
        replays.push({ replayOf, executionId, error: null });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        replays.push({ replayOf, executionId: null, error: { code: error.code, message: error.message } });
        // The rest would be refused too, and stays for the next call with this one.
        isLimited = error.kind === 'tooMany' || error.kind === 'unpaid' || error.kind === 'unavailable';
        if (isLimited) break;
      }
      reached = behind;
    }
    const hasMore = isLimited || !isLast;
    return { data: { replays, hasMore, nextCursor: hasMore ? reached : null } };
  }

  private toStarted({ deliveryId, executionId }: FirstDelivery) {
    const data: StartedByHandView = { deliveryId, executionId, statusUrl: this.views.statusUrl(executionId) };
    return new HttpAnswer({ data });
  }
}

/** Throws `Invalid` for a header or a member of the query that no sender could send. */
function requireTexts(field: 'headers' | 'query', values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    const texts = field === 'query' && Array.isArray(value) ? value : [value];
    if (texts.some((text) => typeof text !== 'string'))
      throw Invalid.field(
        `${field}.${name}`,
        field === 'query' ? 'must be text, or a list of texts' : 'must be text',
        'type',
      );
  }
}

function toRange(range: { from?: string; to?: string }): Record<'from' | 'to', Date | undefined> {
  const [from, to] = [parseTime(range, 'from'), parseTime(range, 'to', { wholeDay: true })];
  requireTimeOrder(from, to, 'to', 'from');
  return { from, to };
}
