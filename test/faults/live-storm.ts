// Customers pay at every live processor while the service is killed and the processors fail at random. A seed determines
// their choices, not the interleaving.

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../harness/process.ts';
import type { Customer, LandingPage } from '../processors/kit/customer.ts';
import { type Connected, leadOf } from '../processors/live.ts';
import { type Link, statusOf } from './fault-fixture.ts';
import type { LiveFaultRig } from './live-fault-rig.ts';
import { moreOutages, outages } from './live-outages.ts';
import { pick, type Random, seeded } from './seeded.ts';

/** What a customer may do on the page of a processor. */
const customerActions: readonly ((customer: Customer, url: string) => Promise<LandingPage>)[] = [
  (customer, url) => customer.pay(url),
  (customer, url) => customer.pay(url),
  (customer, url) => customer.decline(url),
  (customer, url) => customer.turnBack(url),
  (customer, url) => customer.challenge(url, 'pass'),
  (customer, url) => customer.challenge(url, 'fail'),
];

/** Runs `work`. Returns null after a pause if it fails, because the service or a processor may be down. */
async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    await sleep(100);
    return null;
  }
}

/** The processor to which a link redirects, and the address. */
async function findRedirect(
  faultRig: LiveFaultRig,
  link: Link,
): Promise<{ connected: Connected; url: string } | null> {
  const page = await faultRig.look(link);
  for (const connected of faultRig.processors) {
    const url = leadOf(page, connected);
    if (url) return { connected, url };
  }
  return null;
}

/** One step of a customer: chooses a processor, acts on its page, or waits. Returns a final status. */
async function takeStep(faultRig: LiveFaultRig, link: Link, random: Random): Promise<string | null> {
  const page = await faultRig.look(link, `${link.link}/wait`);
  const status = statusOf(page);
  if (status === 'paid' || status === 'failed') return status;
  const lead = await findRedirect(faultRig, link);
  if (!lead) {
    await faultRig.press(link, pick(random, faultRig.processors));
    return null;
  }
  const landing = await pick(random, customerActions)(lead.connected.rig.customer, lead.url);
  // One customer in four closes the window before the redirect to the service.
  return landing.status === 0 && random() < 0.75 ? statusOf(await faultRig.look(link, landing.url)) : null;
}

/** One customer with a new link: up to 30 steps until it is final. Half of the paid links are partly refunded. */
async function shop(faultRig: LiveFaultRig, random: Random, isOver: () => boolean): Promise<Link | null> {
  const link = await attempt(async () => await faultRig.createLink(faultRig.credentials));
  if (!link) return null;
  for (let step = 0; step < 30 && !isOver(); step++) {
    const status = await attempt(async () => await takeStep(faultRig, link, random));
    if (status === 'paid' && random() < 0.5) await attempt(async () => await faultRig.refund(link, 5));
    if (status) break;
    await sleep(random() * 200);
  }
  return link;
}

/** Makes a processor fail for up to 1.5 s. */
async function failForAWhile({ rig }: Connected, random: Random): Promise<void> {
  const { fault } = pick(random, [...outages, ...moreOutages]);
  await rig.control({ outage: random() < 0.3 ? { fault: { kind: 'refuse' } } : { fault } });
  await sleep(random() * 1_500);
  await rig.control({ outage: null });
}

/** Completes a link: pays on the processor's page if the payment is still processing. */
async function finish(faultRig: LiveFaultRig, link: Link): Promise<void> {
  for (let round = 0; round < 300; round++) {
    const { payment } = await faultRig.statesOf(link);
    if (payment !== 'processing') return;
    const lead = await attempt(async () => await findRedirect(faultRig, link));
    if (!lead) await sleep(100);
    else
      await attempt(
        async () => await faultRig.look(link, (await lead.connected.rig.customer.pay(lead.url)).url),
      );
  }
}

async function countCharges(faultRig: LiveFaultRig, links: readonly Link[]): Promise<number> {
  return (await Promise.all(links.map(async (link) => await faultRig.chargesOf(link)))).flat().length;
}

export type LiveReport = {
  seed: number;
  disruptions: number;
  links: number;
  charges: number;
  settledMs: number;
};

/** Runs customers while the service and the processors fail in turn, then completes all links. */
export async function runLiveStorm(
  faultRig: LiveFaultRig,
  options: { disruptions: number; customers: number; seed: number },
): Promise<LiveReport> {
  const { disruptions, customers, seed } = options;
  const random = seeded(seed);
  const links: Link[] = [];
  let isOver = false;
  const shopping = Array.from({ length: customers }, async (_, index) => {
    const own = seeded(seed + index + 1);
    while (!isOver) {
      const link = await shop(faultRig, own, () => isOver);
      if (link) links.push(link);
    }
  });
  for (let round = 0; round < disruptions; round++) {
    await sleep(500 + random() * 1_500);
    if (round % 2 === 0) await faultRig.start();
    else await failForAWhile(pick(random, faultRig.processors), random);
  }
  // On a slow machine the faults may be over before a customer has paid.
  await until(async () => (await countCharges(faultRig, links)) > 0, 'a charge');
  isOver = true;
  await Promise.all(shopping);
  const startedAt = performance.now();
  await Promise.all(links.map(async (link) => await finish(faultRig, link)));
  await faultRig.settle(120_000);
  const charges = await countCharges(faultRig, links);
  const settledMs = Math.round(performance.now() - startedAt);
  return { seed, disruptions, links: links.length, charges, settledMs };
}
