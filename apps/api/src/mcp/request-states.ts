import { createHash } from 'node:crypto';
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import { canonicalJson } from '#libs/platform/json/canonical';
import type { JsonObject } from '#libs/platform/json/json';
import { keyedHash } from '#libs/platform/crypto/crypto';

/** The state that a client carries between the rounds of one call: the execution of the first round, and the questions. */
export interface CallState {
  executionId: string;
  asked: string[];
}

/** The longest time between two rounds of a client. */
const ttlSeconds = 86_400;

export interface CallIdentity {
  actor: { kind: string; id: string };
  serverId: string;
  tool: string;
  arguments: JsonObject;
}

/** Signed states, valid for one caller and one call. They are readable and contain no secrets. */
export function callStates(secret: string, identity: CallIdentity): RequestStateCodec<CallState> {
  const { actor, serverId, tool, arguments: args } = identity;
  const call = createHash('sha256')
    .update(canonicalJson([actor.kind, actor.id, serverId, tool, args]))
    .digest('hex');
  return createRequestStateCodec<CallState>({
    key: keyedHash(secret, 'mcp-request-state', 'key'),
    ttlSeconds,
    bind: () => call,
  });
}
