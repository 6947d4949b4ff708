// What a fake is told to do wrong, and what it tells about itself: the shapes of its control plane, shared
// by the fakes and by the tests. Types only: it must never import anything of the service.

/**
 * How a request goes wrong. `does`: whether what was asked for is done all the same, so that only the answer
 * is lost.
 */
export type Fault =
  /** Nothing listens at the address any more. Ends with the next command that names an outage, or none. */
  | { kind: 'refuse' }
  | { kind: 'status'; status: number; does: boolean; body?: object }
  | { kind: 'hang'; does: boolean }
  | { kind: 'reset'; does: boolean }
  /** Does it, and destroys the connection after half of the answer. */
  | { kind: 'half' }
  /** Does it, and answers with other values in some fields. A path is `a.b.0.c`; one that is not there is left alone. */
  | { kind: 'restate'; changes: { path: string; to: unknown }[] }
  /** Answers 200 with a page of HTML. */
  | { kind: 'garbage'; does: boolean }
  /** Waits, before it does what was asked for or after that, and then answers. */
  | { kind: 'slow'; delayMs: number; waits: 'before' | 'after' };

export type Outage = {
  fault: Fault;
  /** Which requests it hits. Default: those of the API. */
  on?: 'api' | 'pages' | 'all';
  /** Only those of one route, as the fake writes it: `POST /v1/refunds/:id/cancel`. */
  route?: string;
  /** How many requests it hits before it is over. Default: all, until told otherwise. */
  times?: number;
};

export type WebhookControl = {
  /** When off, webhooks are noted and signed, and never sent. */
  isOn: boolean;
  delayMs: number;
  /** How often each is sent. */
  copies: number;
  /** Keeps them all back. Once it ends they go out one after the other, in the order of `isReversed`. */
  isHeld: boolean;
  isReversed: boolean;
  /** The waits before each further try of one that was not answered by 2xx. */
  retryDelaysMs: number[];
};

/** What `POST /__control` takes; what is left out stays as it is. */
export type Control = {
  /** Null ends the one that holds. */
  outage?: Outage | null;
  webhooks?: Partial<WebhookControl>;
  /** Moves the fake's clock ahead. */
  advanceMs?: number;
  /** Something that only this fake understands: answered by its `command`. */
  command?: object;
  /** Ends outages, and sets webhooks back to normal. What happened to money stays. */
  reset?: true;
};

/** Money that moved, as every fake writes it down. Lines of other types are a fake's own. */
export type MoneyLine = {
  type: 'charge' | 'refund';
  /** Our key, as the fake was told it: the attempt's or the refund's id. Null for what is none of ours. */
  key: string | null;
  reference: string;
  /** For a refund: the reference of the charge. */
  chargeReference: string | null;
  /** For a charge: our link code, as the fake was told it beside the money. Null where it was told of none. */
  linkCode: string | null;
  /** Whose account at the processor. */
  account: string;
  amountMinor: number;
  currency: string;
};

/** A webhook as `GET /__webhooks` shows it: one entry for each copy. */
export type SentNotice = {
  /** Where it goes; null when nobody said where. */
  url: string | null;
  /** Names in lower case, as they were signed for the last try, or for the first when there was none. */
  headers: Record<string, string>;
  body: string;
  tries: number;
  /** What the last try was answered; null when there was none, or no answer. */
  status: number | null;
};
