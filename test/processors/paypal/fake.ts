// A fake PayPal: OAuth, Orders v2, Payments v2, Transaction Search v1 and signed webhooks. Written from
// developer.paypal.com as of 2026. Must not: import code of the service.

import {
  type Fake,
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  type Route,
  serveFake,
} from '../kit/fake-server.ts';
import type { PaypalCommand } from './commands.ts';
import {
  captureAnyway,
  captureOrder,
  choose,
  completeCapture,
  createOrder,
  patchOrder,
  showPage,
} from './fake-orders.ts';
import {
  failAtPaypal,
  getCapture,
  listTransactions,
  payRefund,
  refundAtPaypal,
  refundCapture,
} from './fake-payments.ts';
import { type FakeState, forApp, openState, refusedClient } from './fake-state.ts';
import { apps, type OrderLine, type PaypalLine } from './records.ts';
import { notFound } from './shapes.ts';

type ForOrder = (fake: FakeState, order: OrderLine, request: FakeRequest) => FakeResponse;

const forOrder = (fake: FakeState, handle: ForOrder) =>
  forApp(fake, (_, app, request) => {
    const order = fake.records.findOrder(app, request.params.id ?? '');
    return order ? handle(fake, order, request) : notFound;
  });

const forPayer = (fake: FakeState, handle: ForOrder) => (request: FakeRequest) => {
  const order = fake.records.findForPayer(request.query.get('token') ?? '');
  return order ? handle(fake, order, request) : { status: 404, body: '<h1>This session has ended</h1>' };
};

function getWebhook(_: FakeState, app: string, { params }: FakeRequest): FakeResponse {
  const isTheirs = apps.some(({ clientId, webhookId }) => clientId === app && webhookId === params.id);
  return isTheirs ? { status: 200, body: { id: params.id } } : notFound;
}

function getCertificate({ signing }: FakeState, { params }: FakeRequest): FakeResponse {
  if (params.id !== signing.certificateId) return notFound;
  return { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: signing.certificate };
}

function obey(fake: FakeState, wish: PaypalCommand): object {
  const {
    settle,
    dropTokens,
    createForeignCharge: amountMinor,
    forceCapture,
    createExternalRefund,
    failExternalRefunds,
    ...settings
  } = wish;
  Object.assign(fake.settings, settings);
  if (dropTokens) fake.dropTokens();
  if (settle) for (const order of fake.records.pendingOrders()) completeCapture(fake, order);
  if (settle) for (const line of fake.records.pendingRefunds()) payRefund(fake, line);
  if (createExternalRefund) refundAtPaypal(fake, apps[0].clientId, createExternalRefund);
  if (failExternalRefunds) failAtPaypal(fake, apps[0].clientId, failExternalRefunds);
  if (forceCapture) captureAnyway(fake, apps[0].clientId, forceCapture);
  if (amountMinor) {
    const value = String(amountMinor).padStart(3, '0').replace(/(..)$/, '.$1');
    fake.records.bookForeign(apps[0].clientId, { currency_code: 'EUR', value });
  }
  return {};
}

function paypal(server: FakeServer<PaypalLine>): Fake {
  const fake = openState(server);
  const api = (route: string, handle: Route['handle']): Route => ({ route, on: 'api', handle });
  const page = (route: string, handle: Route['handle']): Route => ({ route, on: 'pages', handle });
  const chosen = forPayer(fake, choose);
  const routes = [
    api('POST /v1/oauth2/token', fake.issueToken),
    api('POST /live/v1/oauth2/token', () => refusedClient),
    api('GET /v1/notifications/webhooks/:id', forApp(fake, getWebhook)),
    api('GET /v1/notifications/certs/:id', (request) => getCertificate(fake, request)),
    api('POST /v2/checkout/orders', forApp(fake, createOrder)),
    api(
      'GET /v2/checkout/orders/:id',
      forOrder(fake, (_, order) => fake.show(order)),
    ),
    api('PATCH /v2/checkout/orders/:id', forOrder(fake, patchOrder)),
    api('POST /v2/checkout/orders/:id/capture', forOrder(fake, captureOrder)),
    api('GET /v2/payments/captures/:id', forApp(fake, getCapture)),
    api('POST /v2/payments/captures/:id/refund', forApp(fake, refundCapture)),
    api('GET /v1/reporting/transactions', forApp(fake, listTransactions)),
    page(
      'GET /checkoutnow',
      forPayer(fake, (_, order) => showPage(order, ['pay', 'decline', '3ds', 'back'])),
    ),
    page(
      'GET /challenge',
      forPayer(fake, (_, order) => showPage(order, ['pass', 'fail'])),
    ),
    page('POST /checkoutnow', chosen),
    page('POST /challenge', chosen),
  ];
  return { routes, command: (command) => obey(fake, command as PaypalCommand) };
}

await serveFake<PaypalLine>(paypal);
