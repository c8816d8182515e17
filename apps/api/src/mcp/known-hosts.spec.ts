import { requireKnown } from './known-hosts.ts';

const known = ['localhost', '127.0.0.1', '[::1]', 'agents.example'];
const refusal = (host: string | undefined, origin?: string) => {
  try {
    requireKnown(host, origin, known);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

test.each(['localhost:3000', '127.0.0.1', '[::1]:8080', 'agents.example'])('the host %s is known', (host) => {
  expect(refusal(host)).toBeNull();
});

test.each([undefined, '', 'evil.example', 'localhost.evil.example', 'evil.example:3000', 'a b'])(
  'the host %p is refused, at every address',
  (host) => {
    expect(refusal(host)).toBe('UNKNOWN_HOST');
  },
);

test.each(['https://agents.example', 'http://localhost:6274'])('a page of %s may call', (origin) => {
  expect(refusal('localhost', origin)).toBeNull();
});

test.each(['https://evil.example', 'null', 'https://agents.example.evil.example', 'file://'])(
  'a page of %s may not call',
  (origin) => {
    expect(refusal('localhost', origin)).toBe('UNKNOWN_ORIGIN');
  },
);
