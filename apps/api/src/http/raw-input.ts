import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const getRequest = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The parsed body, unchecked, for a handler that checks it itself. Every other body has a class that the pipe checks. */
export const RawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext) => getRequest(context).body,
);

/** The query parameters, unchecked. Pages take them, because every wrong link must get the same page. */
export const RawQuery = createParamDecorator(
  (_: unknown, context: ExecutionContext) => getRequest(context).query,
);
