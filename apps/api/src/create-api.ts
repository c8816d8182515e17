import { NestFactory } from '@nestjs/core';
import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { Limits } from '#libs/workspace/limits/limits';
import { StorageQuota } from '#libs/workspace/limits/storage-quota';
import { Settings } from '#libs/platform/settings/settings';
import { ApiAndWorkerModule, ApiModule, refusalFormats } from './api.module.ts';
import { CodecGuard, codecTokenFirst } from './codec/codec.guard.ts';
import { serveConsole } from './console/console-routes.ts';
import { controllers } from './controllers.ts';
import { declaresNeed } from './http/route-decorators.ts';
import { serverRefusals } from './http/error.filter.ts';
import { filesFirst } from './http/files-first.ts';
import { RequestCallers } from './http/request-callers.ts';
import { authenticateBeforeBody, narrowPublicRoutes } from './http/authenticate-before-body.ts';
import { OpenCalls } from './http/open-calls.ts';
import { refuseUnderPressure } from './http/pressure.ts';
import { actForCallers } from './http/actor-context.ts';
import { countRequests, scopeRequests } from './http/request-telemetry.ts';
import { createServerAdapter, rememberRoutes, type ServerSettings } from './http/server.ts';
import { ErrorFilter } from './http/error.filter.ts';
import { limitPublicRoutes, PublicRateLimiter } from './http/public-rate-limiter.ts';
import { refuseUncheckedInput, validation } from './http/validation.ts';
import { describeApi } from './openapi-document.ts';
import { refuseUnknownHosts } from './mcp/known-hosts.ts';
import { ApiOperations } from './mcp/operations.ts';
import { AuthorizationServer } from './oauth/authorization-server.ts';
import { serveOAuth, serveResourceMetadata } from './oauth/oauth-routes.ts';
import { CalledTriggers } from '#libs/triggers/called-triggers';
import { checkFormBeforeBody } from './forms/form-before-body.ts';
import { findHookBeforeBody } from './triggers/hook-before-body.ts';
import { PauseLinkResolver, validateLinkBeforeBody } from './pauses/pause-link-resolver.ts';

/** Builds the API, ready to listen. With `preview` nothing starts: the API can only be described. */
export async function createApi(
  settings: ServerSettings & Pick<Settings, 'publicCallsPerMinute' | 'roles'> & { metricsOn: boolean },
  { preview = false, logger }: { preview?: boolean; logger: LoggerService | false },
): Promise<NestFastifyApplication> {
  refuseUndeclared();
  const adapter = createServerAdapter(settings, refusalFormats);
  const root = settings.roles === 'api,worker' ? ApiAndWorkerModule : ApiModule;
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    preview,
    logger,
    bodyParser: false,
    abortOnError: false,
    bufferLogs: false,
  });
  const server = app.getHttpAdapter().getInstance();
  const listMethods = rememberRoutes(server);
  narrowPublicRoutes(server);
  scopeRequests(server);
  if (settings.metricsOn) countRequests(server);
  actForCallers(server);
  app.useGlobalPipes(validation);
  if (!preview) {
    const strangers = new PublicRateLimiter(settings.publicCallsPerMinute);
    limitPublicRoutes(server, strangers);
    let document: OpenAPIObject | undefined;
    // The description takes a tenth of the start, and few processes are asked for it.
    const describe = () => (document ??= describeApi(app));
    app.get(ApiOperations).describeBy(describe);
    SwaggerModule.setup('docs', app, describe, {
      ui: false,
      jsonDocumentUrl: 'openapi.json',
      yamlDocumentUrl: 'openapi.yaml',
    });
    answerUnknownPaths(app, listMethods);
    const { eventLoopDelayMsMax, openCallsMax, publicUrl, mcpHosts } = app.get(Settings);
    await refuseUnderPressure(server, eventLoopDelayMsMax);
    refuseUnknownHosts(server, publicUrl, mcpHosts);
    const [openCalls, attempts] = [new OpenCalls(openCallsMax), app.get(RefusedAttempts)];
    const callers = app.get(RequestCallers);
    authenticateBeforeBody(server, callers, app.get(Limits), { openCalls, attempts });
    findHookBeforeBody(server, app.get(CalledTriggers), { strangers, openCalls });
    checkFormBeforeBody(server, app.get(CalledTriggers), app.get(StorageQuota));
    filesFirst(server, { attempts, room: app.get(StorageQuota) });
    validateLinkBeforeBody(server, app.get(PauseLinkResolver));
    codecTokenFirst(server, new CodecGuard(app.get(Settings)));
    await server.register(async (scope) => {
      const errors = app.get(ErrorFilter);
      scope.setErrorHandler((error, request, reply) => errors.answerError(error, request, reply));
      serveResourceMetadata(scope, publicUrl);
      await serveOAuth(scope, app.get(AuthorizationServer));
      await serveConsole(scope);
    });
  }
  return app;
}

/**
 * Stops the boot when a handler declares no permission or takes input without a shape. Such a handler would serve
 * anyone, or take anything.
 */
function refuseUndeclared(): void {
  for (const { name, prototype } of controllers) {
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const handles =
        method !== 'constructor' && typeof value === 'function' && Reflect.hasMetadata('path', value);
      if (handles && !declaresNeed(value)) throw new Error(`${name}.${method} declares no permission.`);
      if (handles) refuseUncheckedInput(name, prototype, method);
    }
  }
}

/** Answers 405 with `Allow` when the path exists with other methods, and 404 when it does not exist. */
function answerUnknownPaths(app: NestFastifyApplication, methodsOf: (path: string) => string[]): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, reply, next) => {
    if (!request.is404) return next();
    const allowed = methodsOf(request.url.split('?')[0] ?? '');
    const status = allowed.length > 0 ? 405 : 404;
    if (allowed.length > 0) reply.header('Allow', allowed.join(', '));
    const refusal = { ...serverRefusals[status], requestId: request.id };
    reply
      .status(status)
      .type('application/json')
      .send(refusalFormats.write(request.url, status, refusal));
  });
}
