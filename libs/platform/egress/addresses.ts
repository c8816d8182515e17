import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A block of addresses: the first `bits` bits of `bytes` (4 bytes for IPv4, 16 for IPv6). */
export interface Range {
  bytes: readonly number[];
  bits: number;
}

/**
 * The bytes of a canonical IP literal. An IPv4-mapped IPv6 address gives its four IPv4 bytes, because the kernel connects to this
 * address. Undefined for anything else: names, zone ids (`fe80::1%eth0`), octal or short forms.
 */
export function addressBytes(text: string): number[] | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const bytes = ipaddr.parse(text).toByteArray();
  return within(bytes, mapped) ? bytes.slice(12) : bytes;
}

/** Parses `10.0.0.0/8`, `fd00::/8`. Undefined for anything else, a bare address included. */
export function parseRange(text: string): Range | undefined {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || rest.length > 0) return undefined;
  const bytes = ipaddr.parse(address).toByteArray();
  return Number(bits) > bytes.length * 8 ? undefined : { bytes, bits: Number(bits) };
}

/** True when the address lies in the block. Addresses of the other family never do. */
export function within(bytes: readonly number[], range: Range): boolean {
  if (bytes.length !== range.bytes.length) return false;
  for (let bit = 0; bit < range.bits; bit += 8) {
    const mask = (0xff << Math.max(0, 8 - (range.bits - bit))) & 0xff;
    const at = bit / 8;
    if (((bytes[at] ?? 0) & mask) !== ((range.bytes[at] ?? 0) & mask)) return false;
  }
  return true;
}

/**
 * True when the address is plain global unicast by the IANA special-purpose registries. The default is no: IPv6 outside 2000::/3 is
 * not public. Every form that contains an IPv4 address (NAT64, 6to4, Teredo, ISATAP, ::/96) is not public either, because a gateway
 * in our own network may unwrap it.
 */
export function isPublic(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return !closed4.some((range) => within(bytes, range));
  if (!within(bytes, globalUnicast) || isIsatap(bytes)) return false;
  return !closed6.some((range) => within(bytes, range));
}

/** True when the address, or an IPv4 address inside it, is the metadata service of a cloud, which gives credentials to machines. */
export function isMetadata(bytes: readonly number[]): boolean {
  return [bytes, ...wrapped(bytes)].some((candidate) => metadata.some((range) => within(candidate, range)));
}

function wrapped(bytes: readonly number[]): number[][] {
  if (bytes.length !== 16) return [];
  const last = bytes.slice(12);
  // Last four bytes (::/96, NAT64, ISATAP), bytes 2 to 5 (6to4), last four inverted (Teredo, RFC 4380).
  return [last, bytes.slice(2, 6), last.map((byte) => byte ^ 0xff)];
}

function isIsatap(bytes: readonly number[]): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function ranges(...texts: string[]): Range[] {
  return texts.map((text) => {
    const range = parseRange(text);
    if (!range) throw new Error(`Not an address range: ${text}`);
    return range;
  });
}

const mapped: Range = { bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0], bits: 96 };
const globalUnicast: Range = { bytes: [0x20, ...Array<number>(15).fill(0)], bits: 3 };

/** iana.org/assignments/iana-ipv4-special-registry, without the rows that are globally reachable. */
const closed4 = ranges(
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relay, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved and limited broadcast
);

/** iana.org/assignments/iana-ipv6-special-registry, rows inside 2000::/3 only: `isPublic` refuses the rest already. */
const closed6 = ranges(
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
);

/** AWS, GCP, Azure and most others; Alibaba; Oracle; Azure's wire server (a public address); AWS and GCP over IPv6. */
const metadata = ranges(
  '169.254.169.254/32',
  '169.254.170.2/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
);
