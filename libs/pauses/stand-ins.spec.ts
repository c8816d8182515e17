import fc from 'fast-check';
import { standIn, type HandOver } from './stand-ins.ts';

const person = (name: string) => ({
  id: `usr_${name}`,
  names: [`usr_${name}`, `${name}@example.org`],
  role: 'editor',
});
/** What is stored when one person hands a request on: a row for each name of the other. */
const handing = (from: string, to: string, more: string[] = []): HandOver[] =>
  person(to).names.map((name) => ({
    from_id: `usr_${from}`,
    from_names: [...person(from).names, ...more],
    to_name: name,
  }));

describe('standIn', () => {
  test('leaves a person alone when nothing was handed over', () => {
    expect(standIn(person('ann'), [])).toEqual(person('ann'));
    expect(standIn(person('ann'), handing('bob', 'cem'))).toEqual(person('ann'));
  });

  test('gives the other the names of whoever handed the request over, and keeps their role', () => {
    const { names, role } = standIn(person('bob'), handing('ann', 'bob'));
    expect(names.toSorted()).toEqual([...person('ann').names, ...person('bob').names].toSorted());
    expect(role).toBe('editor');
  });

  test('takes the names and the role of a person who has handed the request on', () => {
    expect(standIn(person('ann'), handing('ann', 'bob'))).toEqual({ id: 'usr_ann', names: [] });
  });

  test('passes a request on along a chain, whatever the order of the rows', () => {
    const chain = [...handing('ann', 'bob'), ...handing('bob', 'cem', person('ann').names)];
    for (const rows of [chain, chain.toReversed()]) {
      expect(standIn(person('cem'), rows).names).toEqual(expect.arrayContaining(person('ann').names));
      expect(standIn(person('bob'), rows).names).toEqual([]);
    }
  });

  test('ends when people hand a request round in a circle', () => {
    const circle = [...handing('ann', 'bob'), ...handing('bob', 'cem'), ...handing('cem', 'ann')];
    expect(standIn(person('ann'), circle).names.toSorted()).toEqual(
      [...person('bob').names, ...person('cem').names].toSorted(),
    );
  });

  test('never keeps a name of its own for somebody who handed the request on', () => {
    const people = fc.constantFrom('ann', 'bob', 'cem', 'dee');
    fc.assert(
      fc.property(fc.array(fc.tuple(people, people)), people, (pairs, who) => {
        const rows = pairs.flatMap(([from, to]) => handing(from, to));
        const { names, role } = standIn(person(who), rows);
        const handedOn = pairs.some(([from]) => from === who);
        expect(names.includes(`usr_${who}`)).toBe(!handedOn);
        expect(role).toBe(handedOn ? undefined : 'editor');
      }),
    );
  });
});
