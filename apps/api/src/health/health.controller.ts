import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Database } from '#libs/platform/database/database';
import { StaleCache } from '#libs/workspace/limits/stale-cache';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { Public } from '../http/route-decorators.ts';
import { Bool, One, OneOf } from '../http/fields.ts';

const withinMs = 2000;
/** An answer is new for the first time, and given without waiting for a newer one until the second. */
const newForMs = 1_000;
const givenForMs = 5_000;

export class LivenessView {
  @OneOf(['up'], { description: 'Always `up`: a dead process does not answer.' }) status!: 'up';
}

export class DependenciesView {
  @OneOf(['up', 'down'], { description: 'The state of Postgres. Without it the process cannot serve.' })
  database!: 'up' | 'down';
  @OneOf(['up', 'down'], {
    description: 'The state of Temporal. While it is down, executions are accepted and start later.',
  })
  temporal!: 'up' | 'down';
}

export class ReadinessView {
  @OneOf(['up', 'down', 'stopping'], {
    description: '`up` when requests can be served; `stopping` once the process was told to end.',
  })
  status!: 'up' | 'down' | 'stopping';
  @One(() => DependenciesView, { description: 'The state of each dependency.' })
  dependencies!: DependenciesView;
  @Bool({
    description:
      'True while workers find runs that Temporal does not know, for example after a restore of an older store, and repair them.',
  })
  repairsRuns!: boolean;
}

/** Health checks for the system that starts and stops the processes. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  static stopping = false;

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
    private readonly settings: Settings,
  ) {}

  /** Asks no dependency: a process must not be restarted because a database is away. */
  @Get('live')
  @ApiOperation({
    summary: 'Check that the process is alive',
    description:
      'Tells a supervisor that the process needs no restart. It asks no database, because a restart does not bring a database back.',
  })
  @Public()
  @ApiResponse({ status: 200, type: LivenessView, description: 'The process is alive and answers requests.' })
  checkLiveness(): LivenessView {
    return { status: 'up' };
  }

  /** Reports each dependency. Without Temporal the process stays ready: it accepts executions, which start later. */
  @Get('ready')
  @ApiOperation({
    summary: 'Check that the process can serve requests',
    description:
      'Tells a load balancer whether to send calls here. Without Temporal it stays ready: executions are accepted and start later.',
  })
  @Public()
  @ApiResponse({ status: 200, type: ReadinessView, description: 'The process can serve requests.' })
  @ApiResponse({
    status: 503,
    type: ReadinessView,
    description: 'The process cannot serve requests: the database is away, or the process is stopping.',
  })
  async checkReadiness(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessView> {
    const { database, temporal, repairsRuns } = await this.dependencies.recent('all');
    const up = database && !HealthController.stopping;
    reply.status(up ? 200 : 503);
    const word = (works: boolean) => (works ? ('up' as const) : ('down' as const));
    return {
      status: HealthController.stopping ? 'stopping' : word(up),
      dependencies: { database: word(database), temporal: word(temporal) },
      repairsRuns,
    };
  }

  /**
   * Asks the dependencies at most once a second, and lets regular probes not wait for it. So a flood of probes cannot use up the
   * connections, and a dependency that answers late makes no probe fail.
   */
  private readonly dependencies = new StaleCache(async () => {
    const [{ database, repairsRuns }, temporal] = await Promise.all([
      this.readDatabase(),
      this.temporal.reachable(withinMs),
    ]);
    const now = performance.now();
    const times = { freshUntilMs: now + newForMs, staleAtMs: now + givenForMs };
    return { database, temporal, repairsRuns, ...times };
  });

  /** Tells whether the database answers, and whether a worker found a lost run in the last minute or its last two passes. */
  private async readDatabase(): Promise<{ database: boolean; repairsRuns: boolean }> {
    const away = { database: false, repairsRuns: false };
    const late = new Promise<typeof away>((resolve) => setTimeout(() => resolve(away), withinMs).unref());
    const answered = this.database
      .system<{ repairs: boolean }>(foundLately, [Math.max(60, (2 * this.settings.reconcileEveryMs) / 1000)])
      .then(([row]) => ({ database: true, repairsRuns: row?.repairs === true }));
    return Promise.race([answered, late]).catch(() => away);
  }
}

const foundLately = /* sql */ `
select exists (
  select from repairs where lost_run_found_at > now() - make_interval(secs => $1)
) as repairs`;
