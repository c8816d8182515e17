import { compileGate, parseAllowedTargets } from './policy.ts';

function passes(allow: string, target: string): boolean {
  const [hostname = '', port = '', address = ''] = target.split(' ');
  return compileGate(allow.split(',').filter(Boolean))({ hostname, port: Number(port), address });
}

describe('compileGate', () => {
  test.each<[allow: string, target: string, open: boolean]>([
    ['', 'public.example 443 1.1.1.1', true],
    ['', 'public.example 443 10.0.0.1', false],
    ['', 'public.example 443 not-an-address', false],
    ['db.internal', 'db.internal 5432 10.0.0.1', true],
    ['db.internal', 'DB.internal. 5432 10.0.0.1', true],
    ['db.internal', 'xdb.internal 5432 10.0.0.1', false],
    ['db.internal', 'db.internal.evil 5432 10.0.0.1', false],
    ['db.internal:80', 'db.internal 80 10.0.0.1', true],
    ['db.internal:80', 'db.internal 8080 10.0.0.1', false],
    ['10.0.0.1', 'any.example 80 10.0.0.1', true],
    ['10.0.0.1', 'any.example 80 10.0.0.2', false],
    ['10.0.0.1:80', '10.0.0.1 80 10.0.0.1', true],
    ['10.0.0.1:80', '10.0.0.1 81 10.0.0.1', false],
    ['10.0.0.1', 'any.example 80 ::ffff:10.0.0.1', true],
    ['10.0.0.0/8', 'any.example 80 10.255.0.1', true],
    ['10.0.0.0/8', 'any.example 80 11.0.0.1', true],
    ['10.0.0.0/8', 'any.example 80 127.0.0.1', false],
    ['fd00::/8', 'any.example 80 fd12::1', true],
    ['::1', '::1 80 ::1', true],
    ['[::1]:80', '::1 80 ::1', true],
    ['[::1]:80', '::1 81 ::1', false],
    ['10.0.0.0/8,127.0.0.1:9', 'x 9 127.0.0.1', true],
  ])('allow %j, then %s: %j', (allow, target, open) => {
    expect(passes(allow, target)).toBe(open);
  });

  test.each<[allow: string, open: boolean]>([
    ['', false],
    ['169.254.0.0/16', false],
    ['0.0.0.0/0', false],
    ['metadata.internal', false],
    ['169.254.169.254:81', false],
    ['169.254.169.254', true],
    ['169.254.169.254:80', true],
    ['169.254.169.254/32', true],
  ])('allow %j reaches the metadata address: %j', (allow, open) => {
    expect(passes(allow, 'metadata.internal 80 169.254.169.254')).toBe(open);
  });

  test('the metadata address stays shut behind a NAT64 prefix that is open', () => {
    expect(passes('64:ff9b::/96', 'x 80 64:ff9b::a9fe:a9fe')).toBe(false);
    expect(passes('64:ff9b::/96', 'x 80 64:ff9b::101:101')).toBe(true);
  });
});

describe('parseAllowedTargets', () => {
  test('parseAllowedTargets splits the list at its commas', () => {
    expect(parseAllowedTargets(' a.internal:80, 10.0.0.0/8 ,,')).toEqual(['a.internal:80', '10.0.0.0/8']);
    expect(parseAllowedTargets('')).toEqual([]);
  });

  const wrong = [
    'http://a',
    'a/b',
    '*.internal',
    'a b',
    'user@a',
    '10.0.0.0/33',
    '10.0.0.0/8:80',
    'a:99999',
    'a?',
    '::1:x]',
  ];
  test.each(wrong)('parseAllowedTargets refuses %j', (entry) => {
    expect(() => parseAllowedTargets(entry)).toThrow(`EGRESS_ALLOW: "${entry}" is not a host`);
  });
});
