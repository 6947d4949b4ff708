// The types of a fake's control API, shared by fakes and tests. Must not: import code of the service.

/** How a request fails. `isPerformed`: the action is still performed, and only the response is lost. */
export type Fault =
  /** Nothing listens at the address until the next command about an outage. */
  | { kind: 'refuse' }
  | { kind: 'status'; status: number; isPerformed: boolean; body?: object }
  | { kind: 'hang'; isPerformed: boolean }
  | { kind: 'reset'; isPerformed: boolean }
  /** Performs the action, and destroys the connection after half of the response. */
  | { kind: 'half' }
  /** Performs the action, and changes fields of the response. A path is `a.b.0.c`; missing ones are ignored. */
  | { kind: 'rewrite'; changes: { path: string; to: unknown }[] }
  /** Responds with 200 and an HTML page. */
  | { kind: 'garbage'; isPerformed: boolean }
  /** Waits before or after the action, and then responds. */
  | { kind: 'slow'; delayMs: number; waits: 'before' | 'after' };

export type Outage = {
  fault: Fault;
  /** The affected requests. Default: `api`. */
  on?: 'api' | 'pages' | 'all';
  /** Only requests of this route, in the fake's spelling: `POST /v1/refunds/:id/cancel`. */
  route?: string;
  /** After how many requests it ends. Default: never. */
  times?: number;
};

export type WebhookControl = {
  /** When off, webhooks are recorded and signed, but not sent. */
  isOn: boolean;
  delayMs: number;
  /** How often each is sent. */
  copies: number;
  /** Holds all webhooks. Afterwards they are sent one by one, in the order of `isReversed`. */
  isHeld: boolean;
  isReversed: boolean;
  /** The delays before each retry after a response other than 2xx. */
  retryDelaysMs: number[];
};

/** The body of `POST /__control`; omitted settings stay unchanged. */
export type Control = {
  /** Null ends the current one. */
  outage?: Outage | null;
  webhooks?: Partial<WebhookControl>;
  /** Moves the fake's clock ahead. */
  advanceMs?: number;
  /** A command that only this fake understands. */
  command?: object;
  /** Ends outages and resets the webhook settings; moved money stays. */
  reset?: true;
};

/** Moved money, in every fake's journal. Lines of other types belong to one fake. */
export type MoneyLine = {
  type: 'charge' | 'refund';
  /** Our key in the request: the attempt's or the refund's ID. Null for foreign money. */
  key: string | null;
  reference: string;
  /** For a refund: the reference of the charge. */
  chargeReference: string | null;
  /** For a charge: our link code in the request, if any. */
  linkCode: string | null;
  /** The account at the processor. */
  account: string;
  amountMinor: number;
  currency: string;
};

/** A webhook as `GET /__webhooks` shows it: one entry for each copy. */
export type SentWebhook = {
  /** The target address; null when none was set. */
  url: string | null;
  /** Names in lower case; signed for the last attempt, or for the first if there was none. */
  headers: Record<string, string>;
  body: string;
  attempts: number;
  /** The status of the last attempt; null without an attempt or a response. */
  status: number | null;
};
