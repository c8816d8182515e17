/** One line of the log: a request that was sent, or what came of it. Headers that open something are masked. */
export interface LogEntry {
  level: 'debug' | 'info' | 'warn';
  message: string;
  verb: string;
  url: string;
  attempt: number;
  headers: Record<string, string>;
  status?: number;
  requestId?: string;
  durationMs?: number;
}

/** The progress of an upload. `totalBytes` is undefined where a stream does not tell its length. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number | undefined;
}

/** Settings of one call; they win over those of the client. */
export interface CallOptions {
  /** The longest wait for an answer, or between two parts of a stream, in milliseconds. */
  timeout?: number;
  /** The number of retries of a call that may be repeated. */
  maxRetries?: number;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Has 1 to 255 printable characters. Without it the client makes one where the API takes one, so that a retry does nothing twice. */
  idempotencyKey?: string;
  /** The ETag of what the caller has read: the change is refused with 412 when somebody was faster. */
  ifMatch?: string;
  onUploadProgress?: (progress: UploadProgress) => void;
}

/** Settings of a client. */
export interface HoldfastOptions {
  /** The address of the installation. Default: the environment variable HOLDFAST_URL; in a browser the origin of the page; else http://localhost:3000. */
  baseUrl?: string;
  /** A personal key or the key of a workspace. Default: the environment variable HOLDFAST_API_KEY. A page of the installation needs none: its session is a cookie. */
  apiKey?: string;
  /** The workspace of the calls that take one and name none. Default: the environment variable HOLDFAST_WORKSPACE_ID. */
  workspaceId?: string;
  /** In milliseconds; 60,000 by default. */
  timeout?: number;
  /** 2 by default. */
  maxRetries?: number;
  headers?: Record<string, string>;
  /** Stands before the name of this client in the header User-Agent. */
  userAgent?: string;
  logger?: (entry: LogEntry) => void;
  /** In place of the `fetch` of the platform. */
  fetch?: typeof fetch;
  /** A key in a browser can be read by everybody who opens the page. Only `true` lets this client hold one there. */
  allowKeyInBrowser?: boolean;
}
