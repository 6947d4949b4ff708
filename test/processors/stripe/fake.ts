// A fake of Stripe, to be run as a process of its own: `node fake.ts <journal file> [port]`. Written from Stripe's
// public API reference, version 2026-10-28.endive. It must never import anything of the service.

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
import { type Books, type Line, openBooks } from './books.ts';
import {
  type Bank,
  challenge,
  chargeElsewhere,
  createSession,
  decline,
  expireDue,
  expireSession,
  pay,
  payAnyway,
  settleSlow,
} from './checkout.ts';
import { createRefund, failInDashboard, refundInDashboard, settleRefunds } from './fake-refunds.ts';
import { missing, type Refusal, type Session } from './objects.ts';

/** What tests may tell it: see `command`. */
export type StripeCommand = {
  /** The decline code of the next cards that are declined. */
  declinesWith?: string;
  /** Whether the customer pays by a method whose money comes later. */
  isSlow?: boolean;
  /** How much of an amount is taken, in minor units; null: all of it. */
  takesMinor?: number | null;
  refundsAtOnce?: boolean;
  /** The most entries of a page of a list. */
  pageSize?: number;
  /** How the next session is failed: with a 500 that is stored for its key, before or after it was made. */
  failsSession?: 'before' | 'after';
  /** What waits comes to its end, well or badly. */
  settle?: 'paid' | 'failed';
  chargeElsewhere?: number;
  /** The key of an attempt whose money is taken, whatever holds of its session. */
  chargeAnyway?: string;
  /** Somebody gives money of an attempt back in the dashboard. */
  refundElsewhere?: { attemptId: string; amountMinor: number };
  /** The key of an attempt whose refunds of the dashboard come back from the customer's bank. */
  failElsewhere?: string;
  /** Where the webhooks of the first account go. */
  endpointUrl?: string;
};

type Behaviour = Bank & Limits & { refundsAtOnce: boolean; failsSession?: 'before' | 'after' };

const failure = {
  ...{ isKept: true, status: 500 },
  error: { type: 'api_error', message: 'An unknown error occurred' },
} as const;

function failSession(books: Books, asked: Asked, when: 'before' | 'after'): Refusal {
  const made = when === 'after' ? createSession(books, asked) : null;
  if (made && !('isKept' in made)) books.commit(asked.account, made);
  return failure;
}

const sweepEveryMs = 200;
const authentication = {
  type: 'card_error',
  code: 'payment_intent_authentication_failure',
  message: 'We could not verify you with your bank.',
} as const;

function sessionInFull(books: Books, account: FakeAccount, session: Session, isFull: boolean): object {
  if (!isFull) return session;
  return { ...session, payment_intent: books.find(account, 'payment_intent', session.payment_intent) };
}

function apiRoutes(books: Books, behaviour: Behaviour): Fake['routes'] {
  const get = (route: string, read: (asked: Asked) => object) =>
    ({ route: `GET /v1/${route}`, on: 'api', handle: reading(books, read) }) as const;
  const post = (route: string, change: Parameters<typeof changing>[1]) =>
    ({ route: `POST /v1/${route}`, on: 'api', handle: changing(books, change) }) as const;
  const sessions = ({ account, form }: Asked) => {
    const intentId = form.get('payment_intent');
    const all = books.list(account, 'checkout.session');
    const chosen = intentId === null ? all : all.filter((session) => session.payment_intent === intentId);
    const page = pageOf(chosen, form, behaviour);
    const isFull = wantsFull(form, 'data.payment_intent');
    return { ...page, data: page.data.map((session) => sessionInFull(books, account, session, isFull)) };
  };
  const refunds = ({ account, form }: Asked) => {
    const intentId = form.get('payment_intent');
    const all = books.list(account, 'refund');
    const page = pageOf(
      intentId === null ? all : all.filter((refund) => refund.payment_intent === intentId),
      form,
      behaviour,
    );
    if (!wantsFull(form, 'data.charge')) return page;
    const inFull = (id: string) => books.find(account, 'charge', id) ?? id;
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
      return failsSession ? failSession(books, asked, failsSession) : createSession(books, asked);
    }),
    get('checkout/sessions', sessions),
    get('checkout/sessions/:id', ({ account, form, params }) => {
      const session = books.find(account, 'checkout.session', params.id ?? '');
      if (!session) return missing('checkout.session', params.id ?? '');
      return sessionInFull(books, account, session, wantsFull(form, 'payment_intent'));
    }),
    post('checkout/sessions/:id/expire', (asked) => expireSession(books, asked)),
    post('refunds', (asked) => createRefund(books, asked, behaviour.refundsAtOnce)),
    get('refunds', refunds),
    get('refunds/:id', ({ account, params }) => {
      const id = params.id ?? '';
      return books.find(account, 'refund', id) ?? missing('refund', id);
    }),
    get('charges/:id', ({ account, params }) => {
      const id = params.id ?? '';
      return books.find(account, 'charge', id) ?? missing('charge', id);
    }),
    get('charges', ({ account, form }) => pageOf(books.list(account, 'charge'), form, behaviour)),
  ];
}

function showPage(session: Session, buttons: readonly Button[], message?: string) {
  const lines = [`${session.amount_total} ${session.currency}`, session.customer_email ?? ''];
  const page = { title: 'Fake Stripe', lines, buttons, ...(message ? { message } : {}) };
  return { status: 200, body: renderHostedPage(page) };
}

/** The customer's page of a session. It takes money once, and none when the session is over. */
function pageRoutes(books: Books, behaviour: Behaviour): Fake['routes'] {
  const forCustomer =
    (serve: (account: FakeAccount, session: Session, button: string | null) => ReturnType<typeof seeOther>) =>
    (request: FakeRequest) => {
      const account = books.ownerOf(request.params.id ?? '');
      const session = account && books.find(account, 'checkout.session', request.params.id ?? '');
      if (!session) return { status: 404, body: 'There is no such page.' };
      if (session.status !== 'open') return showPage(session, [], `This session is ${session.status}.`);
      return serve(account, session, request.method === 'POST' ? formOf(request).get('do') : null);
    };
  const open = (account: FakeAccount, session: Session) => {
    const intent = books.find(account, 'payment_intent', session.payment_intent);
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
      challenge(books, account, session);
      return seeOther(`/c/pay/${session.id}/authenticate`);
    }
    if (button === 'pay' || button === 'pass') {
      pay(books, account, session, behaviour);
      return seeOther(session.success_url);
    }
    const details = { decline_code: behaviour.declinesWith, message: 'Your card was declined.' };
    const error = { type: 'card_error', code: 'card_declined', ...details } as const;
    decline(books, account, session, button === 'fail' ? authentication : error);
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

function command(books: Books, behaviour: Behaviour, wish: StripeCommand): object {
  const { settle, chargeElsewhere: amount, chargeAnyway, ...others } = wish;
  const { refundElsewhere, failElsewhere, endpointUrl, ...changes } = others;
  if (refundElsewhere) refundInDashboard(books, accounts.chairs, refundElsewhere);
  if (failElsewhere) failInDashboard(books, accounts.chairs, failElsewhere);
  Object.assign(behaviour, changes);
  if (endpointUrl !== undefined) books.setEndpoint(accounts.chairs, endpointUrl);
  if (amount !== undefined) chargeElsewhere(books, accounts.chairs, amount);
  if (chargeAnyway !== undefined) payAnyway(books, accounts.chairs, chargeAnyway);
  if (settle) {
    for (const account of Object.values(accounts)) {
      settleSlow(books, account, settle === 'paid');
      settleRefunds(books, account, settle === 'paid');
    }
  }
  return {};
}

function stripe(server: FakeServer<Line>): Fake {
  const books = openBooks(server);
  const behaviour: Behaviour = {
    ...{ declinesWith: 'generic_decline', isSlow: false, refundsAtOnce: true, pageSize: 100 },
    takesMinor: null,
  };
  const expireAll = () => {
    for (const account of Object.values(accounts)) expireDue(books, account);
  };
  setInterval(expireAll, sweepEveryMs).unref();
  const routes = [...apiRoutes(books, behaviour), ...pageRoutes(books, behaviour)].map((route) => ({
    ...route,
    handle: (request: FakeRequest) => {
      expireAll();
      return route.handle(request);
    },
  }));
  return { routes, command: (wish) => command(books, behaviour, wish as StripeCommand) };
}

await serveFake<Line>(stripe);
