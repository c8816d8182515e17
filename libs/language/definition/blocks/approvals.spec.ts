import { fc } from '#libs/platform/text/support/random';
import { refusalFor, computeVerdict, type Approvals, type Person } from './approvals.ts';

const policy: Approvals = {
  required: 2,
  veto: false,
  allowStarter: false,
  assignees: [],
  roles: [],
  decision: 'approved',
};
const votesOf = (answers: boolean[]) => answers.map((approved, n) => ({ person: `usr_${n}`, approved }));
const yes = true;
const no = false;

describe('computeVerdict', () => {
  test.each<[string, Partial<Approvals>, boolean[], string]>([
    ['nobody has answered', {}, [], 'open'],
    ['fewer said yes than it takes', {}, [yes], 'open'],
    ['enough said yes', {}, [yes, yes], 'approved'],
    ['one yes is enough when one is required', { required: 1 }, [yes], 'approved'],
    ['one no does not decide without a veto', {}, [no], 'open'],
    ['one no does not stop enough people who say yes', {}, [no, yes, yes], 'approved'],
    ['as many said no as must say yes', {}, [yes, no, no], 'rejected'],
    ['one no decides with a veto', { veto: true }, [yes, no], 'rejected'],
  ])('%s', (_, approvals, answers, verdict) => {
    expect(computeVerdict({ ...policy, ...approvals }, votesOf(answers))).toBe(verdict);
  });

  const policies = fc.record({ required: fc.integer({ min: 1, max: 6 }), veto: fc.boolean() });
  const answers = fc.array(fc.boolean(), { maxLength: 12 });

  test('computeVerdict does not depend on the order of the votes while the pause is open', () => {
    fc.assert(
      fc.property(policies, answers, (given, said) => {
        const approvals = { ...policy, ...given };
        fc.pre(
          said.every((_, n) => n === 0 || computeVerdict(approvals, votesOf(said.slice(0, n))) === 'open'),
        );
        expect(computeVerdict(approvals, votesOf(said.toReversed()))).toBe(
          computeVerdict(approvals, votesOf(said)),
        );
      }),
    );
  });

  test('computeVerdict comes after at most one vote less than twice the required ones', () => {
    fc.assert(
      fc.property(policies, fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }), (given, said) => {
        const enough = said.slice(0, 2 * given.required - 1);
        expect(computeVerdict({ ...policy, ...given }, votesOf(enough))).not.toBe('open');
      }),
    );
  });

  test('computeVerdict is approved only when as many said yes as are required, and with a veto only when nobody said no', () => {
    fc.assert(
      fc.property(policies, answers, (given, said) => {
        fc.pre(computeVerdict({ ...policy, ...given }, votesOf(said)) === 'approved');
        expect(said.filter(Boolean).length).toBeGreaterThanOrEqual(given.required);
        if (given.veto) expect(said).not.toContain(no);
      }),
    );
  });
});

describe('refusalFor', () => {
  const ann: Person = { id: 'usr_ann', names: ['usr_ann', 'Ann@example.org'], role: 'editor' };
  const own = ['usr_ann', 'ann@example.org'];
  const member: Person = { id: 'usr_ann', own, names: own, role: 'editor' };
  const former: Person = { id: 'usr_ann', own, names: ['ann@example.org'] };
  const codeOf = (
    approvals: Partial<Approvals>,
    person: Person | undefined,
    starter?: string,
    voted?: string,
  ) => {
    const votes = voted ? [{ person: voted, approved: yes }] : [];
    return refusalFor({ ...policy, ...approvals }, person, { ...(starter ? { starter } : {}), votes })?.code;
  };

  test('refusalFor needs a person', () => {
    expect(codeOf({}, undefined)).toBe('PERSON_REQUIRED');
  });

  test.each<[string, Person, { starter?: string; own?: string[] }, string | undefined]>([
    ['who voted as a guest before they joined', member, { own: ['ann@example.org'] }, 'ALREADY_VOTED'],
    [
      'who voted as a member before they left',
      former,
      { own: ['usr_ann', 'ann@example.org'] },
      'ALREADY_VOTED',
    ],
    ['who voted in an older build', former, {}, 'ALREADY_VOTED'],
    [
      'who started the run before they left',
      former,
      { starter: 'usr_ann', own: ['bob@example.org'] },
      'STARTER_MAY_NOT_ANSWER',
    ],
    ['another one', member, { starter: 'usr_bob', own: ['usr_bob', 'bob@example.org'] }, undefined],
  ])('refusalFor knows one person who joined or left: %s', (_, person, { starter, own: voted }, code) => {
    const votes = [{ person: 'usr_ann', approved: yes, ...(voted ? { own: voted } : {}) }];
    const given = { ...(starter ? { starter } : {}), votes };
    expect(refusalFor({ ...policy, assignees: ['ann@example.org'] }, person, given)?.code).toBe(code);
  });

  test('refusalFor refuses the person who started the run, unless the policy allows it', () => {
    expect(codeOf({}, ann, 'usr_ann')).toBe('STARTER_MAY_NOT_ANSWER');
    expect(codeOf({ allowStarter: true }, ann, 'usr_ann')).toBeUndefined();
    expect(codeOf({}, ann, 'usr_bob')).toBeUndefined();
  });

  test('refusalFor refuses a second answer of the same person', () => {
    expect(codeOf({}, ann, undefined, 'usr_ann')).toBe('ALREADY_VOTED');
    expect(codeOf({}, ann, undefined, 'usr_bob')).toBeUndefined();
  });

  test.each<[string, Partial<Approvals>, Partial<Person>, boolean]>([
    ['without a list: an editor', {}, { role: 'editor' }, true],
    ['without a list: an admin', {}, { role: 'admin' }, true],
    ['without a list: a viewer', {}, { role: 'viewer' }, false],
    ['without a list: someone who is no member', {}, { role: undefined }, false],
    ['by address, in whatever case', { assignees: ['ANN@Example.org'] }, { role: undefined }, true],
    ['by user id', { assignees: ['usr_ann'] }, { role: 'viewer' }, true],
    ['another address', { assignees: ['bob@example.org'] }, {}, false],
    ['by role', { roles: ['viewer'] }, { role: 'viewer' }, true],
    ['another role', { roles: ['viewer'] }, { role: 'admin' }, false],
    ['by address beside a role of others', { assignees: ['usr_ann'], roles: ['admin'] }, {}, true],
  ])('refusalFor decides who may answer %s', (_, approvals, person, may) => {
    expect(codeOf(approvals, { ...ann, ...person })).toBe(may ? undefined : 'NOT_AN_ASSIGNEE');
  });
});
