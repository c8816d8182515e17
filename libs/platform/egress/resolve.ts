import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import type { ResolveHost } from './connect.ts';

const hostsFile = process.platform === 'win32' ? 'C:/Windows/System32/drivers/etc/hosts' : '/etc/hosts';

/** The time limit of the first query, in milliseconds. The second try has twice as much. */
const timeoutMs = 1500;
const tries = 2;

/**
 * Resolves a name with the hosts file, then with the name servers of the system. It does not use the thread pool of Node. There, a
 * name whose servers do not answer would block one of four threads for many seconds, and delay other lookups and files.
 */
export const systemResolve: ResolveHost = async (hostname) => {
  const known = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), hostname);
  return known.length > 0 ? known : queried(hostname);
};

/** The addresses that a hosts file gives a name, in its order. */
export function addressesIn(hosts: string, hostname: string): string[] {
  const wanted = hostname.toLowerCase();
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    return names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}

/** The IPv4 and IPv6 addresses. When both queries fail, throws the error of the first. */
async function queried(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}
