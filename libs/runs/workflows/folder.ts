import { Invalid } from '#libs/platform/errors/errors';

export const folderMax = 200;

/**
 * A folder is a path of names with slashes between them, such as `sales/eu`; the empty path is the top. A folder
 * exists while a workflow is in it. Throws for a comma, because lists of folders use commas.
 */
export function parseFolder(path: string, field = 'folder'): string {
  const rule = 'must be names with slashes between them, without commas and without spaces at their ends';
  const isName = (name: string) => name !== '' && name === name.trim() && !name.includes(',');
  if (path !== '' && !path.split('/').every(isName)) throw Invalid.field(field, rule, 'pattern');
  return path;
}
