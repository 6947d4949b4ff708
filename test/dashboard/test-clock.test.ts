// The test clock in the dashboard: moving it in the settings, and the strip that shows it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../harness/browser.ts';
import { logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard } from '../harness/dashboard-window.ts';
import { startPaylink } from '../harness/paylink.ts';
import { join } from '../harness/people.ts';
import { readTestClock } from '../harness/test-clocks.ts';

test('the settings move the test clock in test mode, and every page shows that it is ahead', async () => {
  const [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
  try {
    const { merchant } = paylink;
    const owner = await logIn(paylink);
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    const section = page.getByRole('region', { name: 'Test clock' });
    await section.getByText('(real time)').waitFor();
    assert.doesNotMatch(String(await page.locator('.ribbon').textContent()), /Test clock/);
    await section.getByRole('button', { name: '7 days forward' }).click();
    await page.locator('.ribbon', { hasText: 'Test clock' }).waitFor();
    await section.getByText('(real time)').waitFor({ state: 'detached' });
    assert.equal((await readTestClock(paylink, owner)).aheadSeconds, 7 * 24 * 60 * 60);
    await assertAccessible(window, 'settings with a moved test clock');
    await window.open('/payments');
    await page.locator('.ribbon', { hasText: 'Test clock' }).waitFor();
    assert.deepEqual(window.troubles, []);
    await window.leave();
    const viewer = await join(paylink, owner, ['viewer']);
    const theirs = await openDashboard(paylink, browser, { merchant: viewer });
    await theirs.open('/settings');
    await theirs.page.getByRole('region', { name: 'Test clock' }).waitFor();
    assert.equal(await theirs.page.getByRole('button', { name: '7 days forward' }).count(), 0);
    await theirs.leave();
  } finally {
    await browser.close();
    await paylink.stop();
  }
});
