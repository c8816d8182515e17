import { ConfigurationError } from './errors.ts';
import type { Transport } from './transport.ts';

/** The calls of one resource. */
export class Resource {
  constructor(protected readonly transport: Transport) {}

  /** A value as one segment of a path. */
  protected segment(value: string | number): string {
    const text = String(value);
    // `..` would lead to another path, and an empty segment to another operation.
    if (text === '' || text === '.' || text === '..')
      throw new ConfigurationError(`An id is missing: ${JSON.stringify(value)} cannot stand in a path.`);
    return encodeURIComponent(text);
  }
}
