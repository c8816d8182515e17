import { createHash, createHmac } from 'node:crypto';
import { sign as signAsGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { type HmacSettings, type HookCall, type SchemeName, verify } from '../schemes.ts';

export const nowMs = Date.UTC(2026, 10, 26, 12);
export const hmac: HmacSettings = {
  header: 'X-Sum',
  algorithm: 'sha512',
  encoding: 'base64',
  prefix: 'v=',
  timestampHeader: 'X-Time',
  toleranceSeconds: 30,
};
export const standardSecret = `whsec_${Buffer.from('a key of thirty-two random bytes').toString('base64')}`;
export const plainSecret = 'a secret of the sender';
export const json = JSON.stringify({ id: 'evt_1', text: 'Grüße', webhookTimestamp: nowMs });
const form = 'CallSid=CA1&Body=one%0D%0Atwo&Caller=%2B1415&To=a&To=b';
const fields = { CallSid: 'CA1', Body: 'one\r\ntwo', Caller: '+1415', To: ['b', 'a'] };
const signedFields = 'Bodyone\r\ntwoCallSidCA1Caller+1415ToaTob';
export const url = 'https://hooks.example.org/hooks/token?x=1';

export interface SignedDelivery {
  headers: Record<string, string>;
  body?: string;
  url?: string;
  parsed?: HookCall['parsed'];
}

/** Signs as the library of the sender does, or as its documentation says where the library is large: a slow test compares it with that library. */
export interface WebhookSender {
  secret?: string;
  sign: (secret: string, atMs: number) => SignedDelivery | Promise<SignedDelivery>;
  /** The seconds after which a delivery is too old; absent for a sender that signs no time. */
  tolerance?: number;
}

export const sum = (algorithm: string, secret: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, secret).update(text).digest(encoding);
export const inSeconds = (atMs: number) => Math.floor(atMs / 1000);

function signAsStandard(prefix: 'webhook' | 'svix', library: typeof Webhook | typeof SvixWebhook) {
  return (secret: string, atMs: number): SignedDelivery => ({
    headers: {
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: String(inSeconds(atMs)),
      [`${prefix}-signature`]: new library(secret).sign('msg_1', new Date(atMs), json),
    },
  });
}

export const senders: Record<string, WebhookSender & { scheme: SchemeName }> = {
  'standard-webhooks': {
    scheme: 'standard-webhooks',
    secret: standardSecret,
    sign: signAsStandard('webhook', Webhook),
    tolerance: 300,
  },
  svix: {
    scheme: 'standard-webhooks',
    secret: standardSecret,
    sign: signAsStandard('svix', SvixWebhook),
    tolerance: 300,
  },
  stripe: {
    scheme: 'stripe',
    sign: (secret, atMs) => ({
      headers: {
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload: json,
          secret,
          timestamp: inSeconds(atMs),
        }),
      },
    }),
    tolerance: 300,
  },
  github: {
    scheme: 'github',
    sign: async (secret) => ({ headers: { 'x-hub-signature-256': await signAsGithub(secret, json) } }),
  },
  'gitlab with a token': { scheme: 'gitlab', sign: (secret) => ({ headers: { 'x-gitlab-token': secret } }) },
  'gitlab with a signing token': {
    scheme: 'gitlab',
    secret: standardSecret,
    sign: signAsStandard('webhook', Webhook),
    tolerance: 300,
  },
  slack: {
    scheme: 'slack',
    sign: (secret, atMs) => {
      const time = String(inSeconds(atMs));
      return {
        headers: {
          'x-slack-request-timestamp': time,
          'x-slack-signature': `v0=${sum('sha256', secret, `v0:${time}:${json}`, 'hex')}`,
        },
      };
    },
    tolerance: 300,
  },
  shopify: {
    scheme: 'shopify',
    sign: (secret) => ({ headers: { 'x-shopify-hmac-sha256': sum('sha256', secret, json, 'base64') } }),
  },
  'shopify with an event': {
    scheme: 'shopify',
    sign: (secret) => ({ headers: { 'shopify-hmac-sha256': sum('sha256', secret, json, 'base64') } }),
  },
  'twilio with a form': {
    scheme: 'twilio',
    sign: (secret) => ({
      body: form,
      parsed: fields,
      headers: { 'x-twilio-signature': sum('sha1', secret, url + signedFields, 'base64') },
    }),
  },
  'twilio with a shared key': {
    scheme: 'twilio',
    sign: (secret) => ({
      body: form,
      parsed: fields,
      headers: {
        'x-twilio-signature': sum('sha256', secret, url + signedFields, 'base64'),
        'x-twilio-webhooks-signature-settings': 'key=webhooks_sharedkey_1,algorithm=HMAC_SHA256',
      },
    }),
  },
  'twilio with JSON': {
    scheme: 'twilio',
    sign: (secret) => {
      const hashed = `${url}&bodySHA256=${createHash('sha256').update(json).digest('hex')}`;
      return { url: hashed, headers: { 'x-twilio-signature': sum('sha1', secret, hashed, 'base64') } };
    },
  },
  linear: {
    scheme: 'linear',
    sign: (secret, atMs) => {
      const parsed = { id: 'evt_1', webhookTimestamp: atMs };
      const body = JSON.stringify(parsed);
      return { body, parsed, headers: { 'linear-signature': sum('sha256', secret, body, 'hex') } };
    },
    tolerance: 60,
  },
  hmac: {
    scheme: 'hmac',
    sign: (secret, atMs) => {
      const time = String(inSeconds(atMs));
      return {
        headers: { 'x-time': time, 'x-sum': `v=${sum('sha512', secret, `${time}.${json}`, 'base64')}` },
      };
    },
    tolerance: 30,
  },
  bearer: { scheme: 'bearer', sign: (secret) => ({ headers: { authorization: `Bearer ${secret}` } }) },
};

/** Returns why a delivery is not trusted, or null. */
export function judge(scheme: SchemeName, signed: SignedDelivery, secrets: string[], atMs = nowMs) {
  const body = Buffer.from(signed.body ?? json);
  const parsed = signed.parsed ?? JSON.parse(json);
  const call = { headers: signed.headers, url: signed.url ?? url, body, parsed };
  return verify(scheme, call, secrets, { hmac, nowMs: atMs });
}
