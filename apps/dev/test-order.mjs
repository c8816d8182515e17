import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** What stands in a file of tests that share an installation with others, and in one that starts its own. */
const SHARED = /\bStack\.shared\(/;
const OWN = /\bStack\.start\w*\(/;

/**
 * Puts the files that share an installation first, then those that start their own, then the rest. `Stack` ends the shared one when its
 * Jest worker comes to an own one, so that no idle installation takes time from the tests. Large files come first, as Jest puts them.
 */
export default class TestOrder extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return SHARED.test(text) ? 0 : OWN.test(text) ? 1 : 2;
    };
    const places = new Map(tests.map((test) => [test.path, placeOf(test)]));
    return super.sort(tests).toSorted((a, b) => places.get(a.path) - places.get(b.path));
  }
}
