import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Database } from '#libs/database/database';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import { Public } from '../http/caller.guard.ts';

const withinMs = 2000;

/** For whoever keeps the processes running. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  static stopping = false;

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
  ) {}

  /** The event loop turns. */
  @Get('live')
  @ApiOperation({ summary: 'Whether the process turns' })
  @Public()
  @ApiResponse({ status: 200, description: 'It does.' })
  live() {
    return { status: 'up' };
  }

  /** Each dependency by name. Without Temporal calls are still accepted and wait, so it does not make us unready. */
  @Get('ready')
  @ApiOperation({ summary: 'Whether the process can serve, dependency by dependency' })
  @Public()
  @ApiResponse({ status: 200, description: 'Ready.' })
  @ApiResponse({ status: 503, description: 'Not ready.' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const [database, temporal] = await Promise.all([
      this.databaseAnswers(),
      this.temporal.reachable(withinMs),
    ]);
    const up = database && !HealthController.stopping;
    reply.status(up ? 200 : 503);
    const word = (works: boolean) => (works ? 'up' : 'down');
    return {
      status: HealthController.stopping ? 'stopping' : word(up),
      dependencies: { database: word(database), temporal: word(temporal) },
    };
  }

  private async databaseAnswers(): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), withinMs).unref());
    return Promise.race([this.database.system('select 1').then(() => true), late]).catch(() => false);
  }
}
