// A customer comes back from the page of a processor whose API does not answer: the page must never say that nothing
// was charged, and must offer nothing, until the processor has said what became of the payment.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { AttemptNotFinalError, reconcileAttempt } from '../src/attempts/reconcile-attempt.ts';
import { type Credentials, createLinkAs, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { chooseMethod, listAttempts, statusOf, visibleText } from './harness/payment-methods.ts';
import { formsOf, type Page, press, visit } from './harness/visitor.ts';
import type { Fault } from './processors/kit/control.ts';
import {
  type Connected,
  connect,
  goToProcessor,
  type Live,
  leadOf,
  liveMakers,
  payAt,
  settingsOf,
  startFakes,
  stopFakes,
} from './processors/live.ts';

let lives: Live[] = [];
let paylink: Paylink;
let owner: Credentials;
const connected = new Map<string, Connected>();

before(async () => {
  lives = await startFakes();
  // The tests run the jobs themselves.
  const settings = settingsOf(lives);
  paylink = await startPaylink('server', {
    settings,
    firstReconcileSeconds: 3_600,
    processorTimeoutMs: 3_000,
  });
  owner = await logIn(paylink);
  for (const live of lives) connected.set(live.name, await connect(paylink, owner, live));
});
after(async () => {
  await paylink?.stop();
  await stopFakes(lives);
});
beforeEach(async () => {
  for (const { rig } of lives) await rig.control({ reset: true, webhooks: { isOn: false } });
});

const faults: readonly { what: string; fault: Fault }[] = [
  { what: 'answers 500', fault: { kind: 'status', status: 500, does: false } },
  { what: 'hangs', fault: { kind: 'hang', does: false } },
];

type Underway = Connected & { link: string; code: string; lead: string; attemptId: string };

async function goThere(name: string, locale = 'en'): Promise<Underway> {
  const at = connected.get(name);
  assert.ok(at);
  const { link, code } = await createLinkAs(paylink, owner, { locale });
  const lead = await goToProcessor(link, at);
  const attemptId = (await listAttempts(paylink, code)).at(-1)?.id ?? '';
  return { ...at, link, code, lead, attemptId };
}

const stateOf = async ({ code }: Underway) => (await listAttempts(paylink, code)).at(-1)?.state;
const reconcile = async ({ attemptId }: Underway) =>
  await reconcileAttempt(paylink.app.deps, { companyId: owner.companyId, attemptId });

/** Fails unless a page says not to pay again, claims nothing about the money, and offers no other way. */
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
  describe(`coming back from ${name}`, () => {
    for (const { what, fault } of faults) {
      test(`a customer who has paid while ${name} ${what} reads not to pay again, and then that it is paid`, async () => {
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

      test(`a customer who was declined while ${name} ${what} reads not to pay again, and then that it was declined`, async () => {
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

      test(`a customer who pays and closes the window while ${name} ${what} is found to have paid by the job`, async () => {
        const underway = await goThere(name);
        await underway.rig.customer.pay(underway.lead);
        await underway.rig.control({ outage: { fault } });
        await assert.rejects(reconcile(underway), AttemptNotFinalError);
        assertChecking(await visit(underway.link), underway);
        await underway.rig.control({ outage: null });
        await reconcile(underway);
        assert.match(visibleText(await visit(underway.link)), /Payment received/);
      });

      test(`a customer who wants to pay another way while ${name} ${what} can’t, and can once ${name} has answered`, async () => {
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

    test(`a customer who opens the link after paying at ${name} reads that it is paid, without a webhook`, async () => {
      const underway = await goThere(name);
      await underway.rig.customer.pay(underway.lead);
      assert.match(visibleText(await visit(underway.link)), /Payment received/);
    });

    test(`a German customer reads the same when ${name} does not answer`, async () => {
      const underway = await goThere(name, 'de');
      const back = await underway.rig.customer.pay(underway.lead);
      await underway.rig.control({ outage: { fault: { kind: 'status', status: 500, does: false } } });
      const page = await visit(back.url);
      assert.match(visibleText(page), /Wir prüfen Ihre Zahlung Bezahlen Sie nicht noch einmal\./);
      assert.doesNotMatch(visibleText(page), /nichts abgebucht/);
      assert.deepEqual(formsOf(page), []);
    });
  });

/** What makes a fake answer 500 to the next payment that is begun, and store that for its idempotency key. */
const storedFailures: Record<string, object> = {
  stripe: { failsSession: 'before' },
  mollie: { failsPayment: true },
};

for (const [name, command] of Object.entries(storedFailures))
  test(`one 500 of ${name} while a payment is begun blocks nobody: the customer pays by a second attempt, once`, async () => {
    const at = connected.get(name);
    assert.ok(at);
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
