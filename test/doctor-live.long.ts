// `paylink doctor --live`: its results and remedies, that processors verify live credentials, and that nothing is
// changed or revealed. A local server plays the processor's API.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createApiKey } from '../src/api-keys/create-api-key.ts';
import { newApiKeyId, newConnectionId } from '../src/base/ids.ts';
import type { Currency } from '../src/base/money.ts';
import { encryptCredentials } from '../src/connections/open-connection.ts';
import { countProcessorWebhook, insertConnection } from '../src/connections/store.ts';
import { makeAuthority, makeCertificate } from './dns/certificate.ts';
import { createHome, type Home, type Settings, settingsOf } from './harness/cli.ts';
import { bare, read, rowsOf, sectionOf } from './harness/documents.ts';
import { type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { openSmtpServer } from './harness/smtp-server.ts';

type Finding = { check: string; state: string; detail: string; mend?: string };
type Report = { code: number | null; findings: Finding[]; text: string };

const apiKey = 'live_keptFromEverybody1keptFromEvery';

async function open(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

async function runDoctor(home: Home, settings: Settings, ...args: string[]): Promise<Report> {
  const { code, out, err } = await home.run(settings, 'doctor', '--live', '--json', ...args);
  assert.ok(!(out + err).includes(apiKey), 'a credential was printed');
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return { code, findings, text: findings.map(({ state, detail }) => `${state}: ${detail}`).join('\n') };
}

const namesOf = (findings: readonly Finding[], state: string) =>
  findings.filter((finding) => finding.state === state).map(({ check }) => check);

describe('the doctor of live mode, behind https and on PostgreSQL', () => {
  let home: Home;
  let paylink: Paylink;
  let settings: Settings;
  let box: Awaited<ReturnType<typeof openSmtpServer>>;
  /** The processor's response about a key. */
  let answer = { status: 200, body: { id: 'pfl_tests', name: 'Shop of the tests', status: 'verified' } };
  let asked = 0;
  const api = createServer((_request, response) => {
    asked++;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  const authority = makeAuthority();
  // A proxy with TLS.
  const front = createTlsServer(makeCertificate(authority, { names: ['localhost'] }), (request, response) => {
    void fetch(paylink.baseUrl + request.url).then(async (got) => {
      response.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? '' });
      response.end(await got.text());
    });
  });

  before(async () => {
    const [apiPort, frontPort] = [await open(api), await open(front as unknown as Server)];
    home = await createHome();
    box = await openSmtpServer();
    paylink = await startPaylink('server', { settings: { BASE_URL: `https://localhost:${frontPort}` } });
    const authorityFile = join(home.folder, 'authority.pem');
    await writeFile(authorityFile, authority.cert);
    settings = {
      ...settingsOf(paylink),
      MOLLIE_API_URL: `http://127.0.0.1:${apiPort}`,
      NODE_EXTRA_CA_CERTS: authorityFile,
      SMTP_URL: box.url,
      MAIL_FROM: 'no-reply@pay.example',
      TRUSTED_PROXIES: '127.0.0.1',
    };
  });
  after(async () => {
    await home.remove();
    await paylink.stop();
    await box.stop();
    for (const server of [api, front]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const inCompany = async ({ companyId }: Merchant, currencies: Currency[]): Promise<string> => {
    const { db, keyring } = paylink.app.deps;
    const connectionId = newConnectionId(companyId);
    await db.inTenant({ companyId, mode: 'live' }, async (tx) => {
      await insertConnection(tx, {
        ...{
          connectionId,
          processor: 'mollie',
          mode: 'live',
          name: 'Main',
          holder: '',
          account: '',
          offers: [],
          currencies,
        },
        ...{ position: 0, isEnabled: true, keyId: keyring.keyId, createdBy: 'test', createdAt: new Date() },
        sealed: encryptCredentials(keyring, { companyId, connectionId }, { apiKey }),
      });
    });
    return connectionId;
  };
  const makeLiveKey = async (merchant: Merchant): Promise<void> => {
    const caller = { ...merchant, sessionId: '', keyId: '', roles: ['owner'], mode: 'test' } as const;
    const keyId = newApiKeyId(merchant.companyId);
    await createApiKey(paylink.app.deps, caller, { keyId, mode: 'live' });
  };
  const keptRows = async (): Promise<unknown> =>
    await paylink.app.deps.db.asOwner.query(
      `select (select json_agg(c order by connection_id) from connections c) as connections,
              (select count(*) from events) as events, (select json_agg(k order by key_id) from api_keys k) as keys`,
    );

  test('a service without a live key or connection fails', async () => {
    const { code, findings } = await runDoctor(home, settings);
    assert.equal(code, 1);
    // The test cluster does not flush, which is a failure for live payments.
    assert.deepEqual(namesOf(findings, 'fail').sort(), ['durability', 'live: companies']);
    const off = await home.run(settings, 'doctor', '--company', paylink.merchant.companyId);
    assert.deepEqual([off.code, off.err], [2, '--company requires --live.\n']);
    const nobody = await runDoctor(home, settings, '--company', 'co_nobody00');
    assert.match(nobody.text, /fail: There is no company co_nobody00\./);
  });

  test('a company that can take live payments passes; its processor is queried and nothing is changed', async () => {
    const merchant = await paylink.createMerchant();
    await makeLiveKey(merchant);
    const connectionId = await inCompany(merchant, ['EUR']);
    const before = await keptRows();
    const asking = asked;
    const look = async () => await runDoctor(home, settings, '--company', merchant.companyId);
    const { findings, text } = await look();
    assert.deepEqual(namesOf(findings, 'fail'), ['durability']);
    assert.match(text, /ok: has a live API key/);
    assert.match(text, /ok: con_\w+ "Main" \(Mollie\): the credentials are valid, of Shop of the tests/);
    assert.match(text, /ok: EUR is accepted by Main/);
    assert.match(text, /warn: No connection accepts USD/);
    assert.match(text, /warn: con_\w+ "Main" \(Mollie\): no webhook has ever arrived\./);
    const { mend = '' } = findings.find(({ detail }) => detail.includes('no webhook')) ?? {};
    assert.ok(mend.includes(`/processors/mollie/webhook/${connectionId} `), mend);
    // For its profile and for its methods.
    assert.deepEqual([await keptRows(), asked - asking], [before, 2]);
    const note = async (verdict: 'forged' | 'accepted') =>
      await paylink.app.deps.db.inTenant(
        { companyId: merchant.companyId, mode: 'live' },
        async (tx) => await countProcessorWebhook(tx, { connectionId, verdict, at: new Date() }),
      );
    await note('forged');
    assert.match((await look()).text, /warn: .* webhooks arrive, but none has a valid signature\./);
    await note('accepted');
    assert.match((await look()).text, /ok: .* its webhooks arrive/);
  });

  test('the checklist in docs/processors.md has every printed line, in its order', async () => {
    const merchant = await paylink.createMerchant();
    await makeLiveKey(merchant);
    await inCompany(merchant, ['EUR', 'USD']);
    const { findings } = await runDoctor(home, settings, '--company', merchant.companyId);
    const printed = findings.map(({ check }) => check.replace(/^live: co_\w+ \(.*\)$/, 'live: co_… (name)'));
    const rows = rowsOf(sectionOf(read('docs/processors.md'), '## Going live'));
    assert.deepEqual(
      rows.map(([line]) => bare(line)),
      [...new Set(printed)],
    );
  });

  test('rejected credentials and a processor that does not respond are reported for every live company', async () => {
    const merchant = await paylink.createMerchant();
    await inCompany(merchant, ['EUR', 'USD']);
    const own = async () => {
      const { code, findings } = await runDoctor(home, settings);
      assert.equal(code, 1);
      const found = findings.filter(({ check }) => check.startsWith(`live: ${merchant.companyId}`));
      return found.map(({ state, detail }) => `${state}: ${detail}`).join('\n');
    };
    answer = { ...answer, status: 401 };
    const refused = await own();
    assert.match(refused, /fail: has no valid live API key/);
    assert.match(refused, /fail: con_\w+ "Main" \(Mollie\): apiKey: Mollie rejected this key/);
    assert.match(refused, /fail: no enabled connection has valid credentials/);
    answer = { ...answer, status: 500 };
    assert.match(await own(), /fail: con_\w+ "Main" \(Mollie\) could not be checked/);
    const otherKey = { ...settings, PAYLINK_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
    const { text } = await runDoctor(home, otherKey, '--company', merchant.companyId);
    assert.match(text, /fail: con_\w+ "Main" \(Mollie\) could not be checked/);
    answer = { ...answer, status: 200 };
  });
});

test('with http, the embedded database and no mail server, doctor --live fails and names each', async () => {
  const [paylink, home] = await Promise.all([startPaylink('embedded'), createHome()]);
  try {
    const { code, findings } = await runDoctor(home, settingsOf(paylink));
    assert.equal(code, 1);
    const failed = namesOf(findings, 'fail');
    for (const check of ['live: address', 'live: database', 'live: mail', 'database'])
      assert.ok(failed.includes(check), check);
    assert.ok(!findings.some(({ check }) => check === 'live: companies'), 'the service uses the database');
  } finally {
    await home.remove();
    await paylink.stop();
  }
});
