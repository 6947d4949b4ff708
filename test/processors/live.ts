// The live processors' fakes, each beside the real service: started together, set in its settings, and connected
// by its API. A processor joins every journey, and every fault, by a line here.

import assert from 'node:assert/strict';
import { type Credentials, call, type Json } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { chooseMethod } from '../harness/payment-methods.ts';
import { type Page, visit } from '../harness/visitor.ts';
import type { LiveRig, RigMaker } from './kit/rig.ts';
import { mollieRig } from './mollie/mollie-rig.ts';
import { paypalRig } from './paypal/paypal-rig.ts';
import { stripeRig } from './stripe/stripe-rig.ts';

export const liveMakers: readonly RigMaker<LiveRig>[] = [stripeRig, mollieRig, paypalRig];

/** A fake that runs, and what is known of its processor. */
export type Live = { rig: LiveRig } & Pick<RigMaker<LiveRig>, 'name' | 'features'>;

/** A company's connection to a fake. */
export type Connected = Live & { connectionId: string };

/** Starts the fakes of all live processors. Where one does not start, none is left. */
export async function startFakes(): Promise<Live[]> {
  const started = await Promise.allSettled(
    liveMakers.map(async ({ name, features, start }) => ({ name, features, rig: await start() })),
  );
  const lives = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (lives.length === liveMakers.length) return lives;
  await stopFakes(lives);
  throw new AggregateError(started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
}

export async function stopFakes(lives: readonly Live[]): Promise<void> {
  await Promise.all(lives.map(async ({ rig }) => await rig.stop()));
}

/** The settings by which the service finds the fakes. */
export function settingsOf(lives: readonly Live[]): Record<string, string> {
  return Object.fromEntries(lives.map(({ name, rig }) => [`${name.toUpperCase()}_API_URL`, rig.fakeUrl]));
}

/** Connects a company with a fake, whose webhooks go to that connection from then on. */
export async function connect(
  paylink: Pick<Paylink, 'baseUrl'>,
  owner: Credentials,
  live: Live,
): Promise<Connected> {
  const { name, rig } = live;
  const wanted: Json = { processor: name, credentials: rig.connection.credentials };
  const made = await call(paylink, owner, ['POST', '/v1/processor-connections'], wanted);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const connectionId = String(made.body.id);
  await rig.hearAt(`${paylink.baseUrl}/processors/${name}/webhook/${connectionId}`);
  return { ...live, connectionId };
}

/** Where a page of ours sends the browser by itself, or by its button, if it leads to the processor. */
export function leadOf({ headers, text }: Page, { rig }: Live): string | undefined {
  const [, refresh] = /^0;url=(.+)$/.exec(headers.get('refresh') ?? '') ?? [];
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return [refresh, ...links].find((address) => address?.startsWith(rig.fakeUrl));
}

/** A customer presses the button of a connection on the page of a link; says where at the processor that leads. */
export async function goToProcessor(link: string, connected: Connected): Promise<string> {
  const leaving = await chooseMethod(await visit(link), connected.connectionId);
  const url = leadOf(leaving, connected);
  assert.ok(url, `${connected.name} is not led to`);
  return url;
}

/** A customer pays a link at a processor, and comes back. Returns where that ends. */
export async function payAt(link: string, connected: Connected): Promise<Page> {
  const back = await connected.rig.customer.pay(await goToProcessor(link, connected));
  return await visit(back.url);
}
