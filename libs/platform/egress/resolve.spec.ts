import { addressesIn, systemResolve } from './resolve.ts';

describe('addressesIn', () => {
  const hosts = `
127.0.0.1\tlocalhost  Printer # the old one
::1 localhost
#10.0.0.9 hidden
10.0.0.7 db.internal db # hidden
`;
  test.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['PRINTER', ['127.0.0.1']],
    ['db', ['10.0.0.7']],
    ['hidden', []],
    ['10.0.0.7', []],
  ])('addressesIn gives %s the addresses %j', (name, addresses) => {
    expect(addressesIn(hosts, name)).toEqual(addresses);
  });
});

describe('systemResolve', () => {
  test('systemResolve finds names of the hosts file', async () => {
    expect(await systemResolve('localhost')).toContain('127.0.0.1');
  });

  test('systemResolve rejects a name that no server knows', async () => {
    await expect(systemResolve('name.invalid')).rejects.toThrow();
  });
});
