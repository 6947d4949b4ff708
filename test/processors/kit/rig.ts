// What the contract suite knows of a processor under test: how to reach it, how to play its customer, how
// to break it, and what its books say. One rig for each processor; the suite asks nothing else.

import { newCompanyId, newConnectionId, newId, newLinkCode, randomBase32 } from '../../../src/base/ids.ts';
import type { ProtectedCard } from '../../../src/processors/card.ts';
import type {
  AttemptOutcome,
  AuthoriseRequest,
  Mode,
  ProcessorConnection,
  ProcessorKind,
} from '../../../src/processors/processor.ts';
import type { Control, MoneyLine, SentNotice } from './control.ts';
import type { Customer } from './customer.ts';
import type { RunningFake } from './start-fake.ts';

/** Something that a response says of itself, by which it is known to be about what was asked. */
export type Mark = {
  name: string;
  /** Which response bears it: that about a payment, or that which makes a refund. */
  on: 'payment' | 'refund';
  /** The route of the fake whose answers bear it, and where in the answer it stands: `a.b.0.c`. */
  route: string;
  path: string;
  /** What a response about something else would say there; a function where that follows from what is asked. */
  to: unknown;
  /** The response that begins a payment does not have it yet. */
  isLater?: true;
};

/** The ids of what is asked about. */
export type Asked = { attemptId: string; companyId: string; connectionId: string; refundId: string };

/** What becomes of the money when a customer pays: taken in whole, in part, or not yet. `waits` is one of `Features.waits`. */
export type MoneyWay = 'whole' | { partMinor: number } | { waits: string };

/** How processors differ where the interface lets them. */
export type Features = {
  /** The customer approves, and `capture` takes the money. */
  capturesSeparately: boolean;
  /** Whether a decline is the end. If not, the customer stays on the processor's page and may try again. */
  declineEnds: boolean;
  /** What a customer who turns back on the processor's page leaves: an attempt that is over there, or not. */
  turningBack: 'ends' | 'stays' | 'none';
  /** Whether `cancel` can make an attempt void that waits for the customer. */
  cancelsOpen: boolean;
  /** Whether it can be asked by our key. If not, asking about an attempt without a reference begins it. */
  findsByKey: boolean;
  /** Whether the processor itself ends a session at `expiresAt`. */
  expires: boolean;
  /** How webhooks prove themselves: by a signature, or not at all, so that the adapter asks. */
  notices: 'signed' | 'unsigned' | 'none';
  /** From when on a signed webhook is too old to be believed. A day, where it is not said. */
  noticeLifeMs?: number;
  /** Reached over a network, so that outages concern it. */
  isRemote: boolean;
  /** The states in which a customer has paid and the money is not there yet. */
  waits: readonly string[];
  /** Whether it can take a part of what was asked for. */
  takesPart: boolean;
  /** Every mark that its responses bear. */
  marks: readonly Mark[];
  /** How many entries a page of its lists holds, at most, so that the suite fills two; null: too many to try. */
  pageSize: number | null;
};

export type Rig = {
  kind: ProcessorKind;
  connection: ProcessorConnection;
  /** Another company's account at the same processor. */
  otherConnection: ProcessorConnection;
  /** Another company that has connected the very account of `connection`. */
  sharingConnection: ProcessorConnection;
  /**
   * Connections with one credential that does not hold, and the field that `check` must name. With one of them
   * at least (`opensNothing`) the processor can't even be asked.
   */
  badConnections: readonly { field: string; connection: ProcessorConnection; opensNothing?: boolean }[];
  /** The routes of the fake, as it writes them, on which an attempt begins, and money moves. */
  routes: { authorise: string; capture: string | null; refund: string } | null;
  /** The card that makes it go so; null for a processor with a page of its own. */
  cardFor(wish: 'pay' | 'decline' | 'challenge' | 'lose_answer' | 'never_answer'): ProtectedCard | null;
  customer: Customer;
  /** The moment by the clock of the adapter and the fake. */
  now(): Date;
  /** Moves both clocks. */
  advanceMs(ms: number): Promise<void>;
  /** Commands the fake; `hits` tells how many requests its outage has hit. Nothing for what has no fake. */
  control(control: Control): Promise<Record<string, unknown>>;
  /** The money that moved, by the processor's journal: ours and foreign. */
  money(): Promise<MoneyLine[]>;
  /** The webhooks that the processor made so far, delivered or not. */
  webhooks(): Promise<SentNotice[]>;
  /** Somebody takes money on `connection`'s account without us. */
  chargeElsewhere(amountMinor: number): Promise<void>;
  /** What becomes of the money of those who pay from now on. */
  setMoney(way: MoneyWay): Promise<void>;
  /** What the processor does in its own time, such as paying out refunds, is done now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

/** A text that stands in what a processor says, and another that takes its place. */
export type Restatement = readonly [from: string, to: string];

/** A processor whose fake the service itself can be set on: what whole journeys need beside the contract. */
export type LiveRig = Rig & {
  /** Where its API is. */
  fakeUrl: string;
  /** Tells it where the webhooks of `connection`'s account go; nothing for one that hears it with each payment. */
  hearAt(url: string): Promise<void>;
  /** A webhook as it would come if the processor said something else; given by its place among `webhooks`. */
  restate(place: number, texts: readonly Restatement[]): Promise<Pick<SentNotice, 'headers' | 'body'>>;
  /** Takes the money of an attempt on `connection`'s account, whether or not it was given up. */
  chargeAnyway(attemptId: string): Promise<void>;
  /** Somebody gives money of an attempt back in the processor's own dashboard. */
  refundElsewhere(attemptId: string, amountMinor: number): Promise<void>;
  /** Such a refund comes back from the customer's bank. */
  failElsewhere(attemptId: string): Promise<void>;
};

/** A processor under test: what is known before it is started, and how it is. */
export type RigMaker<Kind extends Rig = Rig> = { name: string; features: Features; start(): Promise<Kind> };

/** A connection as it is opened for one call, of a new company. */
export function newConnection(credentials: Record<string, string>, mode: Mode = 'test'): ProcessorConnection {
  const companyId = newCompanyId();
  return { connectionId: newConnectionId(companyId), companyId, mode, credentials };
}

export const linkLifeMs = 60 * 60 * 1000;

/** A new attempt to pay on a connection. Its addresses are the merchant's, where nobody is. */
export function newRequest(
  rig: Pick<Rig, 'now' | 'cardFor'>,
  connection: ProcessorConnection,
  changes: Partial<AuthoriseRequest> = {},
): AuthoriseRequest {
  const at = rig.now();
  const linkCode = newLinkCode(connection.companyId);
  return {
    companyId: connection.companyId,
    attemptId: newId('att', at),
    processorReference: null,
    amountMinor: 1999,
    currency: 'EUR',
    linkCode,
    customerOrderId: `order-${randomBase32(8)}`,
    description: 'Two chairs & a table',
    merchantName: 'Möbel <Müller>',
    customer: { email: 'ada@shop.example', firstName: 'Ada', lastName: 'Lovelace', country: 'DE' },
    locale: 'de-DE',
    returnUrl: `https://pay.example/pay/${linkCode}/return`,
    cancelUrl: `https://pay.example/pay/${linkCode}/cancel`,
    createdAt: at,
    expiresAt: new Date(at.getTime() + linkLifeMs),
    card: rig.cardFor('pay'),
    ...changes,
  };
}

/** A text with others in place of some. */
export const restateText = (text: string, texts: readonly Restatement[]): string =>
  texts.reduce((said, [from, to]) => said.replaceAll(from, to), text);

/** A webhook of a fake that signs it, as it would come if it said something else. */
export async function restateSigned(
  fake: Pick<RunningFake, 'webhooks' | 'signAs'>,
  place: number,
  texts: readonly Restatement[],
): Promise<Pick<SentNotice, 'headers' | 'body'>> {
  const body = restateText((await fake.webhooks())[place]?.body ?? '', texts);
  return { body, headers: await fake.signAs(place, body) };
}

/** A request as it is asked about later, once the processor has said its reference. */
export function withReference<Request extends AuthoriseRequest>(
  request: Request,
  outcome: AttemptOutcome,
): Request {
  return 'reference' in outcome ? { ...request, processorReference: outcome.reference } : request;
}

/** What a webhook brings whose address proves nothing, and that may cause any call. */
export const unproven = { provenAttemptId: null, mayAsk: () => true };
