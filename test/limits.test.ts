// The call limits per API key, company and client, shared by all processes, in one statement per call.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type App, createApp } from '../src/app.ts';
import { createLogger } from '../src/telemetry.ts';
import { assertAllows, refilled } from './harness/allowed-calls.ts';
import {
  type Answer,
  type Credentials,
  credentialHeaders,
  logIn,
  orderOf,
  processPayment,
  readAnswer,
} from './harness/client.ts';
import { engines, freePort, type Paylink, startPaylink } from './harness/paylink.ts';

const look = async (
  at: { baseUrl: string },
  credentials: Partial<Credentials>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  await readAnswer(
    await fetch(`${at.baseUrl}/v1/cases`, { headers: { ...credentialHeaders(credentials), ...headers } }),
  );

/** Counts the statements about limits. */
function countLimitStatements(app: App): () => number {
  const inner = app.deps.db.inSystem;
  let count = 0;
  app.deps.db.inSystem = async (work) =>
    await inner(
      async (tx) =>
        await work({
          query: async (text, values) => {
            if (text.includes('rate_limits')) count += 1;
            return await tx.query(text, values);
          },
        }),
    );
  return () => count;
}

/** The number of concurrent calls within the limit. */
const allowed = (answers: Answer[]) => answers.filter(({ status }) => status !== 429).length;

for (const engine of engines) {
  describe(`limits of calls on the ${engine} database`, () => {
    let paylink: Paylink;
    let credentials: Credentials;
    before(async () => {
      const settings = { RATE_LIMIT_API_PER_SECOND: '3', RATE_LIMIT_PROCESS_PER_SECOND: '2' };
      // The nightly job has a statement about limits too.
      paylink = await startPaylink(engine, { settings, isAtWork: false });
      credentials = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    test('calls beyond the limit of a key get Retry-After, and calls of another key pass', async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, async () => await look(paylink, credentials)),
      );
      const refused = answers.filter(({ status }) => status === 429);
      assert.ok(refused.length > 0 && refused.length < 30, `${refused.length}`);
      for (const { body, headers } of refused) {
        assert.equal(body.code, 'rate_limited');
        assert.ok(Number(headers.get('retry-after')) >= 1);
        assert.equal(headers.get('ratelimit-policy'), '"api";q=3;w=1');
        assert.match(headers.get('ratelimit') ?? '', /^"api";r=0;t=\d+$/);
      }
      const other = await logIn(paylink, await paylink.createMerchant());
      assert.equal((await look(paylink, other)).status, 200);
    });

    test('a response reports the limit that is reached first', async () => {
      const fresh = await logIn(paylink, await paylink.createMerchant());
      const process = await processPayment(paylink, fresh, orderOf());
      assert.equal(process.headers.get('ratelimit-policy'), '"process";q=2;w=1');
      const other = await look(paylink, await logIn(paylink, await paylink.createMerchant()));
      assert.match(other.headers.get('ratelimit') ?? '', /^"api";r=2;t=1$/);
    });

    test('both limits of a call are one statement, and 60 concurrent calls do not deadlock', async () => {
      const fresh = await logIn(paylink, await paylink.createMerchant());
      const inner = paylink.app.deps.db.inSystem;
      const count = countLimitStatements(paylink.app);
      await processPayment(paylink, fresh, orderOf());
      assert.equal(count(), 1);
      paylink.app.deps.db.inSystem = inner;
      const calls = Array.from({ length: 60 }, async (_, index) =>
        index % 2 ? await look(paylink, fresh) : await processPayment(paylink, fresh, orderOf()),
      );
      for (const { status } of await Promise.all(calls)) assert.ok([200, 429].includes(status), `${status}`);
    });
  });

  describe(`refused credentials on the ${engine} database`, () => {
    let paylink: Paylink;
    let good: Credentials;
    before(async () => {
      const settings = { RATE_LIMIT_REFUSALS_PER_MINUTE: '5', TRUSTED_PROXIES: 'loopback' };
      paylink = await startPaylink(engine, { settings, isAtWork: false });
      good = await logIn(paylink);
    });
    after(async () => await paylink.stop());
    const from = (client: string) => ({ 'x-forwarded-for': client });
    const bad = async (client: string) =>
      await look(paylink, { ...good, apiKey: 'plk_test_x' }, from(client));
    const flood = (client: string) => async () =>
      await Promise.all(Array.from({ length: 40 }, async () => await bad(client)));
    /** The first refusal. On a slow machine a call may be allowed again meanwhile. */
    async function untilRefused(ask: () => Promise<Answer>): Promise<Answer> {
      for (let calls = 0; calls < 20; calls++) {
        const answer = await ask();
        if (answer.status === 429) return answer;
      }
      assert.fail('no call is refused');
    }

    test('the sixth failed call in a minute is rejected, and valid calls never are', async () => {
      const client = '203.0.113.1';
      await assertAllows(5, flood(client));
      const none = await untilRefused(async () => await look(paylink, {}, from(client)));
      assert.equal(none.body.code, 'rate_limited');
      assert.ok(Number(none.headers.get('retry-after')) >= 1);
      assert.equal((await look(paylink, good, from(client))).status, 200);
      assert.equal((await bad('203.0.113.2')).status, 401);
    });

    test('a rejected flood does not reach the database', async () => {
      const client = '203.0.113.3';
      const since = performance.now();
      await flood(client)();
      const inner = paylink.app.deps.db.inSystem;
      const count = countLimitStatements(paylink.app);
      const answers = await flood(client)();
      paylink.app.deps.db.inSystem = inner;
      // On a slow machine a call may be allowed again, and the next one is refused by the database.
      const most = refilled(5, since);
      assert.ok(allowed(answers) <= most && count() <= 2 * most, `${allowed(answers)}, ${count()}`);
    });

    test('an IPv6 client is counted by its /64', async () => {
      const clients = Array.from({ length: 12 }, (_, index) => `2001:db8:1:2::${index}`);
      await assertAllows(5, async () => await Promise.all(clients.map(bad)));
      assert.equal((await bad('2001:db8:1:3::1')).status, 401);
    });

    test('an invalid address from a proxy is counted, and never causes a 500', async () => {
      for (const client of ['x'.repeat(9000), 'unknown', ';drop table'])
        assert.ok([401, 429].includes((await bad(client)).status));
    });
  });
}

test('X-Forwarded-For of an unknown proxy is ignored', async () => {
  const paylink = await startPaylink('server', { settings: { RATE_LIMIT_REFUSALS_PER_MINUTE: '5' } });
  try {
    const call = async (index: number) =>
      await look(paylink, {}, { 'x-forwarded-for': `203.0.113.${index}` });
    await assertAllows(5, async () => await Promise.all(Array.from({ length: 20 }, (_, i) => call(i))));
  } finally {
    await paylink.stop();
  }
});

test('two processes on one database share the counters', async () => {
  const settings = { RATE_LIMIT_REFUSALS_PER_MINUTE: '6', RATE_LIMIT_API_PER_SECOND: '4' };
  const paylink = await startPaylink('server', { settings });
  const port = await freePort();
  const config = { ...paylink.app.deps.config, port };
  const second = await createApp({ config, log: createLogger({ level: 'silent' }) });
  try {
    await second.listen();
    const services = [paylink, { baseUrl: `http://127.0.0.1:${port}` }];
    const call = async (index: number) => await look(services[index % 2] ?? paylink, {});
    await assertAllows(6, async () => await Promise.all(Array.from({ length: 30 }, (_, i) => call(i))));
    const good = await logIn(paylink);
    const counted: number[] = [];
    for (const at of services) {
      const { headers } = await look(at, good);
      counted.push(Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    }
    // The second call comes after the first has used one; on a slow machine it may have been refilled meanwhile.
    assert.equal(counted[0], 3);
    assert.ok((counted[1] ?? 9) <= 3, counted.join());
  } finally {
    await second.stop();
    await paylink.stop();
  }
});

test('a limit of 0 is off and runs no statement', async () => {
  const paylink = await startPaylink('server', { isAtWork: false });
  try {
    const good = await logIn(paylink);
    const count = countLimitStatements(paylink.app);
    const answer = await look(paylink, good);
    assert.deepEqual([answer.status, answer.headers.get('ratelimit'), count()], [200, null, 0]);
    const answers = await Promise.all(Array.from({ length: 80 }, async () => await look(paylink, {})));
    assert.equal(allowed(answers), 80);
  } finally {
    await paylink.stop();
  }
});
