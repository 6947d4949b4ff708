// Follows docs/shop.md in each language, from the keys to a paid order, a repeated and a forged message, and a declined card;
// and creates an endpoint as docs/webhooks.md says.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { logIn } from './harness/client.ts';
import { blocksOf, read } from './harness/documents.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { root } from './harness/process.ts';
import { phpPath } from './harness/services.ts';
import { openShopReader, type ShopReader } from './harness/shop-docs.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

let paylink: Paylink;
let reader: ShopReader;
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
});
after(async () => await paylink?.stop());
beforeEach(async () => {
  // Another merchant for each, so that each has one endpoint.
  const merchant = await paylink.createMerchant({ name: 'Cups' });
  reader = await openShopReader(
    { ...paylink, merchant },
    { PIP_CONSTRAINT: path.join(root, 'test/sdk-python.requirements.txt') },
  );
});
afterEach(async () => await reader?.remove());

test('the shop in Node of docs/shop.md marks an order as paid once, and refuses what Paylink did not sign', async () => {
  const [install = '', start = ''] = reader.blocks('### Node', 'sh');
  const [program = ''] = reader.blocks('### Node', 'js');
  await reader.run(install);
  await writeFile(path.join(reader.folder, 'shop.mjs'), program);
  await reader.buy(start);
});

test('the shop in Flask of docs/shop.md marks an order as paid once, and refuses what Paylink did not sign', async () => {
  const [install = '', start = ''] = reader.blocks('### Flask', 'sh');
  const [program = ''] = reader.blocks('### Flask', 'python');
  await reader.run(install);
  await writeFile(path.join(reader.folder, 'shop.py'), program);
  await reader.buy(start);
});

test('the shop in PHP of docs/shop.md marks an order as paid once, and refuses what Paylink did not sign', async () => {
  const [start = ''] = reader.blocks('### PHP', 'sh');
  const [program = ''] = reader.blocks('### PHP', 'php');
  await writeFile(path.join(reader.folder, 'shop.php'), program);
  await reader.buy(start.replace(/^php /m, `${phpPath()} `));
});

test('the request of docs/webhooks.md creates an endpoint and shows its secret', async () => {
  const [request = ''] = blocksOf(read('docs/webhooks.md'), 'sh');
  const { token, apiKey, companyId } = await logIn(paylink);
  const variables = { PAYLINK_URL: paylink.baseUrl, TOKEN: token, API_KEY: apiKey, COMPANY_ID: companyId };
  const settings = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  const endpoint = JSON.parse(await reader.run(settings.join('') + request)) as { secret: string };
  assert.match(endpoint.secret, /^whsec_/);
});
