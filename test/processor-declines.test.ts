// Declines on a processor's page. By default the customer can pay again; each decline counts toward the attempts of the
// link, and fraud ends it.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { call, createLinkAs } from './harness/client.ts';
import { listAttempts, methodsOf, statusOf, visibleText } from './harness/payment-methods.ts';
import { type Page, visit } from './harness/visitor.ts';
import { goToProcessor, liveMakers, payAt, startLiveService } from './processors/live.ts';

const { lives, paylink, owner, connectionTo } = await startLiveService({ firstReconcileSeconds: 3_600 });

beforeEach(async () => {
  for (const { rig } of lives) await rig.control({ reset: true, webhooks: { isOn: false } });
  await setPolicy('fixable');
});

async function setPolicy(retryPolicy: string): Promise<void> {
  const changed = await call(paylink, owner, ['PATCH', '/v1/company'], { retryPolicy });
  assert.equal(changed.status, 200);
}

/** How each fake is made to decline a customer for fraud. */
const frauds: Record<string, object> = {
  stripe: { declinesWith: 'fraudulent' },
  mollie: { failureReason: 'possible_fraud' },
  paypal: { nextCaptures: [{ issue: 'COMPLIANCE_VIOLATION' }] },
};
const usual: Record<string, object> = {
  stripe: { declinesWith: 'generic_decline' },
  mollie: { failureReason: 'card_declined' },
  paypal: { nextCaptures: [] },
};

for (const { name, features } of liveMakers)
  describe(`a card or account that ${name} declines`, () => {
    const here = () => connectionTo(name);

    /** A customer is declined at the processor and returns. */
    async function beRefused(link: string): Promise<Page> {
      const { customer } = here().rig;
      const lead = await goToProcessor(link, here());
      const declined = await customer.decline(lead);
      return await visit((features.declineEnds ? declined : await customer.turnBack(lead)).url);
    }

    test('leaves the link open with all methods, and another one then pays once', async () => {
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await beRefused(link);
      assert.equal(page.url, link);
      assert.match(visibleText(page), /declined the card or account you chose\. You have not been charged\./);
      assert.ok(methodsOf(page).length > 1 && methodsOf(page).includes(here().connectionId));
      assert.match((await payAt(link, here())).url, /shop\.example\/thanks/);
      const states = (await listAttempts(paylink, code)).map(({ state }) => state);
      assert.deepEqual(states, ['declined', 'succeeded']);
    });

    test('fails the payment at the third decline', async () => {
      const { link, code } = await createLinkAs(paylink, owner);
      for (let count = 1; count <= 2; count++) assert.equal((await beRefused(link)).url, link);
      assert.match((await beRefused(link)).url, /shop\.example\/sorry\?.*status=failed/);
      assert.equal(await statusOf(paylink, owner, code), 'failed');
    });

    test('fails the payment at once if the company allows no second attempt', async () => {
      await setPolicy('none');
      const { link } = await createLinkAs(paylink, owner);
      assert.match((await beRefused(link)).url, /shop\.example\/sorry\?.*status=failed/);
    });

    test('fails the payment at once if it is declined for fraud', async () => {
      await here().rig.control({ command: frauds[name] ?? {} });
      try {
        const { link, code } = await createLinkAs(paylink, owner);
        assert.match((await beFraud(link)).url, /shop\.example\/sorry\?.*status=failed/);
        assert.equal(await statusOf(paylink, owner, code), 'failed');
      } finally {
        await here().rig.control({ command: usual[name] ?? {} });
      }
    });

    /** PayPal declines after the customer's approval; the others decline on their page. */
    async function beFraud(link: string): Promise<Page> {
      return features.capturesSeparately ? await payAt(link, here()) : await beRefused(link);
    }
  });
