import { newPageToken, pageLastsMs, readPageToken } from './form-page-token.ts';

const secret = 'a secret of an installation that is long enough';
const shownAtMs = Date.UTC(2026, 0, 1);
const token = newPageToken(secret, 'trg_1', shownAtMs);

describe('the token of a page of a form', () => {
  test('a page token says when its page was shown, for a day', () => {
    const page = readPageToken(secret, 'trg_1', token, shownAtMs + pageLastsMs);
    expect(page).toEqual({ id: token.split('.')[0], atMs: shownAtMs });
    expect(readPageToken(secret, 'trg_1', token, shownAtMs + pageLastsMs + 1)).toBeNull();
  });

  test('a page token holds for no other trigger, installation, page or time', () => {
    const [id = '', at = '', signature = ''] = token.split('.');
    const other = newPageToken(secret, 'trg_1', shownAtMs).split('.')[0] ?? '';
    const forged = [
      '',
      'a.b.c',
      `${id}.${at}`,
      `${other}.${at}.${signature}`,
      `${id}.${Number(at) + 1}.${signature}`,
    ];
    const read = (text: string, triggerId = 'trg_1', key = secret) =>
      readPageToken(key, triggerId, text, shownAtMs);
    expect(forged.map((text) => read(text))).toEqual(forged.map(() => null));
    expect([read(token, 'trg_2'), read(token, 'trg_1', `${secret}.`)]).toEqual([null, null]);
  });
});
