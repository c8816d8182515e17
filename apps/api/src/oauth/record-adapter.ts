import type { Adapter, AdapterPayload } from 'oidc-provider';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import type { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { parseResource } from './resources.ts';

/** The life of a record without an end of its own: a day. */
const expiresInSMax = 24 * 60 * 60;

/** Gives the library our records of one kind. No row has the secret of a record: it is added when the record is read. */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly records: OAuthRecords,
    private readonly publicUrl: string,
  ) {}

  async upsert(id: string, whole: AdapterPayload, expiresIn?: number): Promise<void> {
    const { grantId = null, uid = null } = whole;
    const isGrant = this.kind === 'Grant';
    const isInGrant = this.kind.endsWith('Token') || this.kind === 'AuthorizationCode';
    await this.records.keep(this.kind, id, {
      payload: toJson({ ...whole, jti: undefined }),
      grantId: isGrant ? id : isInGrant ? grantId : null,
      uid: this.kind === 'Session' ? uid : null,
      serverId: isGrant ? this.findServer(whole) : null,
      expiresInS: expiresIn ?? expiresInSMax,
    });
  }

  /** The server of a grant: its only resource names it. */
  private findServer({ resources }: AdapterPayload): string | null {
    const [resource = ''] = isObject(resources) ? Object.keys(resources) : [];
    return parseResource(this.publicUrl, resource);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.records.findRecord(this.kind, id);
    if (!record) return undefined;
    return {
      ...record.payload,
      jti: id,
      ...(record.consumedAt ? { consumed: record.consumedAt.getTime() / 1000 } : {}),
    };
  }

  /** The library asks only for sessions this way. The secret of a session is its cookie, which the browser sends itself. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return (await this.records.findByUid(this.kind, uid))?.payload;
  }

  /** Devices without a browser are not supported. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    await this.records.consume(this.kind, id);
  }

  async destroy(id: string): Promise<void> {
    await this.records.forget(this.kind, id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.records.forgetGrant(grantId);
  }
}

function toJson(payload: object): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(payload));
  return isObject(json) ? json : {};
}
