import { fc } from '#libs/platform/text/support/random';
import { addressBytes, isMetadata, isPublic, parseRange, within } from './addresses.ts';

/** The IANA registries, each row by its first and last address; `open` is the column "globally reachable". */
const registry: [first: string, last: string, open: boolean][] = [
  ['0.0.0.0', '0.255.255.255', false],
  ['10.0.0.0', '10.255.255.255', false],
  ['100.64.0.0', '100.127.255.255', false],
  ['127.0.0.0', '127.255.255.255', false],
  ['169.254.0.0', '169.254.255.255', false],
  ['172.16.0.0', '172.31.255.255', false],
  ['192.0.0.0', '192.0.0.255', false],
  ['192.0.2.0', '192.0.2.255', false],
  ['192.31.196.0', '192.31.196.255', true],
  ['192.52.193.0', '192.52.193.255', true],
  ['192.88.99.0', '192.88.99.255', false],
  ['192.168.0.0', '192.168.255.255', false],
  ['192.175.48.0', '192.175.48.255', true],
  ['198.18.0.0', '198.19.255.255', false],
  ['198.51.100.0', '198.51.100.255', false],
  ['203.0.113.0', '203.0.113.255', false],
  ['224.0.0.0', '239.255.255.255', false],
  ['240.0.0.0', '255.255.255.255', false],
  ['::', '::', false],
  ['::1', '::1', false],
  ['::ffff:10.0.0.0', '::ffff:10.255.255.255', false],
  ['::ffff:1.1.1.1', '::ffff:9.9.9.9', true],
  ['64:ff9b::', '64:ff9b::ffff:ffff', false],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', false],
  ['100::', '100::ffff:ffff:ffff:ffff', false],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', true],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
];

const publicAddresses = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '3ffe:ffff::1',
];

function judged(text: string): boolean {
  const bytes = addressBytes(text);
  if (!bytes) throw new Error(`${text} is not an address.`);
  return isPublic(bytes);
}

describe('isPublic', () => {
  test.each(registry)('%s to %s: %j', (first, last, open) => {
    expect([judged(first), judged(last)]).toEqual([open, open]);
  });

  test.each(publicAddresses)('%s is open', (address) => {
    expect(judged(address)).toBe(true);
  });

  test.each(['2600::5efe:10.0.0.1', '2600::200:5efe:10.0.0.1'])('%s, ISATAP, is not', (address) => {
    expect(judged(address)).toBe(false);
  });

  test('isPublic agrees for an IPv4 address and its mapped form in IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(judged(`::ffff:${address}`)).toBe(judged(address));
      }),
    );
  });
});

describe('addressBytes', () => {
  const none = [
    '',
    'x',
    '1',
    '127.1',
    '0177.0.0.1',
    '1.2.3.4.',
    '[::1]',
    '::1%lo',
    '1.2.3.4/8',
    ' 1.2.3.4',
    '::g',
  ];
  test.each(none)('addressBytes takes no %j', (text) => {
    expect(addressBytes(text)).toBeUndefined();
  });
});

describe('isMetadata', () => {
  const wrapped = ['::ffff:169.254.169.254', '::169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1'];
  const teredo = '2001:0:4136:e378:8000:63bf:5601:5601';
  test.each(['169.254.169.254', '168.63.129.16', 'fd00:ec2::254', ...wrapped, teredo])('%s is', (address) => {
    expect(isMetadata(addressBytes(address) ?? [])).toBe(true);
  });

  test.each(['169.254.169.253', '1.1.1.1', '::1', '64:ff9b::101:101'])('%s is not', (address) => {
    expect(isMetadata(addressBytes(address) ?? [])).toBe(false);
  });
});

describe('within', () => {
  test.each<[string, string, boolean]>([
    ['10.1.2.3', '0.0.0.0/0', true],
    ['10.1.2.3', '10.1.2.3/32', true],
    ['10.1.2.3', '10.1.2.2/31', true],
    ['10.1.2.3', '10.1.2.0/31', false],
    ['10.127.0.1', '10.0.0.0/9', true],
    ['10.128.0.1', '10.0.0.0/9', false],
    ['10.1.2.3', '::/0', false],
    ['fd00::1', 'fd00::/8', true],
    ['fe00::1', 'fd00::/8', false],
  ])('%s in %s: %j', (address, range, inside) => {
    const block = parseRange(range);
    expect(block && within(addressBytes(address) ?? [], block)).toBe(inside);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10/8', '10.0.0.0/', '10.0.0.0/8/8', 'x/8', '10.0.0.0/-1'])(
    '%s is no block',
    (text) => {
      expect(parseRange(text)).toBeUndefined();
    },
  );
});
