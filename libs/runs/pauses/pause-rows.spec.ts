import { fc } from '#libs/platform/text/support/random';
import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { resumeStatuses } from './pause.entity.ts';

let given: GivenStore;
let owner: pg.Client;

beforeAll(async () => {
  given = await givenStore(DatabaseModule);
  ({ owner } = given);
  await fillWorkspace(owner, 'ws_a');
  await owner.query(`delete from pause_points`);
});
afterAll(() => given.stop());

interface Change {
  points: number[];
  status: (typeof resumeStatuses)[number];
}

const changes = fc.array(
  fc.record({
    points: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
    status: fc.constantFrom(...resumeStatuses),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Opens the pauses that do not exist yet, and sets the status of the others. */
async function apply({ points, status }: Change): Promise<void> {
  await owner.query(
    `insert into pause_points (context_id, workspace_id, execution_id, root_id, paused_execution_id, path, block_id,
       display, form, asking)
     select 'ctx_' || n, 'ws_a', 'exec_ws_a', 'exec_ws_a', 'pause_ws_a', 'path ' || n, 'ask', '{}', '[]',
       '{"approvals":{"assignees":["Ann@example.org","usr_bob"],"roles":["editor"]}}'
     from unnest($1::int[]) n
     on conflict (execution_id, path) do update set resume_status = $2`,
    [points, status],
  );
}

const kept = `select total_pause_count, resumed_count, cancelled_count from paused_executions where id = 'pause_ws_a'`;
const counted = `
select count(*) filter (where resume_status <> 'failed')::int as total_pause_count,
  count(*) filter (where resume_status = 'resumed')::int as resumed_count,
  count(*) filter (where resume_status = 'cancelled')::int as cancelled_count from pause_points`;
const asked = 'select context_id, name from asked_people order by 1, 2';
const open = `
select context_id, name from pause_points, unnest(array['ann@example.org', 'role:editor', 'usr_bob']) name
where resume_status = 'paused' order by 1, 2`;

test('the counts of an execution and the people who are asked follow its pauses', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      await owner.query('delete from pause_points');
      await owner.query(
        'update paused_executions set (total_pause_count, resumed_count, cancelled_count) = (0, 0, 0)',
      );
      for (const change of all) {
        await apply(change);
        expect((await owner.query(kept)).rows).toEqual((await owner.query(counted)).rows);
        expect((await owner.query(asked)).rows).toEqual((await owner.query(open)).rows);
      }
    }),
    { numRuns: 40 },
  );
});
