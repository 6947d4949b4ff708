// A service on PostgreSQL with a busy company: 100,000 payments, a webhook endpoint with deliveries, and members of
// every role. For tests of the whole dashboard.

import type { Browser } from 'playwright-core';
import type { Role } from '../../src/http/authentication.ts';
import { openBrowser } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { type Credentials, call, createLinkAs, logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { join, makeOperator } from '../harness/people.ts';
import { until } from '../harness/process.ts';
import { waitForCall } from '../harness/request-log.ts';
import { seedCompany } from '../harness/seed-company.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint, listDeliveries, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { type Screens, screensOf } from './visits.ts';

export const allRoles = [
  'owner',
  'admin',
  'developer',
  'support',
  'viewer',
] as const satisfies readonly Role[];

export type BusyStage = {
  paylink: Paylink;
  browser: Browser;
  screens: Screens;
  /** A member for each role. */
  emails: Readonly<Record<Role, string>>;
  close(): Promise<void>;
};

/** Starts everything. If a part fails, stops the others, which would keep the test process from ending. */
export async function openBusyStage(count: number): Promise<BusyStage> {
  const [paylink, browser, receiver] = await Promise.all([
    startPaylink('server', { settings: loopbackSettings, isSearched: false }),
    openBrowser(),
    startReceiver(),
  ]);
  const close = async () => {
    await browser.close();
    await paylink.stop();
    await receiver.close();
  };
  try {
    const merchant = await paylink.createMerchant({ name: 'Kaffeehaus am Markt' });
    await seedCompany(paylink.app.deps.db, merchant.companyId, { count, now: new Date() });
    const owner = await logIn(paylink, merchant);
    makeOperator(paylink, merchant);
    const sights = await makeSights(paylink, owner, receiver);
    const emails = { owner: merchant.email } as Record<Role, string>;
    for (const role of allRoles.slice(1)) emails[role] = (await join(paylink, owner, [role])).email;
    return { paylink, browser, emails, screens: screensOf(sights), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const orders = {
  open: { customerOrderId: 'web-2026-1187', description: 'Two bags of Sidamo, whole beans', amount: 27.8 },
  paid: { customerOrderId: 'web-2026-1186', description: 'Four cups and a pot', amount: 64.5 },
};

async function makeSights(paylink: Paylink, owner: Credentials, receiver: Receiver) {
  const hook = await createTestEndpoint(paylink, owner, {
    url: receiver.at('orders', { status: 200, body: 'thank you' }),
  });
  const soon = new Date(Date.now() + 5 * 60 * 60 * 1000).toISOString();
  const { code: openCode } = await createLinkAs(paylink, owner, { ...orders.open, expiresAt: soon });
  const { code, link } = await createLinkAs(paylink, owner, orders.paid);
  await payWith(link, cards.success);
  await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], {
    amount: 12.5,
    reason: 'one cup broke',
  });
  let deliveryId = '';
  await until(async () => {
    const [first] = await listDeliveries(paylink, owner, hook);
    deliveryId = String(first?.deliveryId);
    return first?.state === 'delivered';
  }, 'a delivery');
  const { headers } = await call(paylink, owner, ['GET', '/v1/payments/none']);
  const requestId = String(headers.get('x-request-id'));
  await waitForCall(paylink, requestId);
  return { code, openCode, endpointId: hook.id, deliveryId, requestId };
}
