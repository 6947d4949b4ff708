import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseOptions, decodeMasterKey, InvalidSettingsError, readConfig } from './config.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof InvalidSettingsError);
    return error.faults;
  }
  return [];
}

test('no setting is needed to start on the embedded database', () => {
  const config = readConfig({});
  assert.equal(config.databaseUrl, null);
  assert.equal(config.baseUrl, 'http://localhost:3000');
  assert.equal(config.host, '127.0.0.1');
});

test('every invalid setting is reported at once, by name', () => {
  const broken = {
    PORT: '70000',
    BASE_URL: 'ftp://pay.example.com/x',
    DATABASE_URL: 'mysql://x',
    PAYLINK_MASTER_KEY: 'short',
    BOOTSTRAP_EMAIL: 'x',
    BOOTSTRAP_PASSWORD: 'short',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_LOGIN_PER_MINUTE: '-1',
    DATABASE_POOL_SIZE: 'many',
    DATABASE_DIRECT_URL: 'localhost',
    DATABASE_PREPARED_STATEMENTS: 'maybe',
    WEBHOOKS_ALLOW_LOOPBACK: 'yes',
  };
  const faults = faultsOf(broken);
  for (const name of Object.keys(broken))
    assert.ok(
      faults.some((fault) => fault.startsWith(name)),
      name,
    );
  assert.equal(faults.length, Object.keys(broken).length);
});

test('a server database needs a master key, and the error says how to create one', () => {
  assert.match(
    faultsOf({ DATABASE_URL: 'postgres://localhost/paylink' })[0] ?? '',
    /openssl rand -base64 32/,
  );
});

test('a direct database address needs the pooled one too, and statements are prepared by default', () => {
  const direct = { DATABASE_DIRECT_URL: 'postgres://db.internal/paylink' };
  assert.match(faultsOf(direct)[0] ?? '', /^DATABASE_DIRECT_URL requires DATABASE_URL/);
  const key = Buffer.alloc(32, 1).toString('base64');
  const database = { DATABASE_URL: 'postgres://pooler.internal:6432/paylink', PAYLINK_MASTER_KEY: key };
  assert.deepEqual(
    databaseOptions(readConfig({ ...database, ...direct, DATABASE_PREPARED_STATEMENTS: 'off' })),
    {
      databaseUrl: database.DATABASE_URL,
      directUrl: direct.DATABASE_DIRECT_URL,
      preparesStatements: false,
      poolSize: 10,
      dataDir: './data',
    },
  );
  const usual = databaseOptions(readConfig(database));
  assert.deepEqual([usual.preparesStatements, usual.directUrl], [true, undefined]);
});

test('an old master key has 32 bytes and differs from the current one', () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) => key.toString('base64'));
  const config = readConfig({ PAYLINK_MASTER_KEY: one, PAYLINK_OLD_MASTER_KEY: two });
  assert.deepEqual(config.oldMasterKey, Buffer.alloc(32, 2));
  for (const [old, fault] of [
    [one, /PAYLINK_OLD_MASTER_KEY is the same key as PAYLINK_MASTER_KEY/],
    ['short', /PAYLINK_OLD_MASTER_KEY must be 32 bytes/],
  ] as const)
    assert.throws(() => readConfig({ PAYLINK_MASTER_KEY: one, PAYLINK_OLD_MASTER_KEY: old }), fault);
});

test('SMTP_URL sets host, port, TLS and login, and requires MAIL_FROM', () => {
  const smtpOf = (text: string) => readConfig({ SMTP_URL: text, MAIL_FROM: 'no-reply@pay.example' }).smtp;
  assert.equal(readConfig({}).smtp, null);
  assert.deepEqual(smtpOf('smtp://mail.example'), {
    ...{ host: 'mail.example', port: 587, isImplicitTls: false, login: null },
  });
  assert.deepEqual(smtpOf('smtps://ada%40example.com:p%3Aw@[::1]:2465'), {
    ...{ host: '::1', port: 2465, isImplicitTls: true },
    login: { user: 'ada@example.com', password: 'p:w' },
  });
  assert.equal(smtpOf('smtps://mail.example')?.port, 465);
  assert.match(faultsOf({ SMTP_URL: 'smtp://mail.example' })[0] ?? '', /^MAIL_FROM is required/);
  for (const text of ['http://mail.example', 'smtp://', 'smtp://a/b', 'smtp://a?tls=off', 'x']) {
    const [fault = '', ...more] = faultsOf({ SMTP_URL: text, MAIL_FROM: 'no-reply@pay.example' });
    assert.match(fault, /^SMTP_URL must be/, text);
    assert.deepEqual(more, []);
  }
  for (const text of ['x', 'a@b, c@d', 'Shop <a@b>', 'a@b@c'])
    assert.match(faultsOf({ MAIL_FROM: text })[0] ?? '', /^MAIL_FROM must be/, text);
});

test('an error never contains a secret', () => {
  const faults = faultsOf({
    DATABASE_URL: 'mysql://u:hunter2@h/x',
    PAYLINK_MASTER_KEY: 'hunter2',
    BOOTSTRAP_PASSWORD: 'hunter2',
    SMTP_URL: 'http://u:hunter2@h',
    MAIL_FROM: 'no-reply@pay.example',
  });
  assert.equal(faults.length, 4);
  assert.doesNotMatch(faults.join(), /hunter2/);
});

test('a master key is 32 bytes in base64, base64url or hexadecimal', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i));
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    assert.deepEqual(decodeMasterKey(bytes.toString(encoding)), bytes);
  for (const text of ['', 'x', bytes.toString('base64').slice(2), `${bytes.toString('hex')}00`])
    assert.equal(decodeMasterKey(text), null);
});

test('the API address of a processor can be replaced by a plain address', () => {
  assert.deepEqual(readConfig({}).processorUrls, {});
  assert.deepEqual(readConfig({ MOLLIE_API_URL: 'http://127.0.0.1:4000/' }).processorUrls, {
    mollie: 'http://127.0.0.1:4000',
  });
  for (const text of [
    'api.example',
    'ftp://api.example',
    'https://api.example/v2',
    'https://me@api.example',
  ]) {
    const [fault = '', ...more] = faultsOf({ STRIPE_API_URL: text });
    assert.match(fault, /^STRIPE_API_URL must be/, text);
    assert.deepEqual(more, []);
  }
});

test('a proxy range of all addresses is rejected at startup', () => {
  for (const range of ['0.0.0.0/0', '::/0', '10.0.0.1/00'])
    assert.match(
      faultsOf({ TRUSTED_PROXIES: range }).join(),
      /^TRUSTED_PROXIES must list .*10\.0\.0\.0\/8/,
      range,
    );
  for (const range of ['10.0.0.0/1', '::/1', '::ffff:10.0.0.0/104', 'loopback'])
    assert.deepEqual(faultsOf({ TRUSTED_PROXIES: range }), [], range);
});

test('metrics are off without METRICS_PORT, and on for this machine alone with it', () => {
  assert.equal(readConfig({}).metrics, null);
  assert.equal(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics, null);
  assert.deepEqual(readConfig({ METRICS_PORT: '9464' }).metrics, {
    port: 9464,
    host: '127.0.0.1',
    token: null,
  });
});

test('metrics that other machines can reach need a token; each fault is one sentence that says what to do', () => {
  const token = 'k7rXw2Qp9LmZ4vTn';
  const faultOf = (settings: Record<string, string>) =>
    faultsOf({ METRICS_PORT: '9464', ...settings }).join();
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'metrics.internal', '127.0.0.1.example.com']) {
    assert.match(
      faultOf({ METRICS_HOST: host }),
      /^METRICS_TOKEN is required because METRICS_HOST is .* openssl rand/,
    );
    assert.equal(faultOf({ METRICS_HOST: host, METRICS_TOKEN: token }), '');
  }
  for (const host of ['127.0.0.1', '127.0.0.53', '::1', 'localhost'])
    assert.equal(faultOf({ METRICS_HOST: host }), '');
  for (const bad of ['short', `${token} x`, `${token}ü`])
    assert.match(faultOf({ METRICS_TOKEN: bad }), /^METRICS_TOKEN must have at least 16 .* openssl rand/);
  assert.match(faultOf({ PORT: '9464' }), /^METRICS_PORT must differ from PORT, which is 9464/);
  assert.match(faultOf({ METRICS_PORT: '0' }), /^METRICS_PORT must be a whole number from 1 to 65535/);
});

test('operators are named by their email addresses, whatever the case and the separators', () => {
  assert.deepEqual(readConfig({}).operatorEmails, []);
  assert.deepEqual(readConfig({ OPERATOR_EMAILS: ' Ada@Example.com,\tbob@example.com ,' }).operatorEmails, [
    'ada@example.com',
    'bob@example.com',
  ]);
  assert.match(
    faultsOf({ OPERATOR_EMAILS: 'ada@example.com, Bob' }).join(),
    /^OPERATOR_EMAILS must list email addresses .*not "Bob"/,
  );
});
