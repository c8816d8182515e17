import { Invalid } from '#libs/platform/errors/errors';

const choicesMax = 100;

/** Throws `Invalid` for types that are not among the known ones, and for lists that are too long. `at` is the path of the lists. */
export function requireChoices(
  { types = [], workflowIds = [] }: { types?: string[]; workflowIds?: string[] },
  known: readonly string[],
  at = '',
): void {
  for (const [field, list] of Object.entries({ types, workflowIds }))
    if (list.length > choicesMax)
      throw Invalid.field(`${at}${field}`, `must have at most ${choicesMax} items`, 'too_many');
  const wrong = types.findIndex((type) => !known.includes(type));
  if (wrong >= 0) throw Invalid.field(`${at}types.${wrong}`, `must be one of ${known.join(', ')}`, 'enum');
}
