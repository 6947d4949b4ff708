// Crashes of the service with the live processors: it dies once, at one point, for all of them. Both the short and the
// long tests use it.

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

/** All at once; what the death of the service does to them is no matter. */
async function allAtOnce(
  customers: readonly CrashCustomer[],
  act: (customer: CrashCustomer) => Promise<unknown>,
) {
  await Promise.allSettled(customers.map(act));
}

/** Starts a service that dies at a point, brings it there, and starts it again. */
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
  await faultRig.start();
  return customers;
}

/** Goes to the processor's page and pays there; gives the address that the customer is sent back to. */
async function payThere(faultRig: LiveFaultRig, { connected, link }: CrashCustomer): Promise<string> {
  return (await connected.rig.customer.pay(await faultRig.goTo(link, connected))).url;
}

/** A whole payment without any trouble. */
async function payWhole(faultRig: LiveFaultRig, customer: CrashCustomer): Promise<Page> {
  return await faultRig.look(customer.link, await payThere(faultRig, customer));
}

/** Every link is paid, by one charge, and the oracle finds nothing. */
async function assertPaidOnce(faultRig: LiveFaultRig, customers: readonly CrashCustomer[]): Promise<void> {
  for (const { link, connected } of customers) {
    const { payment } = await faultRig.statesOf(link);
    assert.deepEqual(
      [connected.name, payment, (await faultRig.chargesOf(link)).length],
      [connected.name, 'paid', 1],
    );
  }
  assert.deepEqual(faultRig.misanswers, []);
  assert.deepEqual(await faultRig.findFaults(), []);
}

/** Points after which the processor has a session that the customer never heard of; else it has none. */
const begun: ReadonlySet<string> = new Set([
  'after_answer_before_record',
  'in_record_before_commit',
  'after_record_commit',
] satisfies (typeof redirectCrashPoints)[number][]);

/**
 * Dies while customers are on their way to the processors. What had begun there is found, and leads there; what
 * had not frees the link. Either way it is paid once in the end.
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
  if (!begun.has(point)) {
    await faultRig.settle();
    for (const { link } of customers) assert.equal((await faultRig.statesOf(link)).payment, 'open');
  }
  await Promise.all(
    customers.map(async (customer) => {
      const { link, connected } = customer;
      const back = begun.has(point)
        ? (await connected.rig.customer.pay(await faultRig.awaitLead(link, connected))).url
        : await payThere(faultRig, customer);
      assert.equal(statusOf(await faultRig.look(link, back)), 'paid');
    }),
  );
  await assertPaidOnce(faultRig, customers);
}

/** Dies when customers who have paid come back. The job alone finishes what is left, without any visitor. */
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

/** Dies while money is given back. The job alone finishes what is left, and money goes back once. */
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
