// A customer returns from a processor whose API does not respond: until the outcome is known, the page never says that
// nothing was charged, and offers no method.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { AttemptNotFinalError, reconcileAttempt } from '../src/attempts/reconcile-attempt.ts';
import { createLinkAs } from './harness/client.ts';
import { chooseMethod, listAttempts, statusOf, visibleText } from './harness/payment-methods.ts';
import { formsOf, type Page, press, visit } from './harness/visitor.ts';
import type { Fault } from './processors/kit/control.ts';
import {
  type Connected,
  goToProcessor,
  leadOf,
  liveMakers,
  payAt,
  startLiveService,
} from './processors/live.ts';

// The tests run the jobs themselves.
const { lives, paylink, owner, connectionTo } = await startLiveService({
  firstReconcileSeconds: 3_600,
  processorTimeoutMs: 3_000,
});

beforeEach(async () => {
  for (const { rig } of lives) await rig.control({ reset: true, webhooks: { isOn: false } });
});

const faults: readonly { what: string; fault: Fault }[] = [
  { what: 'returns 500', fault: { kind: 'status', status: 500, isPerformed: false } },
  { what: 'hangs', fault: { kind: 'hang', isPerformed: false } },
];

type Underway = Connected & { link: string; code: string; lead: string; attemptId: string };

async function goThere(name: string, locale = 'en'): Promise<Underway> {
  const at = connectionTo(name);
  const { link, code } = await createLinkAs(paylink, owner, { locale });
  const lead = await goToProcessor(link, at);
  const attemptId = (await listAttempts(paylink, code)).at(-1)?.id ?? '';
  return { ...at, link, code, lead, attemptId };
}

const stateOf = async ({ code }: Underway) => (await listAttempts(paylink, code)).at(-1)?.state;
const reconcile = async ({ attemptId }: Underway) =>
  await reconcileAttempt(paylink.app.deps, { companyId: owner.companyId, attemptId });

/** Fails unless a page says not to pay again, claims nothing about the money, and offers no other method. */
function assertChecking(page: Page, underway: Underway): void {
  assert.equal(page.status, 200);
  assert.match(visibleText(page), /We’re checking with .+ Do not pay again\./);
  assert.doesNotMatch(
    visibleText(page),
    /not been charged|[Nn]othing was charged|Finish your payment|another way/,
  );
  assert.deepEqual(formsOf(page), [], 'no form, no other way, nothing to cancel');
  assert.equal(leadOf(page, underway), undefined, 'no way back to the processor');
  assert.match(page.headers.get('refresh') ?? page.text, /\/wait/, 'it checks by itself');
}

for (const { name, features } of liveMakers)
  describe(`returning from ${name}`, () => {
    for (const { what, fault } of faults) {
      test(`a customer who paid while ${name} ${what} sees not to pay again, and then that the payment was received`, async () => {
        const underway = await goThere(name);
        const back = await underway.rig.customer.pay(underway.lead);
        await underway.rig.control({ outage: { fault } });
        assertChecking(await visit(back.url), underway);
        assert.equal(await stateOf(underway), 'unknown');
        assertChecking(await visit(underway.link), underway);
        assertChecking(await visit(`${underway.link}/wait`), underway);
        await underway.rig.control({ outage: null });
        assert.match((await visit(`${underway.link}/wait`)).url, /shop\.example\/thanks\?.*status=paid/);
        assert.equal(await statusOf(paylink, owner, underway.code), 'paid');
      });

      test(`a customer who was declined while ${name} ${what} sees not to pay again, and then that the payment was declined`, async () => {
        const underway = await goThere(name);
        const declined = await underway.rig.customer.decline(underway.lead);
        await underway.rig.control({ outage: { fault } });
        const { url } = features.declineEnds ? declined : await turnBackAt(underway);
        assertChecking(await visit(url), underway);
        await underway.rig.control({ outage: null });
        await visit(`${underway.link}/wait`);
        if (!features.declineEnds) await visit(url);
        assert.equal(await stateOf(underway), 'declined');
        assert.doesNotMatch(visibleText(await visit(underway.link)), /We’re checking with/);
      });

      test(`a customer pays and closes the window while ${name} ${what}: the job records the payment`, async () => {
        const underway = await goThere(name);
        await underway.rig.customer.pay(underway.lead);
        await underway.rig.control({ outage: { fault } });
        await assert.rejects(reconcile(underway), AttemptNotFinalError);
        assertChecking(await visit(underway.link), underway);
        await underway.rig.control({ outage: null });
        await reconcile(underway);
        assert.match(visibleText(await visit(underway.link)), /Payment received/);
      });

      test(`while ${name} ${what}, no other method can be used; once ${name} has responded, it can`, async () => {
        const underway = await goThere(name);
        const page = await visit(underway.link);
        assert.match(visibleText(page), /You have not been charged yet\./);
        await underway.rig.control({ outage: { fault } });
        assertChecking(await press(page, { form: 0 }), underway);
        await underway.rig.control({ outage: null });
        const again = await visit(`${underway.link}/wait`);
        assert.match(visibleText(again), /Finish your payment at .* You have not been charged yet\./);
        assert.equal(formsOf(again).length, 1);
      });
    }

    test(`the link shows a payment at ${name} as paid, without a webhook`, async () => {
      const underway = await goThere(name);
      await underway.rig.customer.pay(underway.lead);
      assert.match(visibleText(await visit(underway.link)), /Payment received/);
    });

    test(`the page is German for a German customer when ${name} does not respond`, async () => {
      const underway = await goThere(name, 'de');
      const back = await underway.rig.customer.pay(underway.lead);
      await underway.rig.control({ outage: { fault: { kind: 'status', status: 500, isPerformed: false } } });
      const page = await visit(back.url);
      assert.match(visibleText(page), /Wir prüfen Ihre Zahlung bei .+ Bezahlen Sie nicht noch einmal\./);
      assert.doesNotMatch(visibleText(page), /nichts abgebucht/);
      assert.deepEqual(formsOf(page), []);
    });
  });

/** Commands that make a fake respond with 500 to the next new payment and store that response for its key. */
const storedFailures: Record<string, object> = {
  stripe: { failsSession: 'before' },
  mollie: { failsPayment: true },
};

for (const [name, command] of Object.entries(storedFailures))
  test(`a single 500 of ${name} on creation does not block the link: the customer pays once by a second attempt`, async () => {
    const at = connectionTo(name);
    const { link, code } = await createLinkAs(paylink, owner);
    await at.rig.control({ command });
    const page = await chooseMethod(await visit(link), at.connectionId);
    assert.equal(page.url, link);
    assert.match(visibleText(page), /is unavailable right now\. You have not been charged\./);
    assert.match((await payAt(link, at)).url, /shop\.example\/thanks/);
    const states = (await listAttempts(paylink, code)).map(({ state }) => state);
    assert.deepEqual(states, ['cancelled', 'succeeded']);
    const charges = (await at.rig.money()).filter(({ linkCode }) => linkCode === code);
    assert.equal(charges.length, 1);
  });

async function turnBackAt({ rig, lead }: Underway): Promise<{ url: string }> {
  return await rig.customer.turnBack(lead);
}
