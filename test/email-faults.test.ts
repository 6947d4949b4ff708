// What goes wrong on the way of a mail: a server that is away, that says later or never, that falls silent or
// shows a certificate of its own making, and a process that is killed while it sends. No mail is lost, no
// request waits for one, and whoever sends is told what can't be sent.

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

describe('a server that does not take a mail', () => {
  const clock = manualClock(new Date());
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

  async function standingOf(email: string): Promise<EmailRow> {
    const [row] = await paylink.app.deps.db.asOwner.query<Omit<EmailRow, 'waitMs'> & { dueAt: Date }>(
      `select state, tries, last_error as "lastError", due_at as "dueAt" from mails where recipient = $1`,
      [email],
    );
    if (!row) return { state: 'none', tries: 0, lastError: null, waitMs: 0 };
    const { dueAt, ...rest } = row;
    return { ...rest, waitMs: dueAt.getTime() - clock.now().getTime() };
  }

  async function untilTried(email: string, tries: number): Promise<EmailRow> {
    await until(async () => {
      const standing = await standingOf(email);
      return standing.tries === tries && (standing.waitMs > 0 || standing.state !== 'queued');
    }, `try ${tries}`);
    return await standingOf(email);
  }

  test('a mail that is put off is tried again, ever later, and arrives once', async () => {
    const email = newAddress();
    box.answers.message = () => ({ code: 452, text: 'the disk is full' });
    await sendTo(email);
    for (const tries of [1, 2, 3]) {
      const { state, lastError, waitMs } = await untilTried(email, tries);
      assert.deepEqual([state, waitMs], ['queued', retryDelayMs(tries)]);
      assert.match(lastError ?? '', /the disk is full/);
      if (tries === 3) box.answers.message = () => 'take';
      clock.advanceMs(waitMs);
    }
    await until(async () => (await standingOf(email)).state === 'sent', 'the mail to be sent');
    const taken = box.mailsTo(email);
    assert.equal(new Set(taken.map(({ email: { messageId } }) => messageId)).size, 1);
    assert.equal(taken.length, 4, 'three were refused after they had been read');
  });

  test('after two days of trying a mail is given up, and the merchant is told', async () => {
    const email = newAddress();
    box.answers.recipient = (address) => (address === email ? { code: 450, text: 'not now' } : 'take');
    // The link outlives the trying: it would not be sent for otherwise.
    const code = await sendTo(email);
    let { waitMs, tries } = await untilTried(email, 1);
    for (;;) {
      clock.advanceMs(waitMs);
      const next = await untilTried(email, tries + 1);
      ({ waitMs, tries } = next);
      if (next.state !== 'queued') break;
    }
    const { state } = await standingOf(email);
    assert.equal(state, 'failed');
    assert.ok(tries >= 10 && tries <= 20, `${tries} tries`);
    owner = await logIn(paylink);
    const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}/events`]);
    assert.ok((body.data as Json[]).some(({ type }) => type === 'mail.failed'));
  });

  test('a mail that is refused for good is not tried again, and the reason is kept', async () => {
    const email = newAddress();
    box.answers.recipient = (address) => (address === email ? { code: 550, text: 'nobody here' } : 'take');
    await sendTo(email);
    const { state, tries, lastError } = await untilTried(email, 1);
    assert.deepEqual([state, tries], ['failed', 1]);
    assert.match(lastError ?? '', /nobody here/);
    assert.ok(!paylink.log().includes(email), 'the address of a customer is not in the log');
  });

  test('a mail that hangs holds up neither a request nor the mail to somebody else', async () => {
    const [stuck, other] = [newAddress(), newAddress()];
    box.answers.recipient = (address) => (address === stuck ? 'hang' : 'take');
    await sendTo(stuck);
    await until(async () => (await standingOf(stuck)).tries === 1, 'the mail to hang');
    await sendTo(other);
    const response = await fetch(`${paylink.baseUrl}/readyz`);
    assert.equal(response.status, 200);
    await box.waitFor(other);
    assert.equal((await standingOf(stuck)).state, 'queued', 'it still hangs');
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
  isTlsAtOnce: false,
  login: null,
  ...more,
});
// The silence of a greeting is noticed before that of the connection, so that each has its own words.
const quick = { connectMs: 400, silenceMs: 700, wholeMs: 1_500, farewellMs: 1_000 };

/** Neither a mail goes through, nor is a trial without one any better off. */
async function assertFails(server: SmtpServer, reason: RegExp): Promise<void> {
  await assert.rejects(checkSmtpServer(server, quick), reason);
  const transport = openSmtp(server, quick);
  try {
    await assert.rejects(transport.deliver('mail_one', message), (error: Error) => {
      assert.match(error.message, reason);
      return error.name !== 'EmailRejectedError';
    });
  } finally {
    transport.close();
  }
}

test('a server that is away, or falls silent at any point, is tried again later', async () => {
  await assertFails(at(await freePort()), /ECONNREFUSED/);
  const sockets: Socket[] = [];
  const mute = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  const address = mute.address();
  assert.ok(address && typeof address === 'object');
  try {
    await assertFails(at(address.port), /[Gg]reeting|took longer/);
  } finally {
    for (const socket of sockets) socket.destroy();
    mute.close();
  }
});

test('a server that dribbles is given up after the limit of the whole, and the next mail goes out', async () => {
  const box = await openSmtpServer();
  const transport = openSmtp(at(box.port), { ...quick, silenceMs: 60_000 });
  box.answers.message = () => 'hang';
  await assert.rejects(transport.deliver('mail_one', message), /took longer than 1500 ms/);
  box.answers.message = () => 'take';
  await transport.deliver('mail_two', message);
  transport.close();
  await box.stop();
  assert.equal(box.caught.length, 2);
});

/** A server that greets for ever, a line at a time, so that no silence ends it. */
async function openBabbler(): Promise<{ port: number; isLeft: () => boolean; stop: () => void }> {
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
  return { port: address.port, isLeft: () => sockets.size === 0, stop };
}

const patient = { connectMs: 600_000, silenceMs: 60_000, wholeMs: 60_000, farewellMs: 60_000 };

test('a mail that is given up leaves no connection behind, on which it could still go out', async () => {
  const babbler = await openBabbler();
  const transport = openSmtp(at(babbler.port), { ...patient, wholeMs: 300 });
  try {
    await assert.rejects(transport.deliver('mail_one', message), /took longer than 300 ms/);
    await until(babbler.isLeft, 'the connection to close');
  } finally {
    transport.close();
    babbler.stop();
  }
});

test('a mail that hangs fails alone: one that is under way beside it arrives once', async () => {
  const box = await openSmtpServer();
  const transport = openSmtp(at(box.port), { ...patient, wholeMs: 1_500 });
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
    await pause(500);
    const fifth = transport.deliver('fifth', to('other@example.com'));
    await stuck;
    await fifth;
    assert.equal(box.mailsTo('other@example.com').length, 1);
  } finally {
    transport.close();
    await box.stop();
  }
});

test('closing leaves a mail under way a moment, and no more', async () => {
  const babbler = await openBabbler();
  const transport = openSmtp(at(babbler.port), { ...patient, farewellMs: 300 });
  try {
    const given = assert.rejects(transport.deliver('mail_one', message));
    await until(() => !babbler.isLeft(), 'the connection to open');
    transport.close();
    await given;
    await assert.rejects(transport.deliver('mail_two', message), /closed/);
  } finally {
    babbler.stop();
  }
});

test('a certificate that nobody vouches for is refused before anything is told', async () => {
  const box = await openSmtpServer({ secure: true });
  await assertFails(at(box.port, { isTlsAtOnce: true }), /certificate|self.signed/i);
  assert.deepEqual(box.caught, []);
  await box.stop();
});

test('a password is not told to a server without TLS', async () => {
  const told: string[] = [];
  const box = await openSmtpServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => {
      told.push(String(auth.password));
      done(null, { user: 'one' });
    },
  });
  await assertFails(at(box.port, { login: { user: 'one', password: 'hunter2' } }), /STARTTLS|TLS/i);
  assert.deepEqual(told, []);
  await box.stop();
});

test('a process that is killed while it sends leaves the mail to the next one, under the same Message-ID', async () => {
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
    // The server has the whole mail, and never says so: at this point nobody can know.
    box.answers.message = () => 'hang';
    assert.equal((await call(place, owner, ['POST', `/v1/payments/${code}/send`])).status, 200);
    await box.waitFor(email);
    first.kill('SIGKILL');
    await endOf(first);
    box.answers.message = () => 'take';
    // In place of waiting for three minutes until the lease of the dead has run out.
    const db = await openDatabase({ dataDir: first.dataDir, log: () => undefined });
    const leased = await db.asOwner.query(
      `update mails set leased_until = clock_timestamp() where state = 'queued' returning mail_id`,
    );
    await db.close();
    assert.equal(leased.length, 1, 'the mail was taken and not ended');
    const second = await stage.start({ through: 'server', settings, dataDir: first.dataDir });
    await second.ready();
    const mails = await box.waitFor(email, 2);
    assert.equal(new Set(mails.map((mail) => mail.email.messageId)).size, 1);
  } finally {
    await stage.clear();
    await box.stop();
  }
});
