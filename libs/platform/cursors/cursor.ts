import { Injectable } from '@nestjs/common';
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
 * Opaque cursors for lists. A cursor is valid only in this installation, for the workspace, filter and order that made it. A changed
 * cursor, and a cursor of another list, is refused.
 */
@Injectable()
export class Cursors {
  constructor(private readonly settings: Settings) {}

  /** Makes a page and the cursor of the next page. Pass `limit` + 1 rows if there are so many: the extra row shows that a next page exists. */
  page<T>(rows: T[], limit: number, scope: string, position: (row: T) => CursorPosition): Page<T> {
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? this.seal(position(last), scope) : null };
  }

  open(cursor: string | undefined, scope: string): CursorPosition | null {
    if (cursor === undefined) return null;
    const [body = '', mac = '', ...rest] = cursor.split('.');
    // Compares the texts, because several texts decode to the same bytes.
    if (rest.length > 0 || !sameBytes(mac, this.mac(body, scope))) {
      throw Invalid.field(
        'cursor',
        'is not a cursor of this list: pass nextCursor with the same filters',
        'cursor',
      );
    }
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as CursorPosition;
  }

  /** Makes the cursor that continues after a position. */
  seal(position: CursorPosition, scope: string): string {
    const body = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${body}.${this.mac(body, scope)}`;
  }

  private mac(body: string, scope: string): string {
    const mac = keyedHash(this.settings.secret, 'cursor', `${scope}\n${body}`);
    // 128 bits are enough, because a cursor is used for minutes, and they keep the URL short.
    return Buffer.from(mac, 'base64url').subarray(0, 16).toString('base64url');
  }
}
