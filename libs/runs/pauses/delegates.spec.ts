import { fc } from '#libs/platform/text/support/random';
import { withDelegations, type DelegationRow } from './delegates.ts';

const person = (name: string) => ({
  id: `usr_${name}`,
  names: [`usr_${name}`, `${name}@example.org`],
  role: 'editor',
});
/** The rows of one delegation: a row for each name of the other person. */
const delegation = (from: string, to: string, more: string[] = []): DelegationRow[] =>
  person(to).names.map((name) => ({
    from_id: `usr_${from}`,
    from_names: [...person(from).names, ...more],
    to_name: name,
  }));

describe('standIn', () => {
  test('standIn leaves a person unchanged when nothing was delegated', () => {
    expect(withDelegations(person('ann'), [])).toEqual(person('ann'));
    expect(withDelegations(person('ann'), delegation('bob', 'cem'))).toEqual(person('ann'));
  });

  test('standIn gives the other person the names of the one who delegated the pause, and keeps the role of the other', () => {
    const { names, role } = withDelegations(person('bob'), delegation('ann', 'bob'));
    expect(names.toSorted()).toEqual([...person('ann').names, ...person('bob').names].toSorted());
    expect(role).toBe('editor');
  });

  test('standIn removes the names and the role of a person who has delegated the pause', () => {
    expect(withDelegations(person('ann'), delegation('ann', 'bob'))).toEqual({
      id: 'usr_ann',
      own: ['usr_ann'],
      names: [],
    });
  });

  test('standIn removes the names of a person who has delegated the pause as a guest and is a member now', () => {
    const guest = { from_id: 'ann@example.org', from_names: ['ann@example.org'], to_name: 'usr_bob' };
    const joined = { ...person('ann'), own: person('ann').names };
    expect(withDelegations(joined, [guest]).names).toEqual([]);
    expect(withDelegations(person('bob'), [guest]).names).toContain('ann@example.org');
  });

  test('standIn passes a pause on along a chain of delegations, in every order of the rows', () => {
    const chain = [...delegation('ann', 'bob'), ...delegation('bob', 'cem', person('ann').names)];
    for (const rows of [chain, chain.toReversed()]) {
      expect(withDelegations(person('cem'), rows).names).toEqual(expect.arrayContaining(person('ann').names));
      expect(withDelegations(person('bob'), rows).names).toEqual([]);
    }
  });

  test('standIn ends when people delegate a pause in a circle', () => {
    const circle = [...delegation('ann', 'bob'), ...delegation('bob', 'cem'), ...delegation('cem', 'ann')];
    expect(withDelegations(person('ann'), circle).names.toSorted()).toEqual(
      [...person('bob').names, ...person('cem').names].toSorted(),
    );
  });

  test('standIn removes every name of a person who has delegated the pause', () => {
    const people = fc.constantFrom('ann', 'bob', 'cem', 'dee');
    fc.assert(
      fc.property(fc.array(fc.tuple(people, people)), people, (pairs, who) => {
        const rows = pairs.flatMap(([from, to]) => delegation(from, to));
        const { names, role } = withDelegations(person(who), rows);
        const handedOn = pairs.some(([from]) => from === who);
        expect(names.includes(`usr_${who}`)).toBe(!handedOn);
        expect(role).toBe(handedOn ? undefined : 'editor');
      }),
    );
  });
});
