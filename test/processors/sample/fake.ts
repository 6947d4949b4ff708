// A fictitious processor with its own page, as small as possible: it tests the kit and the contract suite, and shows
// how to write a fake. Must not: import code of the service.

import { randomUUID } from 'node:crypto';
import {
  type Fake,
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  formOf,
  jsonOf,
  seeOther,
  serveFake,
} from '../kit/fake-server.ts';
import { type Button, renderHostedPage } from '../kit/hosted-page.ts';
import { accounts, openRecords, type Records, type SampleLine, type SessionLine } from './records.ts';

/** The entries of a list page; few, so that tests have several pages. */
const pageSize = 3;

const notFound: FakeResponse = { status: 404, body: { error: 'not_found' } };
const accountOf = (request: FakeRequest) =>
  accounts.find(({ apiKey }) => request.headers.authorization === `Bearer ${apiKey}`);

type ForAccount = (records: Records, account: string, request: FakeRequest) => FakeResponse;

const show = (session: SessionLine): FakeResponse => ({ status: 200, body: session });

const create: ForAccount = (records, account, request) => {
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
  const known = records.find(account, asked.key);
  if (known) return show(known);
  const fresh = { type: 'session', id: `ses_${randomUUID()}`, account, state: 'open' } as const;
  return show(records.open({ ...asked, ...fresh, willDecline: false }));
};

/** Whether the money of customers who pay from now on arrives later. */
let isLate = false;

const take = (records: Records, session: SessionLine): SessionLine => {
  if (session.state !== 'approved') return session;
  if (session.willDecline) return records.move(session, 'declined');
  return records.move(session, isLate ? 'pending' : 'taken');
};

/** Ends a session that has charged nothing. A key without a session is used up. */
const cancel: ForAccount = (records, account, request) => {
  const id = request.params.id ?? '';
  const session = records.find(account, id);
  if (session) {
    const canEnd = session.state === 'open' || session.state === 'approved';
    return show(canEnd ? records.move(session, 'void') : session);
  }
  const nothing = { amountMinor: 0, currency: 'XXX', connectionId: '', returnUrl: '', cancelUrl: '' };
  const used = { type: 'session', id: `ses_${randomUUID()}`, key: id, account, state: 'void' } as const;
  return show(records.open({ ...used, ...nothing, willDecline: false, takesAtOnce: false, expiresAt: '' }));
};

const refund: ForAccount = (records, account, request) => {
  const asked = jsonOf(request) as { key: string; session: string; amountMinor: number };
  const known = records.findRefund(asked.key);
  if (known) return { status: 200, body: known };
  const session = records.find(account, asked.session);
  if (!session) return notFound;
  const left = session.amountMinor - records.paidBack(session.id);
  const state = session.state === 'taken' && asked.amountMinor <= left ? 'paid' : 'refused';
  const { currency } = session;
  const line = { type: 'refund_asked', id: `ref_${randomUUID()}`, account, state, currency } as const;
  return { status: 200, body: records.refund({ ...line, ...asked }, session) };
};

const list: ForAccount = (records, account, { query }) => {
  const [from = '', until = ''] = [query.get('from') ?? '', query.get('until') ?? ''];
  const booked = records.listBooked(account).filter(({ at }) => at >= from && at < until);
  const end = Number(query.get('start') ?? 0) + pageSize;
  const next = end < booked.length ? String(end) : null;
  return { status: 200, body: { movements: booked.slice(end - pageSize, end), next } };
};

const choose = (records: Records, session: SessionLine, request: FakeRequest): FakeResponse => {
  const button = formOf(request).get('do');
  if (session.state !== 'open' || button === 'back') return seeOther(session.cancelUrl);
  if (button === '3ds') return seeOther(`/pay/${session.id}/3ds`);
  const willDecline = button === 'decline' || button === 'fail';
  const approved = records.move({ ...session, willDecline }, 'approved');
  if (approved.takesAtOnce) take(records, approved);
  return seeOther(session.returnUrl);
};

const showPage = ({ amountMinor, currency }: SessionLine, buttons: readonly Button[]): FakeResponse => ({
  status: 200,
  body: renderHostedPage({ title: 'Sample', lines: [`${amountMinor} ${currency}`], buttons }),
});

/** Foreign charges, and commands that set where webhooks go. */
function command(records: Records, { journal, now }: FakeServer<SampleLine>, wish: object): object {
  const {
    createForeignCharge: amountMinor,
    webhookUrl,
    settle,
    ...rest
  } = wish as { createForeignCharge?: number; webhookUrl?: string; isLate?: boolean; settle?: true };
  if (rest.isLate !== undefined) isLate = rest.isLate;
  if (settle) records.settle();
  if (webhookUrl) records.setWebhookUrl(webhookUrl);
  if (!amountMinor) return {};
  const account = accounts[0]?.apiKey ?? '';
  const moved = { reference: `ses_${randomUUID()}`, account, amountMinor, currency: 'EUR' };
  journal.append({ type: 'charge', key: null, chargeReference: null, linkCode: null, ...moved });
  const at = now().toISOString();
  journal.append({ type: 'booked', kind: 'charge', key: 'theirs', connectionId: 'none', at, ...moved });
  return {};
}

function sample(server: FakeServer<SampleLine>): Fake {
  const records = openRecords(server);
  const forAccount = (handle: ForAccount) => (request: FakeRequest) => {
    const account = accountOf(request);
    return account ? handle(records, account.apiKey, request) : { status: 401, body: { error: 'wrong_key' } };
  };
  const forSession = (handle: (records: Records, session: SessionLine) => FakeResponse) =>
    forAccount((_, account, { params }) => {
      const session = records.find(account, params.id ?? '');
      return session ? handle(records, session) : notFound;
    });
  const forVisitor =
    (handle: (session: SessionLine, request: FakeRequest) => FakeResponse) => (request: FakeRequest) => {
      const session = records.findById(request.params.id ?? '');
      return session ? handle(session, request) : notFound;
    };
  const account = (request: FakeRequest) => ({ status: 200, body: { holder: accountOf(request)?.holder } });
  const page = forVisitor((session) => showPage(session, ['pay', 'decline', '3ds', 'back']));
  const bank = forVisitor((session) => showPage(session, ['pass', 'fail']));
  const chosen = forVisitor((session, request) => choose(records, session, request));
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
        handle: forSession((_, session) => show(take(records, session))),
      },
      { route: 'POST /sessions/:id/cancel', on: 'api', handle: forAccount(cancel) },
      { route: 'POST /refunds', on: 'api', handle: forAccount(refund) },
      { route: 'GET /movements', on: 'api', handle: forAccount(list) },
      { route: 'GET /pay/:id', on: 'pages', handle: page },
      { route: 'POST /pay/:id', on: 'pages', handle: chosen },
      { route: 'GET /pay/:id/3ds', on: 'pages', handle: bank },
      { route: 'POST /pay/:id/3ds', on: 'pages', handle: chosen },
    ],
    command: (wish) => command(records, server, wish),
  };
}

await serveFake<SampleLine>(sample);
