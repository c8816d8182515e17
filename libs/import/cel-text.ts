import { languageNames } from '#libs/language/definition/expressions/ast';

export type CelSteps = (string | number)[];

/** A value in the scope of an expression: the name of a block, or of the scope, and the steps into it. */
export interface CelPlace {
  /** A name, or an expression in parentheses. */
  root: string;
  steps: CelSteps;
  /** Set where the other product has members that lie elsewhere here; there are no others then. */
  members?: Record<string, CelPlace>;
  /** The names of members that the other product has there, and that are not here. All others are missing there too, and read as null. */
  lacks?: string[];
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const isPlain = (step: string) => plainName.test(step) && !languageNames.has(step);

/** The place as an expression of its own, in which a missing member reads as null. */
export function writePath(place: CelPlace): string {
  const { root, steps } = place;
  if (place.members || root.startsWith('(')) return writeOptionalPath(place);
  const written = steps.map((step) =>
    typeof step === 'string' && isPlain(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return [root, ...written].join('');
}

/** Does so inside of a larger expression, where only optional steps read as null. */
export function writeOptionalPath({ root, steps, members }: CelPlace): string {
  if (members) {
    const pairs = Object.entries(members).map(
      ([key, one]) => `${JSON.stringify(key)}: dyn(${writePath(one)})`,
    );
    return `{${pairs.join(', ')}}`;
  }
  if (steps.length === 0) return root;
  const written = steps.map((step) =>
    typeof step === 'string' && isPlain(step) ? `.?${step}` : `[?${JSON.stringify(step)}]`,
  );
  return `${root}${written.join('')}.orValue(null)`;
}

/** A template that is the expression and nothing else. */
export const template = (expression: string) => `{{ ${expression} }}`;

/** Text that is to stay as it is: an opening pair of braces would begin an expression. */
export const literal = (text: string) => text.replaceAll('{{', '{{ "{{" }}');

/** The place further in; undefined when the other product has no such member there. */
export function stepInto(
  { root, steps, members, lacks }: CelPlace,
  step: string | number,
): CelPlace | undefined {
  if (root === 'null') return { root, steps };
  if (!members) return { root, steps: [...steps, step] };
  if (Object.hasOwn(members, step)) return members[step];
  return lacks && !lacks.includes(String(step)) ? { root: 'null', steps: [] } : undefined;
}

/** The first of several places that is not null, as where ways join of which only one was taken. */
export function getFirst(places: CelPlace[]): CelPlace {
  const [last, ...others] = places.toReversed();
  const root = others.reduce(
    (rest, one) => `(${writePath(getLeaf(one))} != null ? dyn(${writePath(one)}) : dyn(${rest}))`,
    last ? writePath(last) : 'null',
  );
  return { root, steps: [] };
}

/** A value inside of a place: an object that is put together here is never null itself. */
function getLeaf(place: CelPlace): CelPlace {
  const [inner] = Object.values(place.members ?? {});
  return inner ? getLeaf(inner) : place;
}
