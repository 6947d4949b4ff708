// What `paylink doctor` says about mail and webhooks, asked of real servers: one that is well, one that is away, and
// some that refuse us. No mail is sent, and no password is printed.

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

  test('greets the mail server and sends it nothing', async () => {
    const box = await openSmtpServer();
    const found = await find('mail', { SMTP_URL: box.url, MAIL_FROM });
    await box.stop();
    assert.deepEqual(found, {
      check: 'mail',
      state: 'ok',
      detail: `127.0.0.1, port ${box.port} answers without TLS`,
    });
    assert.deepEqual(box.caught, []);
  });

  test('finds a mail server that is away, and one whose certificate does not hold', async () => {
    const away = await find('mail', { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM });
    assert.equal(away?.state, 'fail');
    assert.match(String(away?.detail), /ECONNREFUSED/);
    const box = await openSmtpServer({ secure: true });
    const distrusted = await find('mail', { SMTP_URL: box.url, MAIL_FROM });
    await box.stop();
    assert.equal(distrusted?.state, 'fail');
    assert.match(String(distrusted?.detail), /certificate/i);
  });

  test('logs in by TLS alone, and tells a login that is taken from one that is refused', async () => {
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
    assert.match(String(taken?.detail), /answers by TLS and takes the login$/);
    assert.match(String(refused?.detail), /refuses the login \(535\)/);
    assert.match(String(unsafe?.detail), /STARTTLS/);
    assert.deepEqual(box.caught, []);
  });

  test('warns of mails that reach nobody and of webhooks to this machine where the address is https', async () => {
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
