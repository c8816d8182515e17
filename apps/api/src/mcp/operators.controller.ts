import { Controller, Logger, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { isObject } from '#libs/platform/json/json';
import { Limits } from '#libs/workspace/limits/limits';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { ForAgents, RequirePermission, Unmetered } from '../http/route-decorators.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { RawQuery } from '../http/raw-input.ts';
import { writeRateHeaders } from '../http/rate-headers.ts';
import { OperatorCalls } from './operator-calls.ts';
import { operatorServer } from './operator-server.ts';
import { ApiOperations } from './operations.ts';
import { answerByMcp, requireOneMessage } from './web-exchange.ts';

/** The endpoint through which an operator's agent reaches all of the API, with the permissions of its key. */
@ApiExcludeController()
@Controller('api/mcp')
export class OperatorsController {
  private readonly log = new Logger(OperatorsController.name);

  constructor(
    private readonly operations: ApiOperations,
    private readonly calls: OperatorCalls,
    private readonly limits: Limits,
    private readonly lasting: LastingAnswers,
  ) {}

  @Post()
  @RequirePermission('read', 'caller')
  @Unmetered()
  @ForAgents()
  async callOperatorServer(
    @CurrentCaller() { payer }: Admission,
    @RawQuery() { readonly }: { readonly?: unknown },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | string> {
    const message = requireOneMessage(request.body);
    // The operation itself takes its token.
    const { name } = isObject(message.params) ? message.params : {};
    if (name !== 'read' && name !== 'write')
      writeRateHeaders(reply, await this.limits.takeTokens(payer, 'api'), 'api');
    const { operations, calls, lasting } = this;
    const isReadOnly = readonly !== undefined && readonly !== 'false';
    const onerror = (error: Error) => this.log.debug(error.message);
    return answerByMcp(() => operatorServer({ operations, calls, isReadOnly }, request), {
      request,
      reply,
      lasting,
      onerror,
    });
  }
}
