import pg from 'pg';

/** An error with which Postgres answers a statement, with this SQLSTATE. */
export const toPostgresError = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('it failed', 0, 'error'), { code });
