import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The parsed body as it arrived, for a handler that checks it by itself. Every other body has a class that the pipe checks. */
export const RawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).body,
);

/** The parameters of the address as they arrived. The pages take them: a link of which anything is wrong gets one and the same page. */
export const RawQuery = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).query,
);
