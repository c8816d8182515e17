import { toReturnAddress } from './return-address.ts';

const origin = 'https://flows.example.com';

test.each([
  ['/console', '/console'],
  ['/console/', '/console/'],
  ['/console?a=b', '/console?a=b'],
  [
    '/console/w/ws_1/executions?status=failed&q=a%2Fb//c',
    '/console/w/ws_1/executions?status=failed&q=a%2Fb//c',
  ],
  ['/console/w/ws_1?q=é', '/console/w/ws_1?q=%C3%A9'],
  ['/console/account#token=abc', '/console/account'],
  ['/oauth/consent/aB3_-x', '/oauth/consent/aB3_-x'],
])('the page %s is a return address', (asked, found) => {
  expect(toReturnAddress(asked, origin)).toBe(found);
});

const hostile = [
  '',
  'console',
  'https://evil.example/console',
  'https://flows.example.com/console',
  'https:/console',
  '//evil.example',
  '//evil.example/console/',
  '///evil.example/console',
  '/\\evil.example/console',
  '\\\\evil.example',
  '/console/..//evil.example',
  '/console/..//127.0.0.1:5296/console/sign-in',
  '/console/../\\evil.example',
  '/console/..\\/evil.example',
  '/console//evil.example',
  '/console/w//evil.example',
  '/console\\..\\..\\evil',
  '/console/../api/v1/users/me',
  '/console/..',
  '/console/.',
  '/console/a/../b',
  '/console/%2e%2e/api',
  '/console/%2E./%2e.//evil.example',
  '/console/.%2e//evil.example',
  '/console/%252e%252e/api',
  '/console/..%2f..%2fevil',
  '/console/%2f%2fevil.example',
  '/console/%5c%5cevil.example',
  '/console/%00',
  '/console/%0d%0aLocation:%20https://evil.example',
  '/con\tsole',
  '/\t/evil.example/console',
  '/\n/evil.example',
  '\t//evil.example',
  ' /console',
  '/console\0',
  '/console/\u202Egnp.evil',
  '/console/\u0085',
  '/consoleevil',
  '/console.evil.example',
  '/console@evil.example',
  '/console:8080@evil.example/',
  '/Console',
  '/%63onsole',
  'javascript:alert(1)//console/',
  'data:text/html,/console/',
  '/oauth/consent/../token',
  '/oauth/consent/a/b',
  '/oauth/consent/',
  '/oauth/authorize',
  '/api/v1/sign-in/providers/corp?link=1',
  '/',
  `/console/${'a'.repeat(1000)}`,
];

test.each(hostile)('the address %j leads nowhere', (asked) => {
  expect(toReturnAddress(asked, origin)).toBeNull();
});

test('no spelling leads to another origin, or to a path outside of the two places', () => {
  const parts = [
    '/',
    '//',
    '\\',
    '..',
    '.',
    '%2e',
    '%2f',
    '\t',
    '@',
    ':',
    'console',
    'evil.example',
    '?',
    '#',
    'oauth/consent/',
  ];
  for (const a of parts)
    for (const b of parts)
      for (const c of parts)
        for (const d of parts) {
          const found = toReturnAddress(`/console${a}${b}${c}${d}`, origin);
          if (found === null) continue;
          const led = new URL(found, origin);
          expect([
            found,
            led.origin,
            /^\/console(\/|$)/.test(led.pathname),
            led.pathname.includes('//'),
          ]).toEqual([found, origin, true, false]);
        }
});
