// The commands that call the service, as processes: logging in, stored files, output and exit codes.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { triggeredTypes } from '../src/cli/trigger.ts';
import { knownTypes } from '../src/webhooks/event-types.ts';
import { createHome, type ExitedCommand, type Home, type Settings } from './harness/cli.ts';
import { createLink, type Json } from './harness/client.ts';
import { freePort, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let home: Home;
/** A home without a login. */
let stranger: Home;

before(async () => {
  [paylink, home, stranger] = await Promise.all([startPaylink('server'), createHome(), createHome()]);
  const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
  loggedIn = await home.feed(`${password}\n`, {}, ...login);
});
after(async () => {
  await home.remove();
  await stranger.remove();
  await paylink.stop();
});

let loggedIn: ExitedCommand;
const run = async (...args: string[]) => await home.run({}, ...args);
const runWith = async (settings: Settings, ...args: string[]) => await home.run(settings, ...args);

const order = ['--amount', '19.99', '--currency', 'EUR', '--email', 'ada@example.com'];

/** The stored logins. */
function keptIn(place: Home) {
  const folder = join(place.folder, 'config', 'paylink');
  const file = join(folder, 'credentials.json');
  return {
    folder,
    file,
    kept: JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>,
  };
}

/** Fails if a secret of the login was printed. */
function refuseSecrets({ out, err }: ExitedCommand): void {
  const { kept } = keptIn(home);
  for (const secret of [password, kept.default?.token ?? '', kept.default?.apiKey ?? '']) {
    assert.ok(secret.length > 5);
    assert.ok(!out.includes(secret) && !err.includes(secret), 'a secret was printed');
  }
}

/** Creates a link with the command. */
async function makeLink(...args: string[]): Promise<{ code: string; link: string }> {
  const made = await run('payments', 'create', ...order, ...args, '--json');
  assert.deepEqual([made.code, made.err], [0, '']);
  const { PaymentLinkCode: code, PaymentLink: link } = JSON.parse(made.out) as Record<string, string>;
  return { code: String(code), link: String(link) };
}

describe('logging in', () => {
  test('a stored login is readable only by its owner, and none of its secrets is printed', () => {
    assert.deepEqual([loggedIn.code, loggedIn.err], [0, '']);
    assert.match(loggedIn.out, new RegExp(`^Logged in at ${paylink.baseUrl} as ${paylink.merchant.email}`));
    refuseSecrets(loggedIn);
    const { folder, file } = keptIn(home);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, 'utf8').includes(password));
    assert.deepEqual(readdirSync(folder), ['credentials.json']);
  });

  test('a wrong password exits with 3 and stores nothing', async () => {
    const login = `login --url ${paylink.baseUrl} --email ${paylink.merchant.email}`;
    const wrong = await stranger.feed('not it\n', {}, ...login.split(' '));
    assert.deepEqual([wrong.code, wrong.out], [3, '']);
    assert.match(wrong.err, /The email address or the password is wrong/);
    assert.throws(() => keptIn(stranger), /ENOENT/);
  });

  test('without a login, commands that call the service exit with 3 and say how to log in', async () => {
    const { code, out, err } = await stranger.run({}, 'payments', 'get', 'x', '--json');
    assert.equal(code, 3);
    assert.match(err, /^You are not logged in\. Log in with: paylink login\n$/);
    assert.equal((JSON.parse(out) as { error: Json }).error.code, 'not_logged_in');
  });

  test('an expired login exits with 3, and PAYLINK_PASSWORD renews it', async () => {
    const { file, kept } = keptIn(home);
    const before = readFileSync(file, 'utf8');
    const old = { ...kept, default: { ...kept.default, expiresAt: '2026-01-01T00:00:00.000Z' } };
    try {
      writeFileSync(file, JSON.stringify(old));
      const ended = await run('payments', 'create', ...order);
      assert.equal(ended.code, 3);
      assert.match(ended.err, /^The login of \S+ has expired\. Log in with: paylink login\n$/);
      const renewed = await runWith({ PAYLINK_PASSWORD: password }, 'payments', 'create', ...order, '--json');
      assert.equal(renewed.code, 0);
    } finally {
      writeFileSync(file, before);
    }
  });

  test('an invalid token exits with 3', async () => {
    const refused = await runWith({ PAYLINK_TOKEN: 'ey.no.token' }, 'payments', 'create', ...order);
    assert.equal(refused.code, 3);
    assert.match(refused.err, /invalid_token[\s\S]*paylink login/);
  });

  test('the environment alone is enough, and profiles are separate', async () => {
    const { merchant } = paylink;
    const settings = {
      PAYLINK_URL: paylink.baseUrl,
      PAYLINK_EMAIL: merchant.email,
      PAYLINK_PASSWORD: password,
    };
    assert.equal((await stranger.run(settings, 'trigger', 'payment.created')).code, 0);
    assert.equal((await stranger.run(settings, 'login', '--profile', 'shop')).code, 0);
    assert.equal((await stranger.run({ PAYLINK_PROFILE: 'shop' }, 'trigger', 'payment.created')).code, 0);
  });

  test('an invalid file and a folder that cannot be written are reported by name', async () => {
    await using place = await createHome();
    const folder = join(place.folder, 'config', 'paylink');
    mkdirSync(folder, { recursive: true });
    for (const text of ['{', 'null', '[]']) {
      writeFileSync(join(folder, 'credentials.json'), text);
      const listed = await place.run({}, 'payments', 'list');
      assert.equal(listed.code, 2, listed.err);
      assert.match(listed.err, /^The file .*credentials\.json cannot be read: .*\n$/);
    }
    const blocked = join(place.folder, 'blocked');
    writeFileSync(blocked, '');
    const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
    const entered = await place.feed(`${password}\n`, { XDG_CONFIG_HOME: blocked }, ...login);
    assert.equal(entered.code, 2, entered.err);
    assert.match(entered.err, /^The file .*credentials\.json cannot be written: .*\n$/);
  });

  test('credentials stored for one service are never sent to another', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      assert.equal((await runWith({ PAYLINK_URL: url }, 'payments', 'create', ...order)).code, 3);
      assert.deepEqual(seen, []);
    } finally {
      other.close();
    }
  });

  test('a login sends the API key of the last login of this account and service, and no other', async () => {
    const keys: unknown[] = [];
    const other = createServer((request, response) => {
      keys.push(request.headers['x-api-key']);
      const headers = {
        ...{ 'content-type': 'application/json', 'x-api-key': 'plk_test_kept', 'x-company-id': 'co_kept' },
      };
      const expiresAt = '2026-01-01T00:00:00.000Z';
      const login = { email: 'ada@example.com', accountId: 'acc_1', roles: ['owner'], token: 't', expiresAt };
      response.writeHead(200, headers).end(JSON.stringify({ ...login, mode: 'test' }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const place = await createHome();
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const logIn = async (email: string, at = url) =>
        (await place.run({ PAYLINK_PASSWORD: password }, 'login', '--url', at, '--email', email)).code;
      assert.equal(await logIn('ada@example.com'), 0);
      assert.equal(await logIn('ada@example.com'), 0);
      // The token has expired, so the command logs in.
      await place.run({ PAYLINK_PASSWORD: password }, 'payments', 'list');
      assert.equal(await logIn('bob@example.com'), 0);
      assert.equal(await logIn('ada@example.com', url.replace('127.0.0.1', 'localhost')), 0);
      const [first, again, renewed, ...rest] = keys;
      assert.deepEqual([first, again, renewed], [undefined, 'plk_test_kept', 'plk_test_kept']);
      assert.deepEqual(rest.slice(-2), [undefined, undefined]);
    } finally {
      await place.remove();
      other.close();
    }
  });

  test('logging out deletes the stored login', async () => {
    const settings = { PAYLINK_PASSWORD: password };
    const login = ['login', '--profile', 'gone', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
    assert.equal((await runWith(settings, ...login)).code, 0);
    assert.equal((await run('logout', '--profile', 'gone')).code, 0);
    assert.deepEqual(Object.keys(keptIn(home).kept), ['default']);
  });
});

describe('payments', () => {
  test('creating prints only the link on standard output, and the QR code on standard error', async () => {
    const made = await run('payments', 'create', ...order);
    assert.equal(made.code, 0);
    assert.match(made.out, new RegExp(`^${paylink.baseUrl}/pay/\\w{30}\n$`));
    assert.match(made.err, /^19\.99 EUR for order [\w-]{36}, open until /);
    assert.match(made.err, /█▄▄▄█/);
    refuseSecrets(made);
    assert.equal((await fetch(made.out.trim())).status, 200);
  });

  test('all options reach the service, and its response is printed as JSON', async () => {
    const args = '--order o-1 --first-name Ada --description Tea --metadata a=b=c --metadata d= --json';
    const { code, out } = await run('payments', 'create', ...order, ...args.split(' '));
    assert.equal(code, 0);
    const { customerOrderId, firstName, description, metadata, amount } = JSON.parse(out) as Json;
    assert.deepEqual(
      { customerOrderId, firstName, description, metadata, amount },
      {
        customerOrderId: 'o-1',
        firstName: 'Ada',
        description: 'Tea',
        metadata: { a: 'b=c', d: '' },
        amount: 19.99,
      },
    );
  });

  test('an amount that a number cannot hold exactly is rejected before any request', async () => {
    for (const amount of ['19.990000000000000000001', '0x10']) {
      const line = `payments create --currency EUR --email a@b.c --amount=${amount}`;
      const refused = await run(...line.split(' '));
      assert.deepEqual([refused.code, refused.out], [2, ''], amount);
      assert.match(refused.err, /--amount must be an amount such as 19\.99/);
    }
  });

  test('an error of the service exits with 4, with its code on both outputs', async () => {
    const line = 'payments create --amount 19.999 --currency EUR --email a@b.c --json';
    const refused = await run(...line.split(' '));
    assert.equal(refused.code, 4);
    assert.match(refused.err, /^Rejected: 422 invalid_fields: .*EUR has at most 2 decimals/);
    const { error } = JSON.parse(refused.out) as { error: Json & { errors: Json[] } };
    assert.deepEqual([error.exitCode, error.code, error.status], [4, 'invalid_fields', 422]);
    assert.equal(error.errors[0]?.field, 'amount');
    assert.match(String(error.requestId), /^req_/);
  });

  test('an unreachable service exits with 5 and its address', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const login = await stranger.feed('x\n', {}, 'login', '--url', url, '--email', 'a@b.c');
    assert.equal(login.code, 5);
    assert.match(
      login.err,
      new RegExp(`^${url} could not be reached \\(ECONNREFUSED\\)\\. Is the service running`),
    );
  });

  test('cancelling with --yes cancels the link; without --yes and a terminal nothing is cancelled', async () => {
    const { code } = await makeLink();
    const refused = await run('payments', 'cancel', code);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(
      refused.err,
      /^There is no terminal to ask .* To cancel a payment without one, add --yes\.\n$/,
    );
    assert.equal(JSON.parse((await run('payments', 'get', code, '--json')).out).status, 'open');
    const cancelled = await run('payments', 'cancel', code, '--yes', '--json');
    assert.equal((JSON.parse(cancelled.out) as Json).status, 'cancelled');
  });

  test('a refund refunds the given amount; with another expected remainder it fails', async () => {
    const { code, link } = await makeLink();
    await payWith(link, { number: '4242424242424242' });
    const refused = await run('payments', 'refund', code, '--amount', '5', '--json');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /To refund a payment without one, add --yes\.\n$/);
    assert.equal((JSON.parse(refused.out) as { error: Json }).error.code, 'usage');
    const five = ['payments', 'refund', code, '--yes', '--amount', '5', '--expected-remaining', '19.99'];
    const part = await run(...five, '--json');
    assert.equal(part.code, 0);
    assert.match(part.err, /^Idempotency-Key: [\w-]{36}\n$/);
    const { amount, status } = JSON.parse(part.out) as Json;
    assert.deepEqual([amount, status], [5, 'succeeded']);
    const stale = await run(...five);
    assert.equal(stale.code, 4);
    assert.match(stale.err, /stale_remaining/);
    // By the earlier name.
    const rest = await run('pay', 'refund', code, '--reason', 'all of it', '--yes');
    assert.match(rest.out, /^ref_\w+: 14\.99 EUR succeeded\n$/);
  });

  test('opening starts the browser with the URL, or prints the URL', async () => {
    const { code, link } = await makeLink();
    const browser = join(home.folder, 'browser');
    const opened = join(home.folder, 'opened');
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
    chmodSync(browser, 0o700);
    assert.equal((await runWith({ BROWSER: browser }, 'payments', 'open', code)).code, 0);
    // The command does not wait for the browser.
    const isOpened = () => existsSync(opened) && readFileSync(opened, 'utf8') !== '';
    await until(isOpened, 'the browser');
    assert.equal(readFileSync(opened, 'utf8'), link);
    const none = await runWith({ BROWSER: join(home.folder, 'nothing') }, 'payments', 'open', code, '--json');
    assert.deepEqual(JSON.parse(none.out), { PaymentLink: link, opened: false });
  });
});

describe('trigger', () => {
  for (const [event, status] of Object.entries({
    'payment.created': 'open',
    'payment.paid': 'paid',
    'payment.failed': 'failed',
    'payment.link_requested': 'failed',
    'payment.cancelled': 'cancelled',
    'attempt.unknown': 'processing',
    'attempt.resolved': 'paid',
    'refund.succeeded': 'paid',
    'payment.expired': 'expired',
    'refund.failed': 'paid',
  }))
    test(`${event} happens to a payment, which is ${status} then`, async () => {
      const { code, out } = await run('trigger', event, '--json');
      assert.equal(code, 0);
      const result = JSON.parse(out) as Record<string, string>;
      assert.equal(result.status, status);
      const { companyId } = paylink.merchant;
      const [found] = await paylink.app.deps.db.inTenant({ companyId, mode: 'test' }, async (tx) =>
        tx.query<{ count: number }>(
          `select count(*)::int as count from events e join payments p using (company_id, payment_id)
           where company_id = $1 and p.code = $2 and e.type = $3`,
          [companyId, result.PaymentLinkCode, event],
        ),
      );
      assert.equal(found?.count, 1);
    });

  test('it can cause every public event', () =>
    assert.deepEqual([...triggeredTypes].sort(), [...knownTypes].sort()));

  test('an event has the order, amount and metadata of the options', async () => {
    const options = [
      '--order',
      'own 7',
      '--amount',
      '12.34',
      '--currency',
      'USD',
      '--metadata',
      'cart=7',
      '--json',
    ];
    const { code, out } = await run('trigger', 'payment.paid', ...options);
    assert.equal(code, 0);
    const { PaymentLinkCode } = JSON.parse(out) as { PaymentLinkCode: string };
    const { out: shown } = await run('pay', 'show', PaymentLinkCode, '--json');
    const { customerOrderId, amount, currency, metadata } = JSON.parse(shown) as Record<string, unknown>;
    assert.deepEqual([customerOrderId, amount, currency, metadata], ['own 7', 12.34, 'USD', { cart: '7' }]);
  });

  test('the clock moves forward, and shows how far', async () => {
    const moved = await run('clock', 'advance', 'P2D', '--json');
    assert.equal((JSON.parse(moved.out) as { aheadSeconds: number }).aheadSeconds, 172_800);
    assert.match((await run('clock', 'show')).out, /172800 s ahead/);
    const refused = await run('clock', 'advance', 'P2M');
    assert.equal(refused.code, 4);
  });
});

test('a closed pipe is not an error', async () => {
  await createLink(paylink);
  const started = home.start({}, 'completion', 'bash');
  started.child.stdout?.destroy();
  const { err } = await started.ended;
  assert.equal(err, '');
});
