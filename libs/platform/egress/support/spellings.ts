/** Spellings of an address that a reader, a list or a regular expression may not recognise. */

type Radix = (value: number) => string;

const radices: Radix[] = [
  (value) => String(value),
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0${value.toString(8)}`,
  (value) => `0x${value.toString(16).padStart(12, '0')}`,
  (value) => `0${value.toString(8).padStart(14, '0')}`,
];

/** Spellings with one to four parts (inet_aton; the last part contains the remaining bytes), in one radix or several. */
export function spellingsOf4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const parts = [
    [a, b, c, d],
    [a, b, c * 256 + d],
    [a, (b * 256 + c) * 256 + d],
    [((a * 256 + b) * 256 + c) * 256 + d],
  ];
  const plain = parts.flatMap((values) => radices.map((radix) => values.map(radix).join('.')));
  const mixed = parts.map((values) => values.map((value, at) => radices[(at + 1) % 4]?.(value)).join('.'));
  return [
    ...plain,
    ...mixed,
    ...[...plain.slice(0, 4), ...mixed].map((text) => `${text}.`),
    ...scripts(address),
  ];
}

/** Spellings with digits and dots of other scripts, which IDNA maps to ASCII, and with percent encoding, which the parser decodes. */
function scripts(address: string): string[] {
  const fullwidth = swap(address, (digit) => String.fromCodePoint(0xff10 + digit));
  const circled = swap(address, (digit) => (digit === 0 ? '⓪' : String.fromCodePoint(0x245f + digit)));
  const bold = swap(address, (digit) => String.fromCodePoint(0x1d7ce + digit));
  const subscript = swap(address, (digit) => String.fromCodePoint(0x2080 + digit));
  const percent = swap(address, (digit) => `%3${digit}`);
  const dots = ['。', '．', '｡', '%2e'].map((dot) => address.replaceAll('.', dot));
  const hidden = ['\u00ad', '\u200b', '\ufe0f', '\t', '\n'].map((mark) => address.replace('.', `${mark}.`));
  return [fullwidth, circled, bold, subscript, percent, ...dots, ...hidden];
}

function swap(address: string, digitOf: (digit: number) => string): string {
  return address.replace(/\d/g, (digit) => digitOf(Number(digit)));
}

/** IPv6 forms that end with, or contain, the IPv4 address. */
export function wrappings6(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const inverted = `${((a * 256 + b) ^ 0xffff).toString(16)}:${((c * 256 + d) ^ 0xffff).toString(16)}`;
  return [
    `[::ffff:${address}]`,
    `[::ffff:${hex}]`,
    `[0:0:0:0:0:ffff:${hex}]`,
    `[0000:0000:0000:0000:0000:FFFF:${hex}]`,
    `[::${address}]`,
    `[::${hex}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${hex}]`,
    `[::ffff:0:${address}]`,
    `[2002:${hex}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[2001:db8::5efe:${address}]`,
    `[2600::5efe:${hex}]`,
  ];
}

export const closedHosts = [
  '0',
  '0x0',
  '00000000',
  '127.0.0.2',
  '127.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0001]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
  '[4000::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

export const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛocalhost',
  'local%68ost',
  'anything.localhost',
  'localhost.localdomain',
  'ip6-localhost',
  '127.0.0.1.example',
  '127-0-0-1.example',
  'internal',
  'metadata.google.internal',
  'instance-data',
  'kubernetes.default.svc',
  'a'.repeat(63),
  'xn--bcher-kva.example',
  '_underscore.example',
];

/** Whole URLs that look like they have another host. `canary` is `127.0.0.1:port`. */
export function tricks(canary: string): string[] {
  return [
    `http://public.example@${canary}/`,
    `http://public.example:80@${canary}/`,
    `http://public.example%40@${canary}/`,
    `http://:@${canary}/x:y@`,
    `http://user@${canary}/`,
    `http://${canary}@public.example/`,
    `http://public.example\\@${canary}/`,
    `http://${canary}\\@public.example/`,
    `http://${canary}#@public.example/`,
    `http://${canary}?@public.example/`,
    `http://${canary}&@public.example/`,
    `http://public.example#@${canary}/`,
    `http:${canary}/`,
    `http:/${canary}/`,
    `http:///${canary}/`,
    `http:\\\\${canary}/`,
    `HTTP://${canary}/`,
    `ht\ntp://${canary}/`,
    `\u0000http://${canary}/`,
    `  http://${canary}/  `,
    `https://${canary}/`,
    `//${canary}/`,
    `/ok`,
    ``,
    `http://`,
    `http://?`,
    `http://[::1`,
    `http://[fe80::1%25eth0]/`,
    `http://[::1%lo]/`,
    `http://[v1.::1]/`,
    `http://127.0.0.1:99999/`,
    `http://256.256.256.256/`,
    `http://127.0.0.1.1/`,
    `http://0x100000000/`,
    `ws://${canary}/`,
    `ftp://${canary}/`,
    `gopher://${canary}/_GET`,
    `dict://${canary}/`,
    `ldap://${canary}/`,
    `jar:http://${canary}!/`,
    `blob:http://${canary}/x`,
    `view-source:http://${canary}/`,
    `file:///etc/passwd`,
    `file://${canary}/etc/passwd`,
    `data:text/plain,hello`,
    `javascript:1`,
    `unix:///var/run/docker.sock`,
    `http+unix://%2Fvar%2Frun%2Fdocker.sock/containers`,
    `http://unix:/var/run/docker.sock:/containers`,
    `node:fs`,
  ];
}
