// The metrics of a service on the embedded database, whose one connection serves the scrape and the payments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinkAs, logIn } from './harness/client.ts';
import { metricsPlace, sampleOf } from './harness/metrics.ts';
import { startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

test('scrapes beside payments on the embedded database are complete, and payments go on', async () => {
  const place = await metricsPlace();
  const paylink = await startPaylink('embedded', { settings: place.settings });
  try {
    const owner = await logIn(paylink);
    const pay = async () => {
      const { link } = await createLinkAs(paylink, owner);
      return (await payWith(link, { number: '4242424242424242' })).status;
    };
    const [scrapes] = await Promise.all([
      Promise.all(Array.from({ length: 3 }, async () => await place.scrape())),
      ...[pay(), pay(), pay()],
    ]);
    for (const scrape of scrapes) assert.equal(sampleOf(scrape, 'paylink_database_up'), 1);
    const last = await place.scrape();
    assert.equal(sampleOf(last, 'paylink_payments_total', { mode: 'test', status: 'paid' }), 3);
    assert.equal(sampleOf(last, 'paylink_database_pool_size'), 1);
    assert.equal(sampleOf(last, 'paylink_attempts_unknown', { mode: 'test' }), 0);
    const [build] = last.samples.filter(({ name }) => name === 'paylink_build_info');
    assert.equal(build?.labels.engine, 'embedded');
  } finally {
    await paylink.stop();
  }
});
