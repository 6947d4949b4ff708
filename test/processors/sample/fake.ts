// A made-up processor with a page of its own, as small as one can be: the kit and the contract suite are
// tried on it, and it shows how a fake is written. It must never import anything of the service.

import { randomUUID } from 'node:crypto';
import {
  type Fake,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  formOf,
  jsonOf,
  seeOther,
  serveFake,
} from '../kit/fake-server.ts';
import { type Button, renderHostedPage } from '../kit/hosted-page.ts';
import { accounts, type Books, openBooks, type SampleLine, type SessionLine } from './books.ts';

/** How many movements a page of the list holds, so few that a test has several. */
const pageSize = 3;

const notFound: FakeAnswer = { status: 404, body: { error: 'not_found' } };
const accountOf = (request: FakeRequest) =>
  accounts.find(({ apiKey }) => request.headers.authorization === `Bearer ${apiKey}`);

type ForAccount = (books: Books, account: string, request: FakeRequest) => FakeAnswer;

const show = (session: SessionLine): FakeAnswer => ({ status: 200, body: session });

const create: ForAccount = (books, account, request) => {
  const asked = jsonOf(request) as Pick<
    SessionLine,
    | 'key'
    | 'connectionId'
    | 'takesAtOnce'
    | 'amountMinor'
    | 'currency'
    | 'returnUrl'
    | 'cancelUrl'
    | 'expiresAt'
  >;
  const known = books.find(account, asked.key);
  if (known) return show(known);
  const fresh = { type: 'session', id: `ses_${randomUUID()}`, account, state: 'open' } as const;
  return show(books.open({ ...asked, ...fresh, willDecline: false }));
};

/** Whether the money of those who pay from now on comes later. */
let isLate = false;

const take = (books: Books, session: SessionLine): SessionLine => {
  if (session.state !== 'approved') return session;
  if (session.willDecline) return books.move(session, 'declined');
  return books.move(session, isLate ? 'pending' : 'taken');
};

/** Ends a session that has taken nothing. A key that has none yet is used up. */
const cancel: ForAccount = (books, account, request) => {
  const id = request.params.id ?? '';
  const session = books.find(account, id);
  if (session) {
    const canEnd = session.state === 'open' || session.state === 'approved';
    return show(canEnd ? books.move(session, 'void') : session);
  }
  const nothing = { amountMinor: 0, currency: 'XXX', connectionId: '', returnUrl: '', cancelUrl: '' };
  const used = { type: 'session', id: `ses_${randomUUID()}`, key: id, account, state: 'void' } as const;
  return show(books.open({ ...used, ...nothing, willDecline: false, takesAtOnce: false, expiresAt: '' }));
};

const refund: ForAccount = (books, account, request) => {
  const asked = jsonOf(request) as { key: string; session: string; amountMinor: number };
  const known = books.findRefund(asked.key);
  if (known) return { status: 200, body: known };
  const session = books.find(account, asked.session);
  if (!session) return notFound;
  const left = session.amountMinor - books.paidBack(session.id);
  const state = session.state === 'taken' && asked.amountMinor <= left ? 'paid' : 'refused';
  const { currency } = session;
  const line = { type: 'refund_asked', id: `ref_${randomUUID()}`, account, state, currency } as const;
  return { status: 200, body: books.refund({ ...line, ...asked }, session) };
};

const list: ForAccount = (books, account, { query }) => {
  const [from = '', until = ''] = [query.get('from') ?? '', query.get('until') ?? ''];
  const booked = books.listBooked(account).filter(({ at }) => at >= from && at < until);
  const end = Number(query.get('start') ?? 0) + pageSize;
  const next = end < booked.length ? String(end) : null;
  return { status: 200, body: { movements: booked.slice(end - pageSize, end), next } };
};

const choose = (books: Books, session: SessionLine, request: FakeRequest): FakeAnswer => {
  const button = formOf(request).get('do');
  if (session.state !== 'open' || button === 'back') return seeOther(session.cancelUrl);
  if (button === '3ds') return seeOther(`/pay/${session.id}/3ds`);
  const willDecline = button === 'decline' || button === 'fail';
  const approved = books.move({ ...session, willDecline }, 'approved');
  if (approved.takesAtOnce) take(books, approved);
  return seeOther(session.returnUrl);
};

const showPage = ({ amountMinor, currency }: SessionLine, buttons: readonly Button[]): FakeAnswer => ({
  status: 200,
  body: renderHostedPage({ title: 'Sample', lines: [`${amountMinor} ${currency}`], buttons }),
});

/** Money that somebody took without us, and commands about where webhooks go. */
function command(books: Books, { journal, now }: FakeServer<SampleLine>, wish: object): object {
  const {
    chargeElsewhere: amountMinor,
    webhookUrl,
    settle,
    ...rest
  } = wish as { chargeElsewhere?: number; webhookUrl?: string; isLate?: boolean; settle?: true };
  if (rest.isLate !== undefined) isLate = rest.isLate;
  if (settle) books.settle();
  if (webhookUrl) books.tellTo(webhookUrl);
  if (!amountMinor) return {};
  const account = accounts[0]?.apiKey ?? '';
  const moved = { reference: `ses_${randomUUID()}`, account, amountMinor, currency: 'EUR' };
  journal.append({ type: 'charge', key: null, chargeReference: null, linkCode: null, ...moved });
  const at = now().toISOString();
  journal.append({ type: 'booked', kind: 'charge', key: 'theirs', connectionId: 'none', at, ...moved });
  return {};
}

function sample(server: FakeServer<SampleLine>): Fake {
  const books = openBooks(server);
  const forAccount = (handle: ForAccount) => (request: FakeRequest) => {
    const account = accountOf(request);
    return account ? handle(books, account.apiKey, request) : { status: 401, body: { error: 'wrong_key' } };
  };
  const forSession = (handle: (books: Books, session: SessionLine) => FakeAnswer) =>
    forAccount((_, account, { params }) => {
      const session = books.find(account, params.id ?? '');
      return session ? handle(books, session) : notFound;
    });
  const forVisitor =
    (handle: (session: SessionLine, request: FakeRequest) => FakeAnswer) => (request: FakeRequest) => {
      const session = books.findById(request.params.id ?? '');
      return session ? handle(session, request) : notFound;
    };
  const account = (request: FakeRequest) => ({ status: 200, body: { holder: accountOf(request)?.holder } });
  const page = forVisitor((session) => showPage(session, ['pay', 'decline', '3ds', 'back']));
  const bank = forVisitor((session) => showPage(session, ['pass', 'fail']));
  const chosen = forVisitor((session, request) => choose(books, session, request));
  return {
    routes: [
      {
        route: 'GET /account',
        on: 'api',
        handle: forAccount((_books, _account, request) => account(request)),
      },
      { route: 'POST /sessions', on: 'api', handle: forAccount(create) },
      { route: 'GET /sessions/:id', on: 'api', handle: forSession((_, session) => show(session)) },
      {
        route: 'POST /sessions/:id/capture',
        on: 'api',
        handle: forSession((_, session) => show(take(books, session))),
      },
      { route: 'POST /sessions/:id/cancel', on: 'api', handle: forAccount(cancel) },
      { route: 'POST /refunds', on: 'api', handle: forAccount(refund) },
      { route: 'GET /movements', on: 'api', handle: forAccount(list) },
      { route: 'GET /pay/:id', on: 'pages', handle: page },
      { route: 'POST /pay/:id', on: 'pages', handle: chosen },
      { route: 'GET /pay/:id/3ds', on: 'pages', handle: bank },
      { route: 'POST /pay/:id/3ds', on: 'pages', handle: chosen },
    ],
    command: (wish) => command(books, server, wish),
  };
}

await serveFake<SampleLine>(sample);
