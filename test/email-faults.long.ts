// Failures while sending: a server that is unreachable, refuses, hangs or has an invalid certificate, and a process
// that is killed. No email is lost, no request waits for one, and the merchant is notified of failures.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBase32 } from '../src/base/ids.ts';
import { openDatabase } from '../src/db/database.ts';
import { retryDelayMs } from '../src/mails/send-emails.ts';
import { checkSmtpServer, openSmtp, type SmtpServer } from '../src/mails/transport.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { freePort, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { createProcessGroup, endOf, until } from './harness/process.ts';
import { openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';

const mailFrom = 'no-reply@pay.example';
const newAddress = () => `customer-${randomBase32(8)}@example.com`;

type EmailRow = { state: string; tries: number; lastError: string | null; waitMs: number };

describe('a server that does not accept an email', () => {
  const clock = manualClock();
  let box: TestSmtpServer;
  let paylink: Paylink;
  let owner: Credentials;
  before(async () => {
    box = await openSmtpServer();
    paylink = await startPaylink('server', { clock, settings: { SMTP_URL: box.url, MAIL_FROM: mailFrom } });
  });
  afterEach(() => {
    box.answers.recipient = () => 'take';
    box.answers.message = () => 'take';
  });
  after(async () => {
    await paylink.stop();
    await box.stop();
  });

  async function sendTo(email: string): Promise<string> {
    owner = await logIn(paylink);
    const { code } = await createLinkAs(paylink, owner, { email, locale: 'en' });
    const answer = await call(paylink, owner, ['POST', `/v1/payments/${code}/send`]);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return code;
  }

  async function readRow(email: string): Promise<EmailRow> {
    const [row] = await paylink.app.deps.db.asOwner.query<Omit<EmailRow, 'waitMs'> & { dueAt: Date }>(
      `select state, tries, last_error as "lastError", due_at as "dueAt" from mails where recipient = $1`,
      [email],
    );
    if (!row) return { state: 'none', tries: 0, lastError: null, waitMs: 0 };
    const { dueAt, ...rest } = row;
    return { ...rest, waitMs: dueAt.getTime() - clock.now().getTime() };
  }

  async function untilAttempted(email: string, tries: number): Promise<EmailRow> {
    await until(async () => {
      const row = await readRow(email);
      return row.tries === tries && (row.waitMs > 0 || row.state !== 'queued');
    }, `attempt ${tries}`);
    return await readRow(email);
  }

  test('a deferred email is retried with growing delays, and arrives once', async () => {
    const email = newAddress();
    box.answers.message = () => ({ code: 452, text: 'the disk is full' });
    await sendTo(email);
    for (const tries of [1, 2, 3]) {
      const { state, lastError, waitMs } = await untilAttempted(email, tries);
      assert.deepEqual([state, waitMs], ['queued', retryDelayMs(tries)]);
      assert.match(lastError ?? '', /the disk is full/);
      if (tries === 3) box.answers.message = () => 'take';
      clock.advanceMs(waitMs);
    }
    await until(async () => (await readRow(email)).state === 'sent', 'the email to be sent');
    const taken = box.mailsTo(email);
    assert.equal(new Set(taken.map(({ email: { messageId } }) => messageId)).size, 1);
    assert.equal(taken.length, 4, 'three were refused after the server had read them');
  });

  test('after two days of failed attempts an email is failed, and the merchant is notified', async () => {
    const email = newAddress();
    box.answers.recipient = (address) => (address === email ? { code: 450, text: 'not now' } : 'take');
    // The link must outlive the attempts, because an email for an expired link is dropped.
    const code = await sendTo(email);
    let { waitMs, tries } = await untilAttempted(email, 1);
    for (;;) {
      clock.advanceMs(waitMs);
      const next = await untilAttempted(email, tries + 1);
      ({ waitMs, tries } = next);
      if (next.state !== 'queued') break;
    }
    const { state } = await readRow(email);
    assert.equal(state, 'failed');
    assert.ok(tries >= 10 && tries <= 20, `${tries} attempts`);
    owner = await logIn(paylink);
    const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}/events`]);
    assert.ok((body.data as Json[]).some(({ type }) => type === 'mail.failed'));
  });

  test('a permanently refused email is not retried, and the reason is stored', async () => {
    const email = newAddress();
    box.answers.recipient = (address) => (address === email ? { code: 550, text: 'nobody here' } : 'take');
    await sendTo(email);
    const { state, tries, lastError } = await untilAttempted(email, 1);
    assert.deepEqual([state, tries], ['failed', 1]);
    assert.match(lastError ?? '', /nobody here/);
    assert.ok(!paylink.log().includes(email), 'the log has no customer’s address');
  });

  test('a hanging email delays neither requests nor other emails', async () => {
    const [stuck, other] = [newAddress(), newAddress()];
    box.answers.recipient = (address) => (address === stuck ? 'hang' : 'take');
    await sendTo(stuck);
    await until(async () => (await readRow(stuck)).tries === 1, 'the email to hang');
    await sendTo(other);
    const response = await fetch(`${paylink.baseUrl}/readyz`);
    assert.equal(response.status, 200);
    await box.waitFor(other);
    assert.equal((await readRow(stuck)).state, 'queued', 'it still hangs');
  });
});

const message = {
  from: mailFrom,
  to: 'ada@example.com',
  text: 'hello',
  envelope: { from: mailFrom, to: 'ada@example.com' },
};
const at = (port: number, more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: '127.0.0.1',
  port,
  isImplicitTls: false,
  login: null,
  ...more,
});
// Only for a server that never responds. The greeting times out before the connection does, so that the errors differ.
const quick = { connectMs: 400, idleMs: 700, totalMs: 1_500, closeGraceMs: 1_000 };
const patient = { connectMs: 600_000, idleMs: 60_000, totalMs: 60_000, closeGraceMs: 60_000 };

/** Asserts that both a delivery and a check of the server fail, and that a retry may help. */
async function assertFails(server: SmtpServer, reason: RegExp, limits = patient): Promise<void> {
  await assert.rejects(checkSmtpServer(server, limits), reason);
  const transport = openSmtp(server, limits);
  try {
    await assert.rejects(transport.deliver('mail_one', message), (error: Error) => {
      assert.match(error.message, reason);
      return error.name !== 'EmailRejectedError';
    });
  } finally {
    transport.close();
  }
}

test('an unreachable or silent server leads to a retry', async () => {
  await assertFails(at(await freePort()), /ECONNREFUSED/);
  const sockets: Socket[] = [];
  const mute = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  const address = mute.address();
  assert.ok(address && typeof address === 'object');
  try {
    await assertFails(at(address.port), /[Gg]reeting|took longer/, quick);
  } finally {
    for (const socket of sockets) socket.destroy();
    mute.close();
  }
});

test('a slow server is abandoned after the total time limit, and the next email is sent', async () => {
  const box = await openSmtpServer();
  const transport = openSmtp(at(box.port), { ...patient, totalMs: 5_000 });
  box.answers.message = () => 'hang';
  await assert.rejects(transport.deliver('mail_one', message), /took longer than 5000 ms/);
  box.answers.message = () => 'take';
  await transport.deliver('mail_two', message);
  transport.close();
  await box.stop();
  assert.equal(box.caught.length, 2);
});

/** A server whose greeting never ends, so that the connection is never idle. */
async function openEndlessServer(): Promise<{ port: number; isIdle: () => boolean; stop: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: address.port, isIdle: () => sockets.size === 0, stop };
}

test('an abandoned email leaves no open connection that could still deliver it', async () => {
  const endless = await openEndlessServer();
  const transport = openSmtp(at(endless.port), { ...patient, totalMs: 300 });
  try {
    await assert.rejects(transport.deliver('mail_one', message), /took longer than 300 ms/);
    await until(endless.isIdle, 'the connection to close');
  } finally {
    transport.close();
    endless.stop();
  }
});

test('a hanging email fails alone: another one sent at the same time arrives once', async () => {
  const box = await openSmtpServer();
  const transport = openSmtp(at(box.port), { ...patient, totalMs: 6_000 });
  box.answers.recipient = (address) => (address === 'stuck@example.com' ? 'hang' : 'take');
  const to = (recipient: string) => ({
    ...{ ...message, to: recipient },
    envelope: { from: mailFrom, to: recipient },
  });
  try {
    const stuck = Promise.all(
      ['one', 'two', 'three', 'four'].map(
        async (id) =>
          await assert.rejects(transport.deliver(id, to('stuck@example.com')), /took longer than/),
      ),
    );
    // It gets a connection when the others are abandoned, and then has these 4 s left.
    await pause(4_000);
    const fifth = transport.deliver('fifth', to('other@example.com'));
    await stuck;
    await fifth;
    assert.equal(box.mailsTo('other@example.com').length, 1);
  } finally {
    transport.close();
    await box.stop();
  }
});

test('closing gives a delivery in progress a moment, and no more', async () => {
  const endless = await openEndlessServer();
  const transport = openSmtp(at(endless.port), { ...patient, closeGraceMs: 300 });
  try {
    const rejected = assert.rejects(transport.deliver('mail_one', message));
    await until(() => !endless.isIdle(), 'the connection to open');
    transport.close();
    await rejected;
    await assert.rejects(transport.deliver('mail_two', message), /closed/);
  } finally {
    endless.stop();
  }
});

test('an untrusted certificate is refused before anything is sent', async () => {
  const box = await openSmtpServer({ secure: true });
  await assertFails(at(box.port, { isImplicitTls: true }), /certificate|self.signed/i);
  assert.deepEqual(box.caught, []);
  await box.stop();
});

test('a password is not sent to a server without TLS', async () => {
  const passwords: string[] = [];
  const box = await openSmtpServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => {
      passwords.push(String(auth.password));
      done(null, { user: 'one' });
    },
  });
  await assertFails(at(box.port, { login: { user: 'one', password: 'hunter2' } }), /STARTTLS|TLS/i);
  assert.deepEqual(passwords, []);
  await box.stop();
});

test('after a process is killed while sending, the next one sends the email with the same Message-ID', async () => {
  const stage = createProcessGroup();
  const box = await openSmtpServer();
  try {
    const email = newAddress();
    const settings = {
      ...{ SMTP_URL: box.url, MAIL_FROM: mailFrom },
      ...{ BOOTSTRAP_EMAIL: 'owner@example.com', BOOTSTRAP_PASSWORD: password },
    };
    const first = await stage.start({ through: 'server', settings });
    await first.ready();
    const merchant = { companyId: '', accountId: '', email: 'owner@example.com' };
    const place = { baseUrl: first.url, merchant };
    const owner = await logIn(place);
    const { code } = await createLinkAs(place, owner, { email });
    // The server has the whole email and does not respond, so the outcome is unknown.
    box.answers.message = () => 'hang';
    assert.equal((await call(place, owner, ['POST', `/v1/payments/${code}/send`])).status, 200);
    await box.waitFor(email);
    first.kill('SIGKILL');
    await endOf(first);
    box.answers.message = () => 'take';
    // Ends the lease of the killed process without waiting three minutes.
    const db = await openDatabase({ dataDir: first.dataDir, log: () => undefined });
    const leased = await db.asOwner.query(
      `update mails set leased_until = clock_timestamp() where state = 'queued' returning mail_id`,
    );
    await db.close();
    assert.equal(leased.length, 1, 'the email was claimed and has no result');
    const second = await stage.start({ through: 'server', settings, dataDir: first.dataDir });
    await second.ready();
    const mails = await box.waitFor(email, 2);
    assert.equal(new Set(mails.map((mail) => mail.email.messageId)).size, 1);
  } finally {
    await stage.clear();
    await box.stop();
  }
});
