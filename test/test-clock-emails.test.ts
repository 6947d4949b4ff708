// Emails that an advance of a test clock sends: by the same limits as the worker's, and stopped with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../src/app.ts';
import { maxConnections } from '../src/mails/transport.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { freePort, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { openSmtpServer } from './harness/smtp-server.ts';
import { postAdvance } from './harness/test-clocks.ts';
import { payWith } from './harness/visitor.ts';

test('a stop during an advance releases the emails that wait for a connection to the mail server, untried', async () => {
  const smtp = await openSmtpServer();
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'pay@example.com' };
  const paylink = await startPaylink('server', { settings, isAtWork: false });
  const { merchant, app } = paylink;
  const port = await freePort();
  // A process whose worker does not start.
  const second = await createApp({ config: { ...app.deps.config, port }, log: app.deps.log });
  try {
    await second.server.listen({ port, host: '127.0.0.1' });
    const owner = await logIn(paylink, merchant);
    for (let count = 0; count < maxConnections + 3; count++)
      await payWith((await createLinkAs(paylink, owner)).link, { number: '4242424242424242' });
    smtp.answers.message = () => 'hang';
    const advancing = postAdvance({ baseUrl: `http://127.0.0.1:${port}` }, owner, 'PT1H').catch(() => null);
    await until(() => smtp.caught.length === maxConnections, 'every connection to be used');
    await second.stop();
    await advancing;
    const emails = await app.deps.db.asOwner.query<{ tries: number; isLeased: boolean }>(
      `select tries, leased_until is not null as "isLeased" from mails where company_id = $1 and state = 'queued'`,
      [merchant.companyId],
    );
    assert.ok(emails.length >= maxConnections + 3, `${emails.length} emails`);
    assert.equal(smtp.caught.length, maxConnections);
    const untried = emails.filter(({ tries }) => tries === 0);
    assert.equal(untried.length, emails.length - maxConnections);
    assert.ok(untried.every(({ isLeased }) => !isLeased));
  } finally {
    await second.stop();
    await paylink.stop();
    await smtp.stop();
  }
});
