import type { Person } from '#libs/definition/blocks/approvals';

/** Someone has handed a request to someone else. */
export interface HandOver {
  from_id: string;
  from_names: string[];
  to_name: string;
}

/**
 * The person as a request knows them: with the names of those who handed it to them, and without their own once they have
 * handed it on.
 */
export function standIn(person: Person, handed: readonly HandOver[]): Person {
  const names = new Set(person.names);
  // Someone may hand on what was handed to them, so this goes on until nothing is added.
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const one of handed) if (names.has(one.to_name)) for (const name of one.from_names) names.add(name);
  }
  const gone = handed.find(({ from_id: id }) => id === person.id);
  if (!gone) return { ...person, names: [...names] };
  return { id: person.id, names: [...names].filter((name) => !gone.from_names.includes(name)) };
}
