import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { exactJson } from '#libs/exact-json/exact-json';

/** Writes answers with every digit of their numbers. */
@Injectable()
export class ExactAnswers implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (typeof answer === 'string') return answer;
        reply.type('application/json');
        return exactJson(answer);
      }),
    );
  }
}
