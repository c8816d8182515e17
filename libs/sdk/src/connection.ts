import { ConfigurationError } from './errors.ts';
import type { CallOptions, HoldfastOptions, LogEntry } from './options.ts';
import { version } from './version.ts';

/** The settings of a client with every default filled in. */
export interface Connection {
  baseUrl: string;
  apiKey: string | undefined;
  workspaceId: string | undefined;
  timeout: number;
  maxRetries: number;
  headers: Record<string, string>;
  logger: ((entry: LogEntry) => void) | undefined;
  fetch: typeof fetch;
}

/** A call waits this time for its answer, and for each part of it, in milliseconds. */
export const getTimeout = ({ timeout }: Connection, options: CallOptions): number =>
  options.timeout ?? timeout;

/** Checks the settings and fills in the defaults. Throws ConfigurationError. */
export function readConnection(options: HoldfastOptions): Connection {
  const baseUrl = options.baseUrl ?? environment('HOLDFAST_URL') ?? ownOrigin() ?? 'http://localhost:3000';
  const apiKey = options.apiKey ?? environment('HOLDFAST_API_KEY');
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new ConfigurationError(
      `baseUrl must be an address with http or https, and is ${JSON.stringify(baseUrl)}.`,
    );
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new ConfigurationError('apiKey has a space, a line end or another character that no key has.');
  if (apiKey !== undefined && isBrowser() && options.allowKeyInBrowser !== true)
    throw new ConfigurationError(
      'A key in a browser can be read by everybody who opens the page. Call a server of yours that adds the key, or set allowKeyInBrowser.',
    );
  const { timeout = 60_000, maxRetries = 2 } = options;
  if (!(timeout > 0)) throw new ConfigurationError('timeout must be a number of milliseconds above 0.');
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new ConfigurationError('maxRetries must be a whole number from 0.');
  return {
    // Every path begins with a slash.
    baseUrl: baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl,
    apiKey,
    workspaceId: options.workspaceId ?? environment('HOLDFAST_WORKSPACE_ID'),
    timeout,
    maxRetries,
    headers: { ...userAgent(options.userAgent), ...options.headers },
    logger: options.logger,
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
  };
}

interface Runtime {
  process?: { env?: Record<string, string | undefined>; version?: string };
  window?: unknown;
  document?: unknown;
  location?: { origin: string };
  Deno?: unknown;
}

const runtime = (): Runtime => globalThis;

function environment(name: string): string | undefined {
  return runtime().process?.env?.[name] || undefined;
}

function isBrowser(): boolean {
  const { window, document, Deno } = runtime();
  return window !== undefined && document !== undefined && Deno === undefined;
}

/** A page calls the installation that has served it: its cookie of a session goes along there, and nowhere else. */
function ownOrigin(): string | undefined {
  const origin = isBrowser() ? runtime().location?.origin : undefined;
  // A page from a file has no origin.
  return origin === 'null' ? undefined : origin;
}

/** Browsers set this header themselves. */
function userAgent(prefix: string | undefined): Record<string, string> {
  if (isBrowser()) return {};
  const own = `holdfast-sdk-typescript/${version} node/${runtime().process?.version ?? 'unknown'}`;
  return { 'user-agent': prefix ? `${prefix} ${own}` : own };
}
