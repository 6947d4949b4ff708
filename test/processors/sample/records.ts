// The records of the sample processor: sessions and refunds, replayed from its journal. Each change is on disk before
// it takes effect.

import { createHmac, randomUUID } from 'node:crypto';
import type { FakeServer } from '../kit/fake-server.ts';
import type { WebhookToSend } from '../kit/webhook-sender.ts';

/** A session; each line replaces the previous one of its ID. */
export type SessionLine = {
  type: 'session';
  id: string;
  key: string;
  account: string;
  connectionId: string;
  state: 'open' | 'approved' | 'pending' | 'taken' | 'declined' | 'void';
  willDecline: boolean;
  /** Whether the money is captured as soon as the customer approves. */
  takesAtOnce: boolean;
  amountMinor: number;
  currency: string;
  returnUrl: string;
  cancelUrl: string;
  expiresAt: string;
};
/** A requested refund. Money moves only when it is `paid`. */
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
/** Moved money, with its time and the key of its attempt. */
export type BookedLine = {
  type: 'booked';
  kind: 'charge' | 'refund';
  key: string;
  reference: string;
  account: string;
  connectionId: string;
  amountMinor: number;
  currency: string;
  at: string;
};
export type SampleLine = SessionLine | RefundLine | BookedLine;

/** The accounts: the API key, and the secret that signs webhooks. */
export const accounts: readonly { apiKey: string; secret: string; holder: string }[] = [
  { apiKey: 'test_one', secret: 'whsec-of-one', holder: 'One Ltd' },
  { apiKey: 'test_two', secret: 'whsec-of-two', holder: 'Two Ltd' },
];

export type Records = {
  /** A session by its ID or key; an expired one is void. */
  find(account: string, idOrKey: string): SessionLine | null;
  /** A session by its ID, for its public page. */
  findById(id: string): SessionLine | null;
  open(session: SessionLine): SessionLine;
  /** Changes the status of a session, records the money if it is `taken`, and sends a webhook. */
  move(session: SessionLine, state: SessionLine['state']): SessionLine;
  findRefund(key: string): RefundLine | null;
  paidBack(sessionId: string): number;
  refund(refund: RefundLine, session: SessionLine): RefundLine;
  listBooked(account: string): BookedLine[];
  setWebhookUrl(url: string): void;
  /** Captures the pending money of sessions. */
  settle(): void;
};

/** The webhook about a session, signed with the secret of its account. */
function noticeOf(session: SessionLine, url: string | null): WebhookToSend {
  const { key, account, connectionId, amountMinor, currency, state } = session;
  const secret = accounts.find(({ apiKey }) => apiKey === account)?.secret ?? '';
  return {
    url,
    contentType: 'application/json',
    body: JSON.stringify({ id: randomUUID(), key, connectionId, amountMinor, currency, state }),
    sign: (body, at) => ({
      'x-sample-time': String(at.getTime()),
      'x-sample-signature': createHmac('sha256', secret).update(`${at.getTime()}.${body}`).digest('hex'),
    }),
  };
}

const isPending = ({ state }: SessionLine) => state === 'pending';

/** Opens the records on a journal. */
export function openRecords({ journal, now, notify }: FakeServer<SampleLine>): Records {
  const sessions = new Map<string, SessionLine>();
  const refunds = new Map<string, RefundLine>();
  let webhookUrl: string | null = null;
  const learn = (line: { type: string }) => {
    if (line.type === 'session') sessions.set((line as SessionLine).id, line as SessionLine);
    if (line.type === 'refund_asked') refunds.set((line as RefundLine).key, line as RefundLine);
  };
  for (const line of journal.lines) learn(line);
  const save = <Kept extends SampleLine>(line: Kept): Kept => {
    journal.append(line);
    learn(line);
    return line;
  };
  const book = (kind: 'charge' | 'refund', session: SessionLine, moved: SessionLine | RefundLine) => {
    const { account, connectionId } = session;
    const { key, id: reference, amountMinor, currency } = moved;
    const chargeReference = kind === 'refund' ? session.id : null;
    journal.append({
      type: kind,
      key,
      reference,
      chargeReference,
      linkCode: null,
      account,
      amountMinor,
      currency,
    });
    save({
      ...{ type: 'booked', kind, key, reference, account, connectionId, amountMinor, currency },
      at: now().toISOString(),
    });
  };
  const findById = (id: string) => {
    const session = sessions.get(id);
    const isOver = session?.state === 'open' && new Date(session.expiresAt) <= now();
    return (isOver ? save({ ...session, state: 'void' }) : session) ?? null;
  };
  const move = (session: SessionLine, state: SessionLine['state']) => {
    const moved = save({ ...session, state });
    if (state === 'taken') book('charge', session, moved);
    notify(noticeOf(moved, webhookUrl));
    return moved;
  };
  return {
    find: (account, idOrKey) => {
      const { id } = [...sessions.values()].find(({ key }) => key === idOrKey) ?? { id: idOrKey };
      const session = findById(id);
      return session?.account === account ? session : null;
    },
    findById,
    open: save,
    move,
    settle: () => [...sessions.values()].filter(isPending).forEach((session) => void move(session, 'taken')),
    findRefund: (key) => refunds.get(key) ?? null,
    paidBack: (sessionId) =>
      [...refunds.values()]
        .filter(({ session, state }) => session === sessionId && state === 'paid')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    refund: (refund, session) => {
      if (refund.state === 'paid') book('refund', session, refund);
      return save(refund);
    },
    listBooked: (account) =>
      journal.lines.filter((line) => line.type === 'booked').filter((line) => line.account === account),
    setWebhookUrl: (url) => {
      webhookUrl = url;
    },
  };
}
