// A fake PayPal, to be run as a process of its own: OAuth, Orders v2, Payments v2, Transaction Search v1 and signed
// webhooks, written from developer.paypal.com as of 2026. It must never import anything of the service.

import {
  type Fake,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  type Route,
  serveFake,
} from '../kit/fake-server.ts';
import { apps, type OrderLine, type PaypalLine } from './books.ts';
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
import { type Desk, forApp, openDesk, refusedClient } from './fake-state.ts';
import { notFound } from './shapes.ts';

type ForOrder = (order: OrderLine, request: FakeRequest) => FakeAnswer;

const forOrder = (desk: Desk, handle: ForOrder) =>
  forApp(desk, (app, request) => {
    const order = desk.books.findOrder(app, request.params.id ?? '');
    return order ? handle(order, request) : notFound;
  });

const forPayer = (desk: Desk, handle: ForOrder) => (request: FakeRequest) => {
  const order = desk.books.findForPayer(request.query.get('token') ?? '');
  return order ? handle(order, request) : { status: 404, body: '<h1>This session has ended</h1>' };
};

function getWebhook(app: string, { params }: FakeRequest): FakeAnswer {
  const isTheirs = apps.some(({ clientId, webhookId }) => clientId === app && webhookId === params.id);
  return isTheirs ? { status: 200, body: { id: params.id } } : notFound;
}

function getCertificate({ signing }: Desk, { params }: FakeRequest): FakeAnswer {
  if (params.id !== signing.certificateId) return notFound;
  return { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: signing.certificate };
}

function obey(desk: Desk, wish: PaypalCommand): object {
  const {
    settle,
    dropTokens,
    chargeElsewhere: amountMinor,
    chargeAnyway,
    refundElsewhere,
    failElsewhere,
    ...settings
  } = wish;
  Object.assign(desk.settings, settings);
  if (dropTokens) desk.dropTokens();
  if (settle) for (const order of desk.books.pendingOrders()) completeCapture(desk, order);
  if (settle) for (const line of desk.books.pendingRefunds()) payRefund(desk, line);
  if (refundElsewhere) refundAtPaypal(desk, apps[0].clientId, refundElsewhere);
  if (failElsewhere) failAtPaypal(desk, apps[0].clientId, failElsewhere);
  if (chargeAnyway) captureAnyway(desk, apps[0].clientId, chargeAnyway);
  if (amountMinor) {
    const value = String(amountMinor).padStart(3, '0').replace(/(..)$/, '.$1');
    desk.books.bookForeign(apps[0].clientId, { currency_code: 'EUR', value });
  }
  return {};
}

function paypal(server: FakeServer<PaypalLine>): Fake {
  const desk = openDesk(server);
  const api = (route: string, handle: Route['handle']): Route => ({ route, on: 'api', handle });
  const page = (route: string, handle: Route['handle']): Route => ({ route, on: 'pages', handle });
  const chosen = forPayer(desk, (order, request) => choose(desk, order, request));
  const routes = [
    api('POST /v1/oauth2/token', desk.giveToken),
    api('POST /live/v1/oauth2/token', () => refusedClient),
    api('GET /v1/notifications/webhooks/:id', forApp(desk, getWebhook)),
    api('GET /v1/notifications/certs/:id', (request) => getCertificate(desk, request)),
    api(
      'POST /v2/checkout/orders',
      forApp(desk, (app, request) => createOrder(desk, app, request)),
    ),
    api(
      'GET /v2/checkout/orders/:id',
      forOrder(desk, (order) => desk.show(order)),
    ),
    api(
      'PATCH /v2/checkout/orders/:id',
      forOrder(desk, (order, request) => patchOrder(desk, order, request)),
    ),
    api(
      'POST /v2/checkout/orders/:id/capture',
      forOrder(desk, (order, request) => captureOrder(desk, order, request)),
    ),
    api(
      'GET /v2/payments/captures/:id',
      forApp(desk, (app, request) => getCapture(desk, app, request)),
    ),
    api(
      'POST /v2/payments/captures/:id/refund',
      forApp(desk, (app, request) => refundCapture(desk, app, request)),
    ),
    api(
      'GET /v1/reporting/transactions',
      forApp(desk, (app, request) => listTransactions(desk, app, request)),
    ),
    page(
      'GET /checkoutnow',
      forPayer(desk, (order) => showPage(order, ['pay', 'decline', '3ds', 'back'])),
    ),
    page(
      'GET /challenge',
      forPayer(desk, (order) => showPage(order, ['pass', 'fail'])),
    ),
    page('POST /checkoutnow', chosen),
    page('POST /challenge', chosen),
  ];
  return { routes, command: (command) => obey(desk, command as PaypalCommand) };
}

await serveFake<PaypalLine>(paypal);
