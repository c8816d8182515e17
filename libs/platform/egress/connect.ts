import { once } from 'node:events';
import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { addressBytes } from './addresses.ts';
import { compileGate, type EgressPolicy } from './policy.ts';
import { EgressFailed, EgressRefused } from './egress-errors.ts';

/** Resolves a name to all its addresses, as text. Throws when there are none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

interface Endpoint {
  hostname: string;
  port: number;
  secure: boolean;
  addresses: string[];
}

/**
 * Opens sockets for undici. It resolves the name once, checks every address, and connects only to a checked address. If one address
 * is not allowed, it refuses the name, so that a mix of public and private addresses never reaches a private one.
 */
export function buildConnectorFor(policy: EgressPolicy, resolve: ResolveHost): buildConnector.connector {
  const gate = compileGate(policy.allow);
  const open = async (options: buildConnector.Options, late: AbortSignal): Promise<Socket> => {
    const { hostname } = options;
    const secure = options.protocol === 'https:';
    const port = Number(options.port || (secure ? 443 : 80));
    const addresses = await resolveChecked({ gate, resolve }, { hostname, port }, late);
    return connected({ hostname, port, secure, addresses }, late);
  };
  return (options, callback) => {
    open(options, AbortSignal.timeout(policy.connectTimeoutMs)).then(
      (socket) => {
        socket.on('error', (error) => bytesBefore.set(error, socket.bytesRead));
        callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** The bytes that had come over a connection, by the error that ended it. */
const bytesBefore = new WeakMap<object, number>();

/** True for the error of a connection over which bytes had come. */
export const hadGivenBytes = (error: unknown): boolean => (bytesBefore.get(Object(error)) ?? 0) > 0;

/** How a host becomes addresses, and which of them may be called. */
interface Door {
  gate: ReturnType<typeof compileGate>;
  resolve: ResolveHost;
}

/** Resolves a host to its addresses. Throws `EgressRefused` when one of them is not allowed, `EgressFailed` when there is none. */
export async function resolveChecked(
  { gate, resolve }: Door,
  { hostname, port }: Pick<Endpoint, 'hostname' | 'port'>,
  late: AbortSignal,
): Promise<string[]> {
  // Node calls no lookup hook for an IP literal (12 of 12 spellings of loopback passed one), so the check is here.
  const addresses = isIP(hostname) ? [hostname] : await resolved(resolve, hostname, late);
  if (!addresses.every((address) => gate({ hostname, port, address }))) throw EgressRefused.host(hostname);
  return addresses;
}

async function resolved(resolve: ResolveHost, hostname: string, late: AbortSignal): Promise<string[]> {
  // The system's resolver cannot cancel a lookup, so its result is ignored after the time-out.
  const timeUp = once(late, 'abort').then(() => {
    throw new EgressFailed('TIMEOUT', `The name ${hostname} did not resolve in time.`);
  });
  try {
    const addresses = await Promise.race([resolve(hostname), timeUp]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (error instanceof EgressFailed) throw error;
    throw new EgressFailed('DNS_FAILED', `The name ${hostname} does not resolve.`, false, error);
  }
  throw new EgressFailed('DNS_FAILED', `The name ${hostname} has no address.`);
}

function connected(endpoint: Endpoint, late: AbortSignal): Promise<Socket> {
  const { hostname, port, secure } = endpoint;
  // Only the address is fixed; SNI, certificate check and Host use the name. SNI must not contain an IP literal.
  const socket = secure
    ? connectTls({
        ...pinned(endpoint),
        servername: isIP(hostname) ? '' : hostname,
        ALPNProtocols: ['http/1.1'],
      })
    : connectTcp(pinned(endpoint));
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.destroy();
      late.removeEventListener('abort', onLate);
      reject(error);
    };
    const onLate = (): void =>
      fail(new EgressFailed('TIMEOUT', `${hostname}:${port} did not connect in time.`));
    const onError = (error: Error): void => fail(toRefusal(error, endpoint));
    late.addEventListener('abort', onLate, { once: true });
    socket.once('error', onError);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      if (!endpoint.addresses.some((address) => same(address, socket.remoteAddress))) {
        return fail(EgressRefused.host(hostname));
      }
      late.removeEventListener('abort', onLate);
      socket.off('error', onError);
      resolve(socket.setNoDelay(true));
    });
  });
}

function pinned({ hostname, port, addresses }: Endpoint) {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const answer: LookupFunction = (_name, options, callback) => {
    const [first] = all;
    if (options.all || !first) callback(null, all);
    else callback(null, first.address, first.family);
  };
  return { host: hostname, port, lookup: answer, autoSelectFamily: true };
}

function toRefusal(error: Error & { code?: string }, { hostname, port, secure }: Endpoint): EgressFailed {
  const tls =
    secure &&
    !/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|TIMEDOUT|CONNRESET|ADDRNOTAVAIL)$/.test(error.code ?? '');
  return tls
    ? new EgressFailed('TLS_FAILED', `${hostname}:${port} has no TLS that can be trusted.`, false, error)
    : new EgressFailed('CONNECT_FAILED', `${hostname}:${port} cannot be reached.`, false, error);
}

function same(address: string, remote: string | undefined): boolean {
  const [a, b] = [addressBytes(address), addressBytes(remote ?? '')];
  return a !== undefined && b !== undefined && a.join() === b.join();
}
