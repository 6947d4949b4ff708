// Crashes of the service with the live processors. It dies once per crash point, after a payment at each processor has
// reached it.

import assert from 'node:assert/strict';
import type { Page } from '../harness/visitor.ts';
import type { Connected } from '../processors/live.ts';
import type {
  captureCrashPoints,
  redirectCrashPoints,
  refundCrashPoints,
  returnCrashPoints,
} from './crash-points.ts';
import { type Link, statusOf } from './fault-fixture.ts';
import type { LiveFaultRig } from './live-fault-rig.ts';
import { awaitDeath } from './processes.ts';

/** A customer of each processor, with a link of their own. */
type CrashCustomer = { connected: Connected; link: Link };

async function makeLinks(faultRig: LiveFaultRig, processors: readonly Connected[]): Promise<CrashCustomer[]> {
  return await Promise.all(
    processors.map(async (connected) => ({
      connected,
      link: await faultRig.createLink(faultRig.credentials),
    })),
  );
}

/** Runs an action for all customers at once. Errors are ignored, because the service dies meanwhile. */
async function allAtOnce(
  customers: readonly CrashCustomer[],
  act: (customer: CrashCustomer) => Promise<unknown>,
) {
  await Promise.allSettled(customers.map(act));
}

/** Runs `act` until the service dies at a crash point, then restarts it. */
async function crash(
  faultRig: LiveFaultRig,
  crashAt: string,
  processors: readonly Connected[],
  act: (customer: CrashCustomer) => Promise<unknown>,
): Promise<CrashCustomer[]> {
  const service = await faultRig.start({ crashAt, crashCount: processors.length });
  const customers = await makeLinks(faultRig, processors);
  await allAtOnce(customers, act);
  await awaitDeath(service);
  await faultRig.makeDue();
  await faultRig.start();
  return customers;
}

/** Pays on the processor's page. Returns the address to which it redirects the customer. */
async function payAtProcessor(faultRig: LiveFaultRig, { connected, link }: CrashCustomer): Promise<string> {
  return (await connected.rig.customer.pay(await faultRig.goTo(link, connected))).url;
}

/** Pays a link from start to end. */
async function payWhole(faultRig: LiveFaultRig, customer: CrashCustomer): Promise<Page> {
  return await faultRig.look(customer.link, await payAtProcessor(faultRig, customer));
}

/** Asserts that each link is paid by one charge, and that the oracle finds nothing. */
async function assertPaidOnce(faultRig: LiveFaultRig, customers: readonly CrashCustomer[]): Promise<void> {
  for (const { link, connected } of customers) {
    const { payment } = await faultRig.statesOf(link);
    assert.deepEqual(
      [connected.name, payment, (await faultRig.chargesOf(link)).length],
      [connected.name, 'paid', 1],
    );
  }
  assert.deepEqual(faultRig.invalidResponses, []);
  assert.deepEqual(await faultRig.findFaults(), []);
}

/** Crash points at which the processor has already created the session. */
const pointsWithSession: ReadonlySet<string> = new Set([
  'after_answer_before_record',
  'in_record_before_commit',
  'after_record_commit',
] satisfies (typeof redirectCrashPoints)[number][]);

/**
 * The service dies before it redirects the customers. If the processor has a session, the link redirects to it
 * afterwards; otherwise the link is open again. Each link is paid once.
 */
export async function crashOnRedirect(
  faultRig: LiveFaultRig,
  point: (typeof redirectCrashPoints)[number],
): Promise<void> {
  const customers = await crash(
    faultRig,
    point,
    faultRig.processors,
    async ({ link, connected }) => await faultRig.press(link, connected),
  );
  if (!pointsWithSession.has(point)) {
    await faultRig.settle();
    for (const { link } of customers) assert.equal((await faultRig.statesOf(link)).payment, 'open');
  }
  await Promise.all(
    customers.map(async (customer) => {
      const { link, connected } = customer;
      const returnUrl = pointsWithSession.has(point)
        ? (await connected.rig.customer.pay(await faultRig.awaitRedirect(link, connected))).url
        : await payAtProcessor(faultRig, customer);
      assert.equal(statusOf(await faultRig.look(link, returnUrl)), 'paid');
    }),
  );
  await assertPaidOnce(faultRig, customers);
}

/** The service dies when customers return after paying. The job completes the payments without a visitor. */
export async function crashOnReturn(
  faultRig: LiveFaultRig,
  point: (typeof returnCrashPoints)[number] | (typeof captureCrashPoints)[number],
  processors: readonly Connected[] = faultRig.processors,
): Promise<void> {
  const customers = await crash(
    faultRig,
    point,
    processors,
    async (customer) => await payWhole(faultRig, customer),
  );
  await faultRig.settle();
  await assertPaidOnce(faultRig, customers);
}

/** The service dies during refunds. The job completes them, each exactly once. */
export async function crashRefunding(
  faultRig: LiveFaultRig,
  point: (typeof refundCrashPoints)[number],
): Promise<void> {
  const customers = await crash(faultRig, point, faultRig.processors, async (customer) => {
    assert.equal(statusOf(await payWhole(faultRig, customer)), 'paid');
    await faultRig.refund(customer.link, 5);
  });
  await faultRig.settle();
  for (const { link } of customers) {
    const [row] = await faultRig.db.asOwner.query<{ refunded: number; refunding: number }>(
      'select refunded_minor as refunded, refunding_minor as refunding from payments where code = $1',
      [link.code],
    );
    assert.deepEqual(row, { refunded: 500, refunding: 0 });
  }
  await assertPaidOnce(faultRig, customers);
}
