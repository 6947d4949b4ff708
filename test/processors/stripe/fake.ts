// A fake Stripe: `node fake.ts <journal file> [port]`. Written from Stripe's public API reference, version
// 2026-10-28.endive. Must not: import code of the service.

import {
  type Fake,
  type FakeRequest,
  type FakeServer,
  formOf,
  seeOther,
  serveFake,
} from '../kit/fake-server.ts';
import { type Button, renderHostedPage } from '../kit/hosted-page.ts';
import { accounts, type FakeAccount } from './accounts.ts';
import { type Asked, changing, type Limits, pageOf, reading, wantsFull } from './api.ts';
import {
  type Bank,
  challenge,
  createForeignCharge,
  createSession,
  decline,
  expireDue,
  expireSession,
  pay,
  payAnyway,
  settleSlow,
} from './checkout.ts';
import { createRefund, failInDashboard, refundInDashboard, settleRefunds } from './fake-refunds.ts';
import { type Charge, missing, type Refusal, type Session } from './objects.ts';
import { type Line, openRecords, type Records } from './records.ts';

/** The commands of tests. */
export type StripeCommand = {
  /** The decline code of the next declines. */
  declinesWith?: string;
  /** Whether the customer's method is slow: its money arrives later. */
  isSlow?: boolean;
  /** The captured part, in minor units; null: the full amount. */
  takesMinor?: number | null;
  refundsAtOnce?: boolean;
  /** The most entries of a page of a list. */
  pageSize?: number;
  /** Makes the next session fail with a stored 500, before or after its creation. */
  failsSession?: 'before' | 'after';
  /** Completes what is pending, as paid or failed. */
  settle?: 'paid' | 'failed';
  createForeignCharge?: number;
  /** The key of an attempt to capture, whatever the status of its session. */
  forceCapture?: string;
  /** Refunds an attempt in the dashboard. */
  createExternalRefund?: { attemptId: string; amountMinor: number };
  /** The key of an attempt whose external refunds the customer's bank returns. */
  failExternalRefunds?: string;
  /** Where the webhooks of the first account go. */
  endpointUrl?: string;
};

type Behaviour = Bank & Limits & { refundsAtOnce: boolean; failsSession?: 'before' | 'after' };

const failure = {
  ...{ isKept: true, status: 500 },
  error: { type: 'api_error', message: 'An unknown error occurred' },
} as const;

function failSession(records: Records, asked: Asked, when: 'before' | 'after'): Refusal {
  const made = when === 'after' ? createSession(records, asked) : null;
  if (made && !('isKept' in made)) records.commit(asked.account, made);
  return failure;
}

const sweepEveryMs = 200;
const authentication = {
  type: 'card_error',
  code: 'payment_intent_authentication_failure',
  message: 'We could not verify you with your bank.',
} as const;

function sessionInFull(records: Records, account: FakeAccount, session: Session, isFull: boolean): object {
  if (!isFull) return session;
  return { ...session, payment_intent: records.find(account, 'payment_intent', session.payment_intent) };
}

/** How Stripe books a charge: it takes 1.5 % and 25 cents. */
const bookedAs = ({ amount_captured: amount, currency, status }: Charge) =>
  status === 'succeeded'
    ? { object: 'balance_transaction', amount, currency, fee: Math.round(amount * 0.015) + 25 }
    : null;

function apiRoutes(records: Records, behaviour: Behaviour): Fake['routes'] {
  const get = (route: string, read: (asked: Asked) => object) =>
    ({ route: `GET /v1/${route}`, on: 'api', handle: reading(records, read) }) as const;
  const post = (route: string, change: Parameters<typeof changing>[1]) =>
    ({ route: `POST /v1/${route}`, on: 'api', handle: changing(records, change) }) as const;
  const sessions = ({ account, form }: Asked) => {
    const intentId = form.get('payment_intent');
    const all = records.list(account, 'checkout.session');
    const chosen = intentId === null ? all : all.filter((session) => session.payment_intent === intentId);
    const page = pageOf(chosen, form, behaviour);
    const isFull = wantsFull(form, 'data.payment_intent');
    return { ...page, data: page.data.map((session) => sessionInFull(records, account, session, isFull)) };
  };
  const refunds = ({ account, form }: Asked) => {
    const intentId = form.get('payment_intent');
    const all = records.list(account, 'refund');
    const page = pageOf(
      intentId === null ? all : all.filter((refund) => refund.payment_intent === intentId),
      form,
      behaviour,
    );
    if (!wantsFull(form, 'data.charge')) return page;
    const inFull = (id: string) => records.find(account, 'charge', id) ?? id;
    return { ...page, data: page.data.map((refund) => ({ ...refund, charge: inFull(refund.charge) })) };
  };
  return [
    get('account', ({ account }) => ({
      ...{ id: account.id, object: 'account', charges_enabled: true, country: 'DE' },
      business_profile: { name: account.name },
    })),
    post('checkout/sessions', (asked) => {
      const { failsSession } = behaviour;
      delete behaviour.failsSession;
      return failsSession ? failSession(records, asked, failsSession) : createSession(records, asked);
    }),
    get('checkout/sessions', sessions),
    get('checkout/sessions/:id', ({ account, form, params }) => {
      const session = records.find(account, 'checkout.session', params.id ?? '');
      if (!session) return missing('checkout.session', params.id ?? '');
      return sessionInFull(records, account, session, wantsFull(form, 'payment_intent'));
    }),
    post('checkout/sessions/:id/expire', (asked) => expireSession(records, asked)),
    post('refunds', (asked) => createRefund(records, asked, behaviour.refundsAtOnce)),
    get('refunds', refunds),
    get('refunds/:id', ({ account, params }) => {
      const id = params.id ?? '';
      return records.find(account, 'refund', id) ?? missing('refund', id);
    }),
    get('charges/:id', ({ account, params }) => {
      const id = params.id ?? '';
      return records.find(account, 'charge', id) ?? missing('charge', id);
    }),
    get('charges', ({ account, form }) => {
      const page = pageOf(records.list(account, 'charge'), form, behaviour);
      if (!wantsFull(form, 'data.balance_transaction')) return page;
      return {
        ...page,
        data: page.data.map((charge) => ({ ...charge, balance_transaction: bookedAs(charge) })),
      };
    }),
  ];
}

function showPage(session: Session, buttons: readonly Button[], message?: string) {
  const lines = [`${session.amount_total} ${session.currency}`, session.customer_email ?? ''];
  const page = { title: 'Fake Stripe', lines, buttons, ...(message ? { message } : {}) };
  return { status: 200, body: renderHostedPage(page) };
}

/** The customer's page of a session, which charges at most once, and only while the session is open. */
function pageRoutes(records: Records, behaviour: Behaviour): Fake['routes'] {
  const forCustomer =
    (serve: (account: FakeAccount, session: Session, button: string | null) => ReturnType<typeof seeOther>) =>
    (request: FakeRequest) => {
      const account = records.ownerOf(request.params.id ?? '');
      const session = account && records.find(account, 'checkout.session', request.params.id ?? '');
      if (!session) return { status: 404, body: 'Page not found.' };
      if (session.status !== 'open') return showPage(session, [], `This session is ${session.status}.`);
      return serve(account, session, request.method === 'POST' ? formOf(request).get('do') : null);
    };
  const open = (account: FakeAccount, session: Session) => {
    const intent = records.find(account, 'payment_intent', session.payment_intent);
    const message = intent?.last_payment_error?.message;
    return showPage(
      session,
      ['pay', 'decline', '3ds', ...(session.cancel_url ? ['back' as const] : [])],
      message,
    );
  };
  const choose = (account: FakeAccount, session: Session, button: string | null) => {
    if (button === 'back' && session.cancel_url) return seeOther(session.cancel_url);
    if (button === '3ds') {
      challenge(records, account, session);
      return seeOther(`/c/pay/${session.id}/authenticate`);
    }
    if (button === 'pay' || button === 'pass') {
      pay(records, account, session, behaviour);
      return seeOther(session.success_url);
    }
    const details = { decline_code: behaviour.declinesWith, message: 'Your card was declined.' };
    const error = { type: 'card_error', code: 'card_declined', ...details } as const;
    decline(records, account, session, button === 'fail' ? authentication : error);
    return seeOther(`/c/pay/${session.id}`);
  };
  const challenged = (_: FakeAccount, session: Session) => showPage(session, ['pass', 'fail']);
  return [
    { route: 'GET /c/pay/:id', on: 'pages', handle: forCustomer(open) },
    { route: 'POST /c/pay/:id', on: 'pages', handle: forCustomer(choose) },
    { route: 'GET /c/pay/:id/authenticate', on: 'pages', handle: forCustomer(challenged) },
    { route: 'POST /c/pay/:id/authenticate', on: 'pages', handle: forCustomer(choose) },
  ];
}

function command(records: Records, behaviour: Behaviour, wish: StripeCommand): object {
  const { settle, createForeignCharge: amount, forceCapture, ...others } = wish;
  const { createExternalRefund, failExternalRefunds, endpointUrl, ...changes } = others;
  if (createExternalRefund) refundInDashboard(records, accounts.chairs, createExternalRefund);
  if (failExternalRefunds) failInDashboard(records, accounts.chairs, failExternalRefunds);
  Object.assign(behaviour, changes);
  if (endpointUrl !== undefined) records.setEndpoint(accounts.chairs, endpointUrl);
  if (amount !== undefined) createForeignCharge(records, accounts.chairs, amount);
  if (forceCapture !== undefined) payAnyway(records, accounts.chairs, forceCapture);
  if (settle) {
    for (const account of Object.values(accounts)) {
      settleSlow(records, account, settle === 'paid');
      settleRefunds(records, account, settle === 'paid');
    }
  }
  return {};
}

function stripe(server: FakeServer<Line>): Fake {
  const records = openRecords(server);
  const behaviour: Behaviour = {
    ...{ declinesWith: 'generic_decline', isSlow: false, refundsAtOnce: true, pageSize: 100 },
    takesMinor: null,
  };
  const expireAll = () => {
    for (const account of Object.values(accounts)) expireDue(records, account);
  };
  setInterval(expireAll, sweepEveryMs).unref();
  const routes = [...apiRoutes(records, behaviour), ...pageRoutes(records, behaviour)].map((route) => ({
    ...route,
    handle: (request: FakeRequest) => {
      expireAll();
      return route.handle(request);
    },
  }));
  return { routes, command: (wish) => command(records, behaviour, wish as StripeCommand) };
}

await serveFake<Line>(stripe);
