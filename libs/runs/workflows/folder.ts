import { Invalid } from '#libs/platform/errors/errors';

export const folderMax = 200;

/**
 * A folder is a path of names with slashes between them, as `sales/eu`; the empty one is the top. There is a folder as long as a
 * workflow lies in it. Refuses a comma, because lists of folders are written with commas.
 */
export function folderOf(path: string, field = 'folder'): string {
  const rule = 'must be names with slashes between them, without commas and without spaces at their ends';
  const isName = (name: string) => name !== '' && name === name.trim() && !name.includes(',');
  if (path !== '' && !path.split('/').every(isName)) throw Invalid.field(field, rule, 'pattern');
  return path;
}
