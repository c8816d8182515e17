import { ownNames, type Person } from '#libs/language/definition/blocks/approvals';

/** A row of a delegation: one person gave a pause to another. */
export interface DelegationRow {
  from_id: string;
  from_names: string[];
  to_name: string;
}

/**
 * The person from the pause's view: with the names of everyone who delegated it to them. A person who delegated it
 * loses their own names.
 */
export function withDelegations(person: Person, rows: readonly DelegationRow[]): Person {
  const names = new Set(person.names);
  // A person may delegate a pause that was delegated to them, so this repeats until no name is added.
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const one of rows) if (names.has(one.to_name)) for (const name of one.from_names) names.add(name);
  }
  const own = ownNames(person);
  const delegated = rows.find(({ from_id: id }) => own.includes(id));
  if (!delegated) return { ...person, names: [...names] };
  const delegatedNames = new Set([...delegated.from_names, ...own]);
  return { id: person.id, own, names: [...names].filter((name) => !delegatedNames.has(name)) };
}
