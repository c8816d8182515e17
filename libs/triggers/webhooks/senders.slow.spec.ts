import { execFileSync } from 'node:child_process';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { installedPackages } from '#libs/platform/binaries/npm-packages';
import { json, judge, plainSecret, senders, type SignedDelivery, url } from './support/senders.ts';

/** Judges each delivery with the library of its sender, in a process whose folder has these libraries. Prints true for a trusted one. */
const driver = /* js */ `
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { shopifyApi } from '@shopify/shopify-api';
import '@shopify/shopify-api/adapters/web-api';
import slack from '@slack/bolt';
import twilio from 'twilio';

const tells = (work) => { try { return work() === true; } catch { return false; } };
const libraries = {
  slack: ({ secret, headers, body }) => slack.isValidSlackRequest({ signingSecret: secret, body, headers: {
    'x-slack-signature': headers['x-slack-signature'], 'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp']) } }),
  linear: ({ secret, headers, body }) => tells(() => new LinearWebhookClient(secret).verify(Buffer.from(body), headers['linear-signature'])),
  twilio: ({ secret, headers, body, url, parsed }) => {
    const algorithm = twilio.getSignatureAlgorithm(headers['x-twilio-webhooks-signature-settings']);
    const signature = headers['x-twilio-signature'];
    return url.includes('bodySHA256') ? twilio.validateRequestWithBody(secret, signature, url, body, algorithm)
      : twilio.validateRequest(secret, signature, url, parsed ?? {}, algorithm);
  },
  shopify: async ({ secret, headers, body, url }) => {
    const api = shopifyApi({ apiKey: 'key', apiSecretKey: secret, apiVersion: '2026-10', hostName: 'shop.test', isEmbeddedApp: false, logger: { level: 0 } });
    const prefix = 'shopify-hmac-sha256' in headers ? 'shopify' : 'x-shopify';
    const about = { topic: 'orders/create', 'shop-domain': 'a.myshopify.com', 'api-version': '2026-10', 'webhook-id': 'w1' };
    const more = Object.fromEntries(Object.entries(about).map(([name, value]) => [prefix + '-' + name, value]));
    const request = new Request(url, { method: 'POST', headers: { ...headers, ...more }, body });
    return (await api.webhooks.validate({ rawBody: body, rawRequest: request })).valid;
  },
};
const verdicts = [];
for (const call of JSON.parse(process.argv[1])) verdicts.push(await libraries[call.scheme](call));
process.stdout.write(JSON.stringify(verdicts));
`;

interface JudgedDelivery {
  signed: SignedDelivery;
  secret: string;
}

let folder: string;
beforeAll(async () => {
  folder = await installedPackages('libs/triggers/webhooks/support/webhook-senders');
});

const own = Object.entries(senders).filter(([, { scheme }]) =>
  ['slack', 'shopify', 'twilio', 'linear'].includes(scheme),
);

describeWith('the libraries of webhook senders').each(own)('%s', (_, { scheme, sign, tolerance }) => {
  test('the library of the sender trusts the deliveries that we trust, and no other', async () => {
    const atMs = Date.now();
    const good = await sign(plainSecret, atMs);
    const changed = { ...good, body: `${good.body ?? json} `, parsed: { CallSid: 'CA2' } };
    const cases: Record<string, JudgedDelivery> = {
      good: { signed: good, secret: plainSecret },
      'another secret': { signed: good, secret: 'another secret' },
      'another body': { signed: changed, secret: plainSecret },
      'another address': {
        signed: { ...good, url: (good.url ?? url).replace('token', 'other') },
        secret: plainSecret,
      },
      'a port': {
        signed: { ...good, url: (good.url ?? url).replace('.org', '.org:443') },
        secret: plainSecret,
      },
      ...(tolerance && {
        'long ago': { signed: await sign(plainSecret, atMs - (tolerance + 30) * 1000), secret: plainSecret },
      }),
    };
    const calls = Object.values(cases).map(({ signed, secret }) => ({
      url,
      body: json,
      ...signed,
      scheme,
      secret,
    }));
    const args = ['--input-type=module', '-e', driver, JSON.stringify(calls)];
    const theirs = JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
    const ours = Object.values(cases).map(
      ({ signed, secret }) => judge(scheme, signed, [secret], atMs) === null,
    );
    const named = (verdicts: boolean[]) =>
      Object.fromEntries(Object.keys(cases).map((name, at) => [name, verdicts[at]]));
    expect(named(ours)).toEqual(named(theirs));
    expect(named(theirs)).toMatchObject({ good: true, 'another secret': false, 'another body': false });
  });
});
