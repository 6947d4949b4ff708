// Starts the fakes of all live processors, and connects the service to them. Add a processor to `liveMakers`, and the
// contract, the journeys and the fault tests run for it.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Credentials, call, type Json, logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { chooseMethod } from '../harness/payment-methods.ts';
import { type Page, visit } from '../harness/visitor.ts';
import type { LiveRig, RigMaker } from './kit/rig.ts';
import { mollieRig } from './mollie/mollie-rig.ts';
import { paypalRig } from './paypal/paypal-rig.ts';
import { stripeRig } from './stripe/stripe-rig.ts';

export const liveMakers: readonly RigMaker<LiveRig>[] = [stripeRig, mollieRig, paypalRig];

/** A running fake, with the name and features of its processor. */
export type Live = { rig: LiveRig } & Pick<RigMaker<LiveRig>, 'name' | 'features'>;

/** A company's connection to a fake. */
export type Connected = Live & { connectionId: string };

/** Starts the fakes of all live processors. If one fails to start, stops the others. */
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

/** The settings with the addresses of the fakes. */
export function settingsOf(lives: readonly Live[]): Record<string, string> {
  return Object.fromEntries(lives.map(({ name, rig }) => [`${name.toUpperCase()}_API_URL`, rig.fakeUrl]));
}

/** Connects a company to a fake, whose webhooks then go to that connection. */
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
  await rig.setWebhookUrl(`${paylink.baseUrl}/processors/${name}/webhook/${connectionId}`);
  return { ...live, connectionId };
}

/**
 * Starts all fakes and the service on a server, with one company that is connected to each fake. Stops them after
 * the tests of the file.
 */
export async function startLiveService(options: Parameters<typeof startPaylink>[1]) {
  const lives = await startFakes();
  let paylink: Paylink | null = null;
  const stop = async () => {
    await paylink?.stop();
    await stopFakes(lives);
  };
  after(stop);
  paylink = await startPaylink('server', { ...options, settings: settingsOf(lives) });
  const owner = await logIn(paylink);
  const connections = new Map<string, Connected>();
  for (const live of lives) connections.set(live.name, await connect(paylink, owner, live));
  const connectionTo = (name: string): Connected => {
    const connected = connections.get(name);
    assert.ok(connected, `${name} is connected`);
    return connected;
  };
  return { lives, paylink, owner, connectionTo };
}

/** The processor's address to which one of our pages redirects or links. */
export function leadOf({ headers, text }: Page, { rig }: Live): string | undefined {
  const [, refresh] = /^0;url=(.+)$/.exec(headers.get('refresh') ?? '') ?? [];
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return [refresh, ...links].find((address) => address?.startsWith(rig.fakeUrl));
}

/** Chooses a connection on the page of a link. Returns the address at the processor. */
export async function goToProcessor(link: string, connected: Connected): Promise<string> {
  const leaving = await chooseMethod(await visit(link), connected.connectionId);
  const url = leadOf(leaving, connected);
  assert.ok(url, `the page does not lead to ${connected.name}`);
  return url;
}

/** Pays a link at a processor, and returns. Returns the last page. */
export async function payAt(link: string, connected: Connected): Promise<Page> {
  const back = await connected.rig.customer.pay(await goToProcessor(link, connected));
  return await visit(back.url);
}
