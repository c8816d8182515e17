import { prepared } from '#libs/platform/database/statements';
import { acceptDelivery, acceptExecution } from './accept/accept.sql.ts';
import { writeRun } from './record/record.sql.ts';

test.each(Object.entries({ acceptDelivery, acceptExecution, writeRun }))(
  'each connection plans the statement %s once, since planning it takes longer than running it',
  (_, text) => {
    expect(prepared([text, []]).name).toMatch(/^holdfast_/);
  },
);
