// The interface between the contract and a processor under test: how to call it, play its customer, make it fail, and
// read its journal.

import { newCompanyId, newConnectionId, newId, newLinkCode, randomBase32 } from '../../../src/base/ids.ts';
import type { ProtectedCard } from '../../../src/processors/card.ts';
import type {
  AttemptOutcome,
  AuthoriseRequest,
  Mode,
  ProcessorConnection,
  ProcessorKind,
} from '../../../src/processors/processor.ts';
import type { Control, MoneyLine, SentWebhook } from './control.ts';
import type { Customer } from './customer.ts';
import type { RunningFake } from './start-fake.ts';

/** A field of a response that shows whether the response is about the requested object. */
export type IdentifyingField = {
  name: string;
  /** Whether responses about a payment or about a new refund have it. */
  on: 'payment' | 'refund';
  /** The fake's route whose responses have it, and its path there: `a.b.0.c`. */
  route: string;
  path: string;
  /** A value of another object; a function if it depends on the request. */
  to: unknown;
  /** The response to the creation does not have it yet. */
  isLater?: true;
};

/** The IDs of a request. */
export type RequestIds = { attemptId: string; companyId: string; connectionId: string; refundId: string };

/** What happens when a customer pays: full capture, partial capture, or a pending status of `Features.waits`. */
export type CaptureResult = 'whole' | { partMinor: number } | { waits: string };

/** The differences between processors that the interface allows. */
export type Features = {
  /** The customer approves, and `capture` captures. */
  capturesSeparately: boolean;
  /** Whether a decline ends the attempt. If not, the customer can try again on the processor's page. */
  declineEnds: boolean;
  /** Whether the attempt ends when the customer turns back on the processor's page. */
  turningBack: 'ends' | 'stays' | 'none';
  /** Whether `cancel` can void an attempt that waits for the customer. */
  cancelsOpen: boolean;
  /** Whether it can be queried by our key. If not, a query without a reference starts the attempt. */
  findsByKey: boolean;
  /** Whether the processor itself ends a session at `expiresAt`. */
  expires: boolean;
  /** Whether webhooks are signed. For unsigned ones the adapter queries the processor. */
  webhooks: 'signed' | 'unsigned' | 'none';
  /** From which age a signed webhook is forged. Default: a day. */
  webhookLifeMs?: number;
  /** Whether it is called over a network, so that outages apply. */
  isRemote: boolean;
  /** The statuses in which the customer has paid and the money is still pending. */
  waits: readonly string[];
  /** Whether it can capture partially. */
  takesPart: boolean;
  /** All identifying fields of its responses. */
  identifyingFields: readonly IdentifyingField[];
  /** The most entries of a list page, so that the tests fill two; null: too many. */
  pageSize: number | null;
};

export type Rig = {
  kind: ProcessorKind;
  connection: ProcessorConnection;
  /** Another company's account at the same processor. */
  otherConnection: ProcessorConnection;
  /** Another company's connection to the account of `connection`. */
  sameAccountConnection: ProcessorConnection;
  /** Connections with one invalid credential, and the field that `check` must name. One must be `isUnknownAccount`. */
  invalidConnections: readonly {
    field: string;
    connection: ProcessorConnection;
    isUnknownAccount?: boolean;
  }[];
  /** The fake's routes, in its spelling. */
  routes: { authorise: string; capture: string | null; refund: string } | null;
  /** The card for a scenario; null for a processor with its own page. */
  cardFor(scenario: 'pay' | 'decline' | 'challenge' | 'lose_answer' | 'never_answer'): ProtectedCard | null;
  customer: Customer;
  /** The time of the adapter's and the fake's clock. */
  now(): Date;
  /** Moves both clocks. */
  advanceMs(ms: number): Promise<void>;
  /** Sends a command to the fake; `hits` is the number of requests that the outage hit. */
  control(control: Control): Promise<Record<string, unknown>>;
  /** All moved money, by the processor's journal. */
  money(): Promise<MoneyLine[]>;
  /** All webhooks so far, delivered or not. */
  webhooks(): Promise<SentWebhook[]>;
  /** Creates a charge on `connection`'s account without Paylink. */
  createForeignCharge(amountMinor: number): Promise<void>;
  /** Sets what happens when customers pay from now on. */
  setCaptureResult(way: CaptureResult): Promise<void>;
  /** Completes what is pending at the processor, such as refunds. */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

/** A text in a webhook, and its replacement. */
export type Replacement = readonly [from: string, to: string];

/** A rig whose fake can serve the whole service: the additional functions for journeys. */
export type LiveRig = Rig & {
  /** The address of its API. */
  fakeUrl: string;
  /** Sets where webhooks of `connection`'s account go, unless each payment has the address. */
  setWebhookUrl(url: string): Promise<void>;
  /** The webhook at an index of `webhooks`, authentic but with replaced texts. */
  rewrite(place: number, texts: readonly Replacement[]): Promise<Pick<SentWebhook, 'headers' | 'body'>>;
  /** Captures an attempt on `connection`'s account, even a cancelled one. */
  forceCapture(attemptId: string): Promise<void>;
  /** Refunds an attempt in the processor's dashboard. */
  createExternalRefund(attemptId: string, amountMinor: number): Promise<void>;
  /** The customer's bank returns the external refunds of an attempt. */
  failExternalRefunds(attemptId: string): Promise<void>;
};

/** A processor under test, before its start. */
export type RigMaker<Kind extends Rig = Rig> = { name: string; features: Features; start(): Promise<Kind> };

/** An opened connection of a new company. */
export function newConnection(credentials: Record<string, string>, mode: Mode = 'test'): ProcessorConnection {
  const companyId = newCompanyId();
  return { connectionId: newConnectionId(companyId), companyId, mode, credentials };
}

export const linkLifeMs = 60 * 60 * 1000;

/** A new attempt on a connection. Nothing listens at its addresses. */
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
    items: [],
    merchantName: 'Möbel <Müller>',
    statementDescriptor: 'MOEBEL*MUELLER 24.DE',
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

const replaceTexts = (text: string, texts: readonly Replacement[]): string =>
  texts.reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);

/** A webhook with replaced texts, signed by its fake. */
export async function signReplaced(
  fake: Pick<RunningFake, 'webhooks' | 'signAs'>,
  place: number,
  texts: readonly Replacement[],
): Promise<Pick<SentWebhook, 'headers' | 'body'>> {
  const body = replaceTexts((await fake.webhooks())[place]?.body ?? '', texts);
  return { body, headers: await fake.signAs(place, body) };
}

/** The request for later calls, with the processor's reference. */
export function withReference<Request extends AuthoriseRequest>(
  request: Request,
  outcome: AttemptOutcome,
): Request {
  return 'reference' in outcome ? { ...request, processorReference: outcome.reference } : request;
}

/** A webhook with an unproven address, which may cause any call. */
export const unproven = { provenAttemptId: null, mayAsk: () => true };
