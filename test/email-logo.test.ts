// The logo in emails: what customers' mail programs load.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'fast-png';
import { randomBase32 } from '../src/base/ids.ts';
import { call, createLinkAs, logIn } from './harness/client.ts';
import { engines, startPaylink } from './harness/paylink.ts';
import { openSmtpServer } from './harness/smtp-server.ts';

const logo = Buffer.from(encode({ width: 1, height: 1, data: new Uint8Array([1, 2, 3]), channels: 3 }));

for (const engine of engines)
  test(`on the ${engine} database, the logo is the same file for every recipient, and mail programs on other sites may show it`, async () => {
    const box = await openSmtpServer();
    const settings = { SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' };
    const paylink = await startPaylink(engine, { settings });
    try {
      const owner = await logIn(paylink);
      const changed = await call(paylink, owner, ['PATCH', '/v1/company'], {
        branding: { color: '#7a1f5c', logo: logo.toString('base64') },
        identity: { postalAddress: 'Bahnhofstrasse 1\n8001 Zürich', supportEmail: 'help@shop.example' },
      });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const addresses = new Set<string>();
      for (const email of ['ada', 'bob'].map((name) => `${name}-${randomBase32(8)}@example.com`)) {
        const { code } = await createLinkAs(paylink, owner, { email, locale: 'en' });
        await call(paylink, owner, ['POST', `/v1/payments/${code}/send`]);
        const [mail] = await box.waitFor(email);
        const html = mail?.email.html ?? '';
        assert.ok(
          html.includes('background-color:#7a1f5c') && html.includes('href="mailto:help@shop.example"'),
        );
        assert.match(mail?.email.text ?? '', /^8001 Zürich$/m);
        const loaded = [...html.matchAll(/src="([^"]*)"/g)].map(([, address]) => address ?? '');
        assert.equal(loaded.length, 1, 'nothing else is loaded');
        addresses.add(loaded.join());
      }
      const [address = '', ...others] = addresses;
      assert.deepEqual(others, [], 'the address does not name the recipient');
      assert.ok(address.startsWith(`${paylink.baseUrl}/assets/logos/${paylink.merchant.companyId}/`));
      const response = await fetch(address);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), logo);
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    } finally {
      await paylink.stop();
      await box.stop();
    }
  });
