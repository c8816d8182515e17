import { Body, Controller, HttpCode, NotFoundException, Options, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Denied, Invalid, Unauthenticated } from '#libs/faults/faults';
import { Unreadable } from '#libs/link/payload-codec';
import { Unretrievable } from '#libs/link/payload-store';
import { TemporalLink } from '#libs/link/temporal-link';
import { Settings } from '#libs/settings/settings';
import { headerOf, Public } from '../http/caller.guard.ts';
import { opensCodec } from './codec-token.ts';
import { payloadsOf, shown, type ShownPayload, sizesOf } from './codec-payloads.ts';

/**
 * Temporal's remote codec: its UI and CLI ask here to have payloads opened, so that keys never leave our processes.
 * Whoever has the token reads every workspace, so there is no such path unless one is configured.
 */
@ApiExcludeController()
@Controller('codec')
export class CodecController {
  constructor(
    private readonly temporal: TemporalLink,
    private readonly settings: Settings,
  ) {}

  /** A browser asks first, and cannot send a token with that question. */
  @Options(['decode', 'encode', 'download'])
  @Public()
  @HttpCode(204)
  preflight(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    this.admitOrigin(request, reply);
  }

  @Post('decode')
  @Public()
  @HttpCode(200)
  async decode(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<{ payloads: ShownPayload[] }> {
    this.admit(request, reply);
    return shown(await readable(this.temporal.codec.decode(payloadsOf(body))), sizesOf(body));
  }

  /** What is too large for Temporal, for the references that stand there in its place. */
  @Post('download')
  @Public()
  @HttpCode(200)
  async download(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<{ payloads: ShownPayload[] }> {
    this.admit(request, reply);
    const { codec, store } = this.temporal;
    const opened = store.resolve(payloadsOf(body)).then((kept) => codec.decode(kept));
    return shown(await readable(opened));
  }

  @Post('encode')
  @Public()
  @HttpCode(200)
  async encode(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<{ payloads: ShownPayload[] }> {
    this.admit(request, reply);
    return shown(await this.temporal.codec.encode(payloadsOf(body)));
  }

  private admit(request: FastifyRequest, reply: FastifyReply): void {
    const { token } = this.admitOrigin(request, reply);
    if (!opensCodec(headerOf(request, 'authorization'), headerOf(request, 'x-codec-key'), token))
      throw new Unauthenticated('The codec asks for its own token, as Bearer or in X-Codec-Key.');
  }

  /** Only pages of the one origin may read the answer; the CLI and a proxy send no origin. Cookies are never asked for. */
  private admitOrigin(request: FastifyRequest, reply: FastifyReply): { token: string } {
    const { codec } = this.settings;
    if (!codec) throw new NotFoundException();
    const origin = headerOf(request, 'origin');
    if (origin === undefined) return codec;
    reply.header('Vary', 'Origin');
    if (origin !== codec.origin) throw new Denied('This origin may not use the codec.');
    void reply.headers({
      'Access-Control-Allow-Origin': codec.origin,
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'authorization, content-type, x-codec-key, x-namespace',
      'Access-Control-Max-Age': '600',
    });
    return codec;
  }
}

async function readable<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Unretrievable)
      throw Invalid.field('payloads', error.message, 'unreadable');
    throw error;
  }
}
