import { Database } from '#libs/platform/database/database';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import type { JsonObject } from '#libs/platform/json/json';
import { AnswerNames } from './answer-names.ts';
import { ActorField, ListOf, NameOf, Obj, Text } from './fields.ts';

class InnerSample {
  @Text() person!: string;
  @NameOf('person') personName?: string | null;
}

class NamedSample {
  @Text() createdBy!: string;
  @NameOf('createdBy') createdByName?: string | null;
  @ActorField('Who acts.') actor!: JsonObject;
  @ListOf(() => InnerSample) votes!: InnerSample[];
  @Obj() inputs!: JsonObject;
}

let given: GivenStore;
beforeAll(async () => {
  given = await givenStore(DatabaseModule);
  for (const workspace of ['ws_a', 'ws_b']) await fillWorkspace(given.owner, workspace);
});
afterAll(() => given.stop());

const sample = (id: string): NamedSample => ({
  createdBy: id,
  actor: { kind: 'key', id, triggerId: 'trg_1' },
  votes: [{ person: id }],
  inputs: { createdBy: id, actor: { kind: 'key', id }, createdByName: 'mine' },
});

test('the names of a list of 100 views cost one statement, and change no data of a tenant', async () => {
  const { rows } = await given.owner.query<{ id: string; name: string }>(
    `insert into api_keys (id, workspace_id, kind, role, name, digest, hint, created_by)
     select 'key_' || n, 'ws_a', 'workspace', 'editor', 'Key ' || n, 'names ' || n, '', 'usr_x' from generate_series(1, 100) n returning id, name`,
  );
  const database = given.app.get(Database);
  let statements = 0;
  const counting: Database = Object.create(database, {
    statement: {
      value: (...statement: Parameters<Database['statement']>) => {
        statements += 1;
        return database.statement(...statement);
      },
    },
  });
  const body = { data: rows.map(({ id }) => sample(id)), nextCursor: null };
  await new AnswerNames(counting).addNames('ws_a', [{ data: [NamedSample] }], body);
  expect(statements).toBe(1);
  expect(body.data).toEqual(
    rows.map(({ id, name }) => ({
      ...sample(id),
      createdByName: name,
      actor: { kind: 'key', id, triggerId: 'trg_1', name },
      votes: [{ person: id, personName: name }],
    })),
  );
});

test('a name is null when it belongs to another workspace, or when nothing is kept', async () => {
  await given.owner.query(
    `insert into users (id, email, name) values ('usr_theirs', 'theirs@example.org', 'Theirs');
     insert into memberships (workspace_id, user_id, role) values ('ws_b', 'usr_theirs', 'admin');
     insert into api_keys (id, workspace_id, kind, role, name, digest, hint, created_by) values ('key_theirs', 'ws_b', 'workspace', 'editor', 'Theirs', 'theirs', '', 'usr_x')`,
  );
  const body = { data: ['usr_theirs', 'key_theirs', 'usr_unknown'].map(sample), nextCursor: null };
  const names = new AnswerNames(given.app.get(Database));
  await names.addNames('ws_a', [{ data: [NamedSample] }], body);
  expect(body.data.map(({ createdByName, actor }) => [createdByName, actor['name']])).toEqual(
    Array.from({ length: 3 }, () => [null, null]),
  );
});

test('a name is null where there is no id, and a field that an answer lacks gets none', async () => {
  const names = new AnswerNames(given.app.get(Database));
  const body = { data: { createdBy: null, actor: { kind: 'operator' } } };
  await names.addNames('ws_a', [{ data: NamedSample }], body);
  expect(body.data).toEqual({
    createdBy: null,
    createdByName: null,
    actor: { kind: 'operator', name: null },
  });
});
