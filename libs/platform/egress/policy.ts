import { addressBytes, isMetadata, isPublic, parseRange, within, type Range } from './addresses.ts';

/** The addresses that may be called, and the limits of a call. The limits are defaults; a request may replace them. */
export interface EgressPolicy {
  /** Exceptions to "public addresses only": `host`, `host:port`, `[v6]:port`, an address, or a CIDR block. */
  allow: string[];
  /** For name lookup, TCP and TLS together. */
  connectTimeoutMs: number;
  /** From the call to the last byte of the last redirect. */
  timeoutMs: number;
  /** Counted after decompression. */
  responseBytesMax: number;
  redirectsMax: number;
  /** The size of an answer's header section, in bytes. */
  headersBytesMax: number;
}

/** The target of a connection: the name as the URL has it, the port, and one address that the name resolved to. */
export interface Target {
  hostname: string;
  port: number;
  address: string;
}

const defaults: EgressPolicy = {
  allow: [],
  connectTimeoutMs: 5_000,
  timeoutMs: 30_000,
  responseBytesMax: 10 * 1024 * 1024,
  redirectsMax: 5,
  headersBytesMax: 16 * 1024,
};

/** Adds the defaults: no exceptions, 5 s to connect, 30 s in all, 10 MiB of body, 5 redirects, 16 KiB of headers. */
export function buildPolicy(given: Partial<EgressPolicy> = {}): EgressPolicy {
  return { ...defaults, ...given };
}

/** The entries of the setting `name`, a comma-separated list. Throws for an entry that cannot be read. */
export function parseAllowedTargets(text: string, name = 'EGRESS_ALLOW'): string[] {
  const allow = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  compileGate(allow, name);
  return allow;
}

/**
 * Compiles which names a header `Host` may have at a URL. A private host with an exception for its name may have other sites beside
 * it, so there the header needs an exception for its name, too.
 */
export function compileHostNames(allow: readonly string[]): (url: URL, host: string) => boolean {
  const rules = allow.map((entry) => parseRule(entry));
  return ({ hostname, port, protocol }, host) => {
    const at = Number(port || (protocol === 'https:' ? 443 : 80));
    const isNamed = (name: string) =>
      rules.some((rule) => rule.name === bareName(name) && (rule.port ?? at) === at);
    return !isNamed(hostname) || isNamed(host.replace(/:\d+$/, ''));
  };
}

interface Rule {
  name?: string;
  range?: Range;
  port?: number;
}

/**
 * Compiles the exceptions into a check for each connection. Throws for a malformed entry, so a typing error stops the boot and does
 * not silently allow or refuse a target.
 */
export function compileGate(allow: readonly string[], name?: string): (target: Target) => boolean {
  const rules = allow.map((entry) => parseRule(entry, name));
  return ({ hostname, port, address }) => {
    const bytes = addressBytes(address);
    if (!bytes) return false;
    const hits = rules.filter((rule) => (rule.port ?? port) === port && names(rule, hostname, bytes));
    // Metadata services give credentials of this machine. Only an exception for the exact address allows them, not a block or a name.
    if (isMetadata(bytes)) return hits.some((rule) => rule.range && rule.range.bits === bytes.length * 8);
    return isPublic(bytes) || hits.length > 0;
  };
}

function names(rule: Rule, hostname: string, bytes: readonly number[]): boolean {
  return rule.range ? within(bytes, rule.range) : rule.name === bareName(hostname);
}

function parseRule(entry: string, name = 'EGRESS_ALLOW'): Rule {
  const range = parseRange(entry);
  if (range) return { range };
  const text = `http://${addressBytes(entry) && entry.includes(':') ? `[${entry}]` : entry}`;
  if (!URL.canParse(text) || /[/?#@*\\]/.test(entry))
    throw new Error(`${name}: "${entry}" is not a host, a host:port or a CIDR block.`);
  const url = new URL(text);
  // The URL parser drops `:80` as the default port, so this reads the port from the text.
  const port = /:(\d+)$/.exec(addressBytes(entry) ? '' : entry)?.[1];
  const bytes = addressBytes(url.hostname.replace(/^\[|\]$/g, ''));
  const where = bytes ? { range: { bytes, bits: bytes.length * 8 } } : { name: bareName(url.hostname) };
  return port ? { ...where, port: Number(port) } : where;
}

function bareName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
