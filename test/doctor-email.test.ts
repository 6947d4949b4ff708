// What `paylink doctor` reports about mail and webhooks, with real mail servers. No email is sent, and no password is
// printed.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeAuthority, makeCertificate } from './dns/certificate.ts';
import { createHome, type Home, type Settings } from './harness/cli.ts';
import type { Json } from './harness/client.ts';
import { freePort } from './harness/paylink.ts';
import { openSmtpServer } from './harness/smtp-server.ts';

const MAIL_FROM = 'no-reply@pay.example';

describe('the doctor', () => {
  let home: Home;
  before(async () => {
    home = await createHome();
  });
  after(async () => await home.remove());

  async function find(check: string, settings: Settings): Promise<Json | undefined> {
    const { out, err } = await home.run({ DATA_DIR: 'none', ...settings }, 'doctor', '--json');
    assert.doesNotMatch(out + err, /hunter2/);
    return (JSON.parse(out) as { findings: Json[] }).findings.find((finding) => finding.check === check);
  }

  test('connects to the mail server and sends no email', async () => {
    const box = await openSmtpServer();
    const found = await find('mail', { SMTP_URL: box.url, MAIL_FROM });
    await box.stop();
    assert.deepEqual(found, {
      check: 'mail',
      state: 'ok',
      detail: `127.0.0.1, port ${box.port} responds without TLS`,
    });
    assert.deepEqual(box.caught, []);
  });

  test('reports an unreachable mail server and an invalid certificate', async () => {
    const away = await find('mail', { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM });
    assert.equal(away?.state, 'fail');
    assert.match(String(away?.detail), /ECONNREFUSED/);
    const box = await openSmtpServer({ secure: true });
    const distrusted = await find('mail', { SMTP_URL: box.url, MAIL_FROM });
    await box.stop();
    assert.equal(distrusted?.state, 'fail');
    assert.match(String(distrusted?.detail), /certificate/i);
  });

  test('logs in only with TLS, and reports a rejected login', async () => {
    const authority = makeAuthority();
    const authorityFile = join(home.folder, 'authority.pem');
    await writeFile(authorityFile, authority.cert);
    const box = await openSmtpServer({
      secure: true,
      ...makeCertificate(authority, { names: ['127.0.0.1'] }),
      disabledCommands: [],
      onAuth: (auth, _session, done) =>
        auth.password === 'hunter2'
          ? done(null, { user: 'one' })
          : done(new Error(`wrong password ${String(auth.password)}`)),
    });
    const settings = { MAIL_FROM, NODE_EXTRA_CA_CERTS: authorityFile };
    const urlOf = (password: string) => `smtps://one:${password}@127.0.0.1:${box.port}`;
    const taken = await find('mail', { ...settings, SMTP_URL: urlOf('hunter2') });
    const refused = await find('mail', { ...settings, SMTP_URL: urlOf('hunter22') });
    const bare = await openSmtpServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const unsafe = await find('mail', { MAIL_FROM, SMTP_URL: `smtp://one:hunter2@127.0.0.1:${bare.port}` });
    await Promise.all([box.stop(), bare.stop()]);
    assert.deepEqual([taken?.state, refused?.state, unsafe?.state], ['ok', 'fail', 'fail']);
    assert.match(String(taken?.detail), /responds with TLS and accepts the login$/);
    assert.match(String(refused?.detail), /rejects the login \(535\)/);
    assert.match(String(unsafe?.detail), /STARTTLS/);
    assert.deepEqual(box.caught, []);
  });

  test('with an https address, warns about unsent emails and webhooks to this machine', async () => {
    const loopback = { WEBHOOKS_ALLOW_LOOPBACK: 'true' };
    const open = { BASE_URL: 'https://nowhere.invalid' };
    const states = async (settings: Settings) => [
      (await find('mail', settings))?.state,
      (await find('webhooks', settings))?.state,
    ];
    assert.deepEqual(await states({ ...open, ...loopback }), ['warn', 'warn']);
    assert.deepEqual(await states(loopback), ['ok', 'ok']);
    assert.deepEqual(await states(open), ['warn', undefined]);
  });
});
