import type { Schemas } from '../api/client.ts';
import { textsOfRuns } from '../texts-of-runs.ts';

type Visit = Pick<Schemas['VisitView'], 'status' | 'port' | 'failure' | 'output'>;

/** So many places of an output are named. */
const namedMax = 3;

/** How the second of two visits differs from the first, a phrase each. Their times are no difference. */
export function listDifferences(first: Visit, second: Visit): string[] {
  const t = textsOfRuns.compare;
  if (first.status !== second.status) return [t.differs];
  const said = [];
  if (first.port !== second.port) said.push(t.leaves(second.port ?? t.none, first.port ?? t.none));
  const [was, is] = [first.failure?.code, second.failure?.code];
  if (was !== is) said.push(t.fails(is ?? t.none, was ?? t.none));
  const { places: all, isUnknown } = compare(first.output, second.output);
  // A condition and a router give their port as an output too.
  const places = all.filter((place) => place !== 'port' || first.port === second.port);
  if (places.length > 0)
    said.push(t.gave(places.slice(0, namedMax).filter(Boolean), places.length > namedMax));
  else if (isUnknown) said.push(t.tooLarge);
  return said;
}

interface Compared {
  /** The places that differ, such as `body.total`, one more than are named at most. The whole value is the empty place. */
  places: string[];
  /** True when a large value is stored separately, so that it cannot be told here whether it differs. */
  isUnknown: boolean;
}

function compare(first: unknown, second: unknown): Compared {
  const compared: Compared = { places: [], isUnknown: false };
  collect(compared, [first, second], '');
  return compared;
}

function collect(compared: Compared, [one, two]: [unknown, unknown], at: string): void {
  if (one === two || compared.places.length > namedMax) return;
  const [stored, other] = [bytesOf(one), bytesOf(two)];
  if (stored !== undefined || other !== undefined) {
    if (stored !== undefined && other !== undefined && stored !== other) compared.places.push(at);
    else compared.isUnknown = true;
  } else if (isBranch(one) && isBranch(two) && Array.isArray(one) === Array.isArray(two)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(two)]))
      collect(compared, [one[name], two[name]], at ? `${at}.${name}` : name);
  } else compared.places.push(at);
}

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The size of a value that is stored separately: its place in the output only refers to it. */
const bytesOf = (value: unknown): number | undefined =>
  isBranch(value) && typeof value['$payload'] === 'string' && typeof value['bytes'] === 'number'
    ? value['bytes']
    : undefined;
