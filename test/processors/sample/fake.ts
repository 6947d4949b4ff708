// A made-up processor with a page of its own, as small as one can be: the kit and the contract suite are
// tried on it, and it shows how a fake is written. It must never import anything of the service.

import { createHmac, randomUUID } from 'node:crypto';
import {
  type FakeAnswer,
  type FakeRequest,
  formOf,
  jsonOf,
  seeOther,
  serveFake,
} from '../kit/fake-server.ts';
import { renderHostedPage } from '../kit/hosted-page.ts';

/** A session as it stands; each line of its id replaces the one before. */
export type SessionLine = {
  type: 'session';
  id: string;
  key: string;
  account: string;
  connectionId: string;
  state: 'open' | 'approved' | 'taken' | 'declined' | 'void';
  willDecline: boolean;
  amountMinor: number;
  currency: string;
  returnUrl: string;
  cancelUrl: string;
  expiresAt: string;
};
/** A refund that was asked for; money moved for it only when `state` is `paid`. */
export type RefundLine = {
  type: 'refund_asked';
  id: string;
  key: string;
  account: string;
  session: string;
  state: 'paid' | 'refused';
  amountMinor: number;
  currency: string;
};
type Line = SessionLine | RefundLine;

/** The accounts that there are: the API key, and the secret that webhooks are signed with. */
export const accounts: readonly { apiKey: string; secret: string; holder: string }[] = [
  { apiKey: 'test_one', secret: 'secret-of-one', holder: 'One Ltd' },
  { apiKey: 'test_two', secret: 'secret-of-two', holder: 'Two Ltd' },
];

export const pageSize = 3;

const notFound: FakeAnswer = { status: 404, body: { error: 'not_found' } };
const accountOf = (request: FakeRequest) =>
  accounts.find(({ apiKey }) => request.headers.authorization === `Bearer ${apiKey}`);

await serveFake<Line>(({ url, journal, now, notify }) => {
  const sessions = new Map<string, SessionLine>();
  const refunds = new Map<string, RefundLine>();
  const learn = (line: { type: string }) => {
    if (line.type === 'session') sessions.set((line as SessionLine).id, line as SessionLine);
    if (line.type === 'refund_asked') refunds.set((line as RefundLine).id, line as RefundLine);
  };
  for (const line of journal.lines) learn(line);
  const save = <Kept extends Line>(line: Kept): Kept => {
    journal.append(line);
    learn(line);
    return line;
  };
  const find = (account: string, id: string) => {
    const session = sessions.get(id) ?? [...sessions.values()].find(({ key }) => key === id);
    if (session?.account !== account) return null;
    const isOver = session.state === 'open' && new Date(session.expiresAt) <= now();
    return isOver ? save({ ...session, state: 'void' }) : session;
  };
  const tell = (session: SessionLine) => {
    const account = accounts.find(({ apiKey }) => apiKey === session.account);
    const { key, connectionId, amountMinor, currency, state } = session;
    notify({
      url: null,
      contentType: 'application/json',
      body: JSON.stringify({ id: randomUUID(), key, connectionId, amountMinor, currency, state }),
      sign: (body, at) => {
        const time = String(at.getTime());
        const mac = createHmac('sha256', account?.secret ?? '')
          .update(`${time}.${body}`)
          .digest('hex');
        return { 'x-sample-time': time, 'x-sample-signature': mac };
      },
    });
  };
  const move = (session: SessionLine, state: SessionLine['state']) => {
    const moved = save({ ...session, state });
    if (state === 'taken') {
      const { key, id: reference, account, amountMinor, currency } = session;
      journal.append({
        type: 'charge',
        key,
        reference,
        chargeReference: null,
        account,
        amountMinor,
        currency,
      });
    }
    tell(moved);
    return moved;
  };
  const show = (session: SessionLine): FakeAnswer => ({
    status: 200,
    body: { ...session, url: `${url}/pay/${session.id}` },
  });

  const create = (account: string, request: FakeRequest): FakeAnswer => {
    const asked = jsonOf(request) as Omit<SessionLine, 'type' | 'id' | 'account' | 'state' | 'willDecline'>;
    const known = find(account, asked.key);
    if (known) return show(known);
    const fresh = { type: 'session', id: `ses_${randomUUID()}`, account, state: 'open' } as const;
    return show(save({ ...asked, ...fresh, willDecline: false }));
  };
  const capture = (session: SessionLine): FakeAnswer => {
    if (session.state !== 'approved') return show(session);
    return show(move(session, session.willDecline ? 'declined' : 'taken'));
  };
  const cancel = (session: SessionLine): FakeAnswer => {
    const isOpen = session.state === 'open' || session.state === 'approved';
    return show(isOpen ? move(session, 'void') : session);
  };
  const refund = (account: string, request: FakeRequest): FakeAnswer => {
    const asked = jsonOf(request) as { key: string; session: string; amountMinor: number };
    const known = [...refunds.values()].find(({ key }) => key === asked.key);
    if (known) return { status: 200, body: known };
    const session = find(account, asked.session);
    if (!session) return notFound;
    const given = [...refunds.values()].filter(
      (other) => other.session === session.id && other.state === 'paid',
    );
    const left = session.amountMinor - given.reduce((sum, other) => sum + other.amountMinor, 0);
    const state = session.state === 'taken' && asked.amountMinor <= left ? 'paid' : 'refused';
    const { currency, id: chargeReference } = session;
    const line = save({ type: 'refund_asked', id: randomUUID(), account, state, currency, ...asked });
    const { key, id: reference, amountMinor } = line;
    if (state === 'paid')
      journal.append({ type: 'refund', key, reference, chargeReference, account, amountMinor, currency });
    return { status: 200, body: line };
  };
  const list = (account: string, request: FakeRequest): FakeAnswer => {
    const moved = journal.lines.filter((line) => line.type === 'charge' || line.type === 'refund');
    const own = moved.filter((line) => line.account === account);
    const start = Number(request.query.get('start') ?? 0);
    const more = start + pageSize < own.length;
    return {
      status: 200,
      body: { movements: own.slice(start, start + pageSize), next: more ? start + pageSize : null },
    };
  };
  const choose = (session: SessionLine, button: string | null): FakeAnswer => {
    if (session.state !== 'open' || button === 'back') return seeOther(session.cancelUrl);
    if (button === '3ds') return seeOther(`${url}/pay/${session.id}/3ds`);
    const willDecline = button === 'decline' || button === 'fail';
    move({ ...session, willDecline }, 'approved');
    return seeOther(session.returnUrl);
  };
  const page = (session: SessionLine, buttons: Parameters<typeof renderHostedPage>[0]['buttons']) => ({
    status: 200,
    body: renderHostedPage({ title: 'Sample', lines: [`${session.amountMinor}`], buttons }),
  });

  const forAccount =
    (handle: (account: string, request: FakeRequest) => FakeAnswer) => (request: FakeRequest) => {
      const account = accountOf(request);
      return account ? handle(account.apiKey, request) : { status: 401, body: { error: 'wrong_key' } };
    };
  const forSession = (handle: (session: SessionLine) => FakeAnswer) =>
    forAccount((account, request) => {
      const session = find(account, request.params.id ?? '');
      return session ? handle(session) : notFound;
    });
  const forVisitor =
    (handle: (session: SessionLine, request: FakeRequest) => FakeAnswer) => (request: FakeRequest) => {
      const known = sessions.get(request.params.id ?? '');
      const session = known && find(known.account, known.id);
      return session ? handle(session, request) : notFound;
    };
  return {
    routes: [
      {
        route: 'GET /account',
        on: 'api',
        handle: (request) => ({
          status: accountOf(request) ? 200 : 401,
          body: { holder: accountOf(request)?.holder },
        }),
      },
      { route: 'POST /sessions', on: 'api', handle: forAccount(create) },
      { route: 'GET /sessions/:id', on: 'api', handle: forSession(show) },
      { route: 'POST /sessions/:id/capture', on: 'api', handle: forSession(capture) },
      { route: 'POST /sessions/:id/cancel', on: 'api', handle: forSession(cancel) },
      { route: 'POST /refunds', on: 'api', handle: forAccount(refund) },
      { route: 'GET /movements', on: 'api', handle: forAccount(list) },
      {
        route: 'GET /pay/:id',
        on: 'pages',
        handle: forVisitor((session) => page(session, ['pay', 'decline', '3ds', 'back'])),
      },
      {
        route: 'GET /pay/:id/3ds',
        on: 'pages',
        handle: forVisitor((session) => page(session, ['pass', 'fail'])),
      },
      {
        route: 'POST /pay/:id',
        on: 'pages',
        handle: forVisitor((session, request) => choose(session, formOf(request).get('do'))),
      },
      {
        route: 'POST /pay/:id/3ds',
        on: 'pages',
        handle: forVisitor((session, request) => choose(session, formOf(request).get('do'))),
      },
    ],
    command: (command) => {
      const { chargeElsewhere: amountMinor } = command as { chargeElsewhere: number };
      const [account] = accounts;
      const foreign = { key: null, reference: randomUUID(), chargeReference: null, currency: 'EUR' };
      journal.append({ type: 'charge', ...foreign, account: account?.apiKey ?? '', amountMinor });
      return {};
    },
  };
});
