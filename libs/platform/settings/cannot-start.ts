/** The process cannot do its work as things stand. The message is for the operator: what is wrong, and what to do. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** The sentence for an operator about an error that is no bug; null for any other error. */
export function toOperatorSentence(error: unknown): string | null {
  if (error instanceof CannotStart) return error.message;
  if (!(error instanceof Error)) return null;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const advice = advices.find(([pattern]) => pattern.test(code ?? ''))?.[1];
  if (!advice) return null;
  // An error of several addresses has no message of its own.
  const cause = error.message || (error instanceof AggregateError ? String(error.errors[0]) : code);
  return `${cause}${address && !error.message.includes(address) ? ` (${address}:${port})` : ''}. ${advice}`;
}

/** By SQLSTATE, or by the code of the system. */
const advices: [RegExp, string][] = [
  [
    /^28...$/,
    'Postgres refuses this login: check the user and the password in DATABASE_URL (and DATABASE_DIRECT_URL), and that pg_hba.conf lets this host in, with TLS if it must.',
  ],
  [/^(0A000|58P01)$/, 'Holdfast needs pgvector: install it on the server of Postgres.'],
  [/^42P01$/, 'The database is not prepared for this release: run the set-up first.'],
  [/^3D000$/, 'Make this database first, or name another one in DATABASE_URL.'],
  [
    /^42501$/,
    'The user in DATABASE_URL may not do this: set-up and operator commands need the owner of the schema.',
  ],
  [/^53300$/, 'Postgres has no connection left: raise its max_connections, or lower DATABASE_POOL_MAX.'],
  [/^57P0.$/, 'Postgres is starting or stopping: try again in a moment.'],
  [
    /^(ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT)/,
    'The server does not answer there: check that it runs, and the host and port in DATABASE_URL (and DATABASE_DIRECT_URL).',
  ],
  [
    /^(CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_TLS)/,
    'The certificate of Postgres is not accepted: give its authority as sslrootcert in DATABASE_URL.',
  ],
  [/^ENOSPC$/, 'The disk is full: make room, and run the command again.'],
  [/^(EACCES|EPERM|EROFS)$/, 'Give the user of this process access to it, or name another place.'],
];

/** Runs the work of an operator's program. An error that is no bug ends the process with one sentence, and exit code 1. */
export async function orExit<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const sentence = toOperatorSentence(error);
    if (sentence === null) throw error;
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  }
}
