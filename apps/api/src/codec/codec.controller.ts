import { Controller, HttpCode, Options, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Invalid } from '#libs/platform/errors/errors';
import { Unreadable } from '#libs/platform/temporal-client/payload-codec';
import { Unretrievable } from '#libs/platform/temporal-client/payload-store';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { Public } from '../http/route-decorators.ts';
import { parsePayloads, shown, type ShownPayload, parseSizes } from './codec-payloads.ts';
import { CodecGuard, NeedsCodecToken } from './codec.guard.ts';
import { RawBody } from '../http/raw-input.ts';

/**
 * The remote codec of Temporal. Its UI and CLI let these paths decrypt payloads, so that the keys never leave our
 * processes. The token opens the payloads of every workspace, so the paths exist only when a token is configured.
 */
@ApiExcludeController()
@Controller('codec')
@UseGuards(CodecGuard)
export class CodecController {
  constructor(private readonly temporal: TemporalClient) {}

  /** Answers the preflight request of a browser. The guard has set the headers. */
  @Options(['decode', 'encode', 'download'])
  @Public()
  @HttpCode(204)
  preflight(): void {}

  @Post('decode')
  @Public()
  @NeedsCodecToken()
  @HttpCode(200)
  async decode(@RawBody() body: unknown): Promise<{ payloads: ShownPayload[] }> {
    return shown(await readable(this.temporal.codec.decode(parsePayloads(body))), parseSizes(body));
  }

  /** Returns payloads that are too large for Temporal, for the references that Temporal holds instead. */
  @Post('download')
  @Public()
  @NeedsCodecToken()
  @HttpCode(200)
  async download(@RawBody() body: unknown): Promise<{ payloads: ShownPayload[] }> {
    const { codec, store } = this.temporal;
    const opened = store.resolve(parsePayloads(body)).then((stored) => codec.decode(stored));
    return shown(await readable(opened));
  }

  @Post('encode')
  @Public()
  @NeedsCodecToken()
  @HttpCode(200)
  async encode(@RawBody() body: unknown): Promise<{ payloads: ShownPayload[] }> {
    return shown(await this.temporal.codec.encode(parsePayloads(body)));
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
