import { createHash } from 'node:crypto';
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import { canonicalJson } from '#libs/platform/json/canonical';
import type { JsonObject } from '#libs/platform/json/json';
import { keyedHash } from '#libs/platform/crypto/crypto';

/** A client carries this between the rounds of one call: the execution that the first round began, and what it was asked. */
export interface CallState {
  executionId: string;
  asked: string[];
}

/** A client may take so many seconds between two rounds. */
const ttlSeconds = 86_400;

export interface CallIdentity {
  actor: { kind: string; id: string };
  serverId: string;
  tool: string;
  arguments: JsonObject;
}

/** Signed states that count for one caller and one call alone. They can be read, and hold nothing that opens anything. */
export function callStates(secret: string, identity: CallIdentity): RequestStateCodec<CallState> {
  const { actor, serverId, tool, arguments: given } = identity;
  const call = createHash('sha256')
    .update(canonicalJson([actor.kind, actor.id, serverId, tool, given]))
    .digest('hex');
  return createRequestStateCodec<CallState>({
    key: keyedHash(secret, 'mcp-request-state', 'key'),
    ttlSeconds,
    bind: () => call,
  });
}
