import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startBrowser } from '../../api/test/support/browser.ts';
import { Stack } from '../../api/test/support/stack.ts';
import { Visitors } from './support/visits.ts';

test('a hold of the operator is shown with a banner, and has no button to release it', async () => {
  // Of its own, because everything in it is held.
  const [stack, browser] = await Promise.all([Stack.start(), startBrowser()]);
  try {
    await promisify(execFile)(
      process.execPath,
      ['dist/apps/api/src/commands/hold.js', 'set', 'We upgrade.', '--effects'],
      { env: { ...process.env, ...stack.env } },
    );
    await stack.post(`/api/v1/workspaces/${stack.home.id}/holds`, { reason: 'The mill rests.' });
    const visitors = await Visitors.signIn(stack, browser);
    const { page, faults } = await visitors.open(`/w/${stack.home.id}/executions`);
    await page.getByText('The whole installation is held: We upgrade.').click();
    await page.getByText(/The whole installation\s+since .* by\s+the operator: We upgrade\./).waitFor();
    await page.getByRole('button', { name: 'Release The whole workspace' }).waitFor();
    expect(await page.getByRole('button', { name: /^Release/ }).count()).toBe(1);
    expect(faults).toEqual([]);
    await visitors.leave();
  } finally {
    await browser.close();
    await stack.stop();
  }
});
