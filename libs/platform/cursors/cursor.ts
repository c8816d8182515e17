import { Global, Injectable, Module } from '@nestjs/common';
import { Invalid } from '#libs/platform/errors/errors';
import { keyedHash, sameBytes } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';

/** One page of a list, and the cursor of the next page; null on the last page. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** The position of a row in a list that is ordered by time and id. */
export interface CursorPosition {
  at: string;
  id: string;
}

/**
 * Opaque positions in lists. A cursor is bound to the workspace, filter and order that made it, and to this
 * installation: one that was changed, or taken to another list, is refused.
 */
@Injectable()
export class Cursors {
  constructor(private readonly settings: Settings) {}

  /** Makes a page and its cursor from the rows, of which there is one more than `limit` when there is a next page. */
  page<T>(rows: T[], limit: number, scope: string, position: (row: T) => CursorPosition): Page<T> {
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? this.seal(position(last), scope) : null };
  }

  open(cursor: string | undefined, scope: string): CursorPosition | null {
    if (cursor === undefined) return null;
    const [body = '', mac = '', ...rest] = cursor.split('.');
    // The texts are compared and not their bytes, because several texts decode to the same bytes.
    if (rest.length > 0 || !sameBytes(mac, this.mac(body, scope))) {
      throw Invalid.field(
        'cursor',
        'is not a cursor of this list: pass nextCursor with the same filters',
        'cursor',
      );
    }
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as CursorPosition;
  }

  /** The cursor of what comes after a position. */
  seal(position: CursorPosition, scope: string): string {
    const body = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${body}.${this.mac(body, scope)}`;
  }

  private mac(body: string, scope: string): string {
    const mac = keyedHash(this.settings.secret, 'cursor', `${scope}\n${body}`);
    // 128 bits are enough for a value that is used for minutes, and keep it short in a URL.
    return Buffer.from(mac, 'base64url').subarray(0, 16).toString('base64url');
  }
}

@Global()
@Module({ providers: [Cursors], exports: [Cursors] })
export class PagesModule {}
