// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.

/** A parameter of the query that the service reads from text. */
export type QueryText = string | number | boolean | Date;

/** A body that is a file: it is sent as it is. */
export type FileBody = Blob | Uint8Array<ArrayBuffer> | string;

export type AcceptInvitationRequest = {
  /** The token of the invitation */
  token: string;
  /** At least 12 characters, 5 of them different; not the e-mail address, and none of the most common passwords */
  password: string;
};

/** The account is made; log in with it */
export type AcceptInvitationResponse = {
  /** Account identifier */
  accountId: string;
  /** Account e-mail address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** Company identifier */
  companyId: string;
};

export type AcceptPasswordResetRequest = {
  /** The token behind the # of the link */
  token: string;
  /** At least 12 characters, 5 of them different; not the e-mail address, and none of the most common passwords */
  password: string;
};

/** Whose credentials these are */
export type Account = {
  /** Account identifier */
  accountId: string;
  /** Account e-mail address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** Company identifier */
  companyId: string;
  /** What customers see as the payee */
  companyName: string;
  /** The session of the token of this call */
  sessionId: string;
};

export type AccountSession = {
  /** Identification of the session */
  sessionId: string;
  /** browser: somebody signed in with one; token: a program logged in */
  kind: 'browser' | 'token';
  /** When it was opened by a login; RFC 3339, UTC */
  createdAt: string;
  /** When it ends, whatever happens; RFC 3339, UTC */
  expiresAt: string;
  /** Whether this call is made in it */
  isCurrent: boolean;
};

/** The sessions of the account that are good, the newest first */
export type AccountSessionList = {
  data: AccountSession[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type AddPasskeyRequest = {
  /** What people call it */
  name: string;
  /** toJSON() of what navigator.credentials.create gave */
  response: {
    /** The credential, as the device names it */
    id: string;
    /** The same */
    rawId: string;
    type: 'public-key';
    clientExtensionResults?: Record<string, unknown> | undefined;
    authenticatorAttachment?: string | null | undefined;
    response: {
      /** What the browser says */
      clientDataJSON: string;
      /** What the device says */
      attestationObject: string;
      transports?: string[] | undefined;
      /** Part of attestationObject */
      authenticatorData?: string | undefined;
      /** Part of attestationObject */
      publicKey?: string | undefined;
      publicKeyAlgorithm?: number | undefined;
    };
  };
};

/** The passkey, which may sign in from now on */
export type AddPasskeyResponse = {
  /** Identification of the passkey */
  passkeyId: string;
  /** What people call it */
  name: string;
  /** When it was added; RFC 3339, UTC */
  createdAt: string;
  /** Ten, shown this once, with the first factor; null: the account has some */
  recoveryCodes: string[] | null;
};

/** The key, without its secret */
export type ApiKey = {
  /** Identification of the key; no secret */
  keyId: string;
  /** What people call it */
  name: string;
  /** Whether it moves real money */
  mode: 'test' | 'live';
  /** expiring: it was rolled and is good until expiresAt. Expired and revoked keys are refused */
  status: 'active' | 'expiring' | 'expired' | 'revoked';
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it, or system */
  createdBy: string;
  /** When a key that was rolled ends; RFC 3339, UTC */
  expiresAt: string | null;
  /** When it was revoked; RFC 3339, UTC */
  revokedAt: string | null;
};

/** The keys, the newest first */
export type ApiKeyList = {
  data: ApiKey[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

/** The new key; this answer and the login show it */
export type ApiKeyWithSecret = {
  /** Identification of the key; no secret */
  keyId: string;
  /** What people call it */
  name: string;
  /** Whether it moves real money */
  mode: 'test' | 'live';
  /** expiring: it was rolled and is good until expiresAt. Expired and revoked keys are refused */
  status: 'active' | 'expiring' | 'expired' | 'revoked';
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it, or system */
  createdBy: string;
  /** When a key that was rolled ends; RFC 3339, UTC */
  expiresAt: string | null;
  /** When it was revoked; RFC 3339, UTC */
  revokedAt: string | null;
  /** The key itself, for X-API-KEY */
  key: string;
};

export type AskPasswordResetRequest = {
  /** Account e-mail address */
  email: string;
};

/** The attempt as it stands now */
export type Attempt = {
  /** Identification of the attempt */
  attemptId: string;
  status: 'created' | 'requires_action' | 'processing' | 'unknown' | 'succeeded' | 'declined' | 'cancelled';
  processor: string;
  /** Amount in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  /** Brand of the card */
  cardBrand: string | null;
  /** Last 4 digits of the card */
  cardLast4: string | null;
  /** Why it took no money */
  declineCode: string | null;
  /** Date created; RFC 3339, UTC */
  CreatedOn: string;
};

export type AttemptData = {
  payment: Payment;
  attempt: Attempt;
};

export type AttemptEscalatedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'attempt.escalated';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: AttemptData;
};

export type AttemptResolvedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'attempt.resolved';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: AttemptData;
};

export type AttemptUnknownMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'attempt.unknown';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: AttemptData;
};

export type AuditEvent = {
  /** Identification of the event; the same each time it is told */
  id: string;
  /** What happened */
  type: string;
  /** When; RFC 3339, UTC */
  createdAt: string;
  /** Who did it: customer, account:<id>, processor:<name>, job:<name> or system */
  actor: string;
  /** The payment that it is about */
  PaymentLinkCode: string | null;
  /** The attempt that it is about */
  attemptId: string | null;
  /** The refund that it is about */
  refundId: string | null;
  /** The version of the payment that it made; null when it left the payment as it was */
  version: number | null;
  /** What changed */
  data: Record<string, unknown>;
  /** The address of the account that did it; null when it was no person */
  actorEmail: string | null;
  /** The mode of what it is about, which is that of the credentials that did it; null for what is about the company itself */
  mode: 'test' | 'live' | null;
};

/** All events of the payment, its attempts and its refunds, oldest first */
export type AuditEventList = {
  data: AuditEvent[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type Balance = {
  account: 'processor' | 'merchant' | 'refunds' | 'fees' | 'suspense';
  /** ISO 4217 code */
  currency: string;
  /** Debits less credits, in major units */
  balance: number;
};

/** Each account that was ever posted to, in each of its currencies */
export type BalanceList = {
  data: Balance[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type BankLine = {
  /** Identification of the line */
  id: string;
  /** Statement that contained the line first */
  statementId: string;
  /** Position in that file, from 1 */
  position: number;
  /** credit: incoming money */
  direction: 'credit' | 'debit';
  /** Whether it returns an earlier movement */
  isReturn: boolean;
  /** In major units, as in the file */
  amount: string;
  /** ISO 4217 code */
  currency: string;
  /** IBAN of your account */
  accountIban: string | null;
  /** Booking date */
  bookedOn: string | null;
  /** Name of the sender or recipient */
  counterpartyName: string | null;
  /** IBAN of the sender or recipient */
  counterpartyIban: string | null;
  /** Remittance information */
  remittance: string;
  /** Reference of the bank */
  bankReference: string | null;
  /** Reference of the sender */
  endToEndId: string | null;
  /** Creditor references (ISO 11649) found in the line */
  references: string[];
  /** Return reason, as in the file */
  returnReason: string | null;
  /** new: not matched yet; review: needs a decision by a person */
  status: 'new' | 'matched' | 'review' | 'ignored' | 'resolved';
  /** Why it needs a review or is ignored */
  reason: 'not_booked' | 'other_currency' | 'no_money' | 'other_account' | 'outgoing' | 'no_reference' | 'unknown_reference' | 'several_references' | 'batch_unclear' | 'maybe_duplicate' | 'returned' | 'refund_returned' | 'refund_amount_differs' | 'refund_not_waiting' | 'surplus_again' | 'too_large' | null;
  /** Attempt that it belongs to */
  attemptId: string | null;
  /** Refund that it belongs to */
  refundId: string | null;
  /** How it was matched */
  matchedBy: 'reference' | 'person' | null;
  /** Actor that resolved it */
  resolvedBy: string | null;
  /** Note of the person */
  note: string | null;
  /** The only open transfer with this amount and a similar customer name. Confirm it by matching the line */
  suggestion: BankLineSuggestion | null;
};

/** Lines of statements, newest first */
export type BankLineList = {
  data: BankLine[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type BankLineSuggestion = {
  /** Reference to match the line with */
  reference: string;
  PaymentLinkCode: string;
  customerOrderId: string;
  customerName: string;
};

export type BankRefund = {
  /** Identification of the refund */
  refundId: string;
  /** Payment that is refunded */
  PaymentLinkCode: string;
  /** Order of the payment */
  customerOrderId: string;
  /** waiting: you have to send it */
  status: 'waiting' | 'sent' | 'failed';
  /** Amount to send, in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  /** Recipient: the sender of the money; null if the bank did not report it */
  name: string | null;
  /** IBAN of the recipient; null if the bank did not report it */
  iban: string | null;
  /** Reference to put on the transfer, so that your statement identifies it */
  reference: string;
  /** Actor that ended it */
  endedBy: string | null;
  /** Note of the person */
  note: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** When it ended; RFC 3339, UTC */
  endedAt: string | null;
};

/** Refunds by bank transfer, newest first */
export type BankRefundList = {
  data: BankRefund[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type BankStatement = {
  /** Identification of the statement */
  id: string;
  /** Mode of the API key that imported it */
  mode: 'test' | 'live';
  /** ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment */
  kind: 'camt.052' | 'camt.053' | 'camt.054';
  /** Version of the message type */
  version: string;
  /** Message ID assigned by the bank */
  messageId: string;
  /** Size of the file in bytes */
  bytes: number;
  /** Number of lines */
  lines: number;
  /** Lines that an earlier statement already contained */
  duplicates: number;
  /** Lines without a status (Sts). They count as booked in a camt.053, and in a camt.054 if they have a booking date */
  statusAssumed: number;
  /** Lines that are not matched yet */
  matching: number;
  /** Lines matched with a transfer or a refund */
  matched: number;
  /** Lines that need a review */
  waiting: number;
  /** Lines that concern no payment */
  ignored: number;
  /** Lines resolved by a person */
  resolved: number;
  /** When it was imported; RFC 3339, UTC */
  createdAt: string;
  /** Actor that imported it */
  createdBy: string;
};

export type BankStatementImport = {
  /** Identification of the statement */
  id: string;
  /** Mode of the API key that imported it */
  mode: 'test' | 'live';
  /** ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment */
  kind: 'camt.052' | 'camt.053' | 'camt.054';
  /** Version of the message type */
  version: string;
  /** Message ID assigned by the bank */
  messageId: string;
  /** Size of the file in bytes */
  bytes: number;
  /** Number of lines */
  lines: number;
  /** Lines that an earlier statement already contained */
  duplicates: number;
  /** Lines without a status (Sts). They count as booked in a camt.053, and in a camt.054 if they have a booking date */
  statusAssumed: number;
  /** Lines that are not matched yet */
  matching: number;
  /** Lines matched with a transfer or a refund */
  matched: number;
  /** Lines that need a review */
  waiting: number;
  /** Lines that concern no payment */
  ignored: number;
  /** Lines resolved by a person */
  resolved: number;
  /** When it was imported; RFC 3339, UTC */
  createdAt: string;
  /** Actor that imported it */
  createdBy: string;
  /** False if the same file was imported before and nothing changed */
  isNew: boolean;
};

/** Statements, newest first */
export type BankStatementList = {
  data: BankStatement[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

/** The secret, which is not shown again; it counts once it is confirmed */
export type BeginTotpResponse = {
  /** For an app that it is typed into: base 32 (RFC 4648) */
  secret: string;
  /** For an app that reads it from a QR code */
  uri: string;
};

export type Branding = {
  /** Colour of the buttons on the hosted pages; null: the colour of the house */
  color: string | null;
  /** A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none */
  logo: string | null;
};

export type Case = {
  /** The payment it belongs to */
  PaymentLinkCode: string;
  /** The attempt that waits, or whose money does */
  attemptId: string;
  /** The refund that waits; null when the attempt does */
  refundId: string | null;
  /** failed: the processor refuses to send back what nobody owed; succeeded, declined, cancelled: money that can’t be accounted for */
  status: 'created' | 'requires_action' | 'processing' | 'unknown' | 'failed' | 'succeeded' | 'declined' | 'cancelled';
  processor: string;
  /** The processor’s own reference, when it gave one */
  processorReference: string | null;
  /** Amount in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  /** Why the processor refused the refund */
  failureCode: string | null;
  /** When the attempt or refund began; RFC 3339, UTC */
  CreatedOn: string;
  /** When it was handed to a person; RFC 3339, UTC */
  escalatedAt: string;
};

/** What a person has to look at, longest first */
export type CaseList = {
  data: Case[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type ChangeCompanyRequest = {
  /** What customers see as the payee */
  name?: string | undefined;
  /** ISO 3166-1 alpha-2; the country of phone numbers that name none */
  country?: string | undefined;
  branding?: {
    /** Colour of the buttons on the hosted pages; null: the colour of the house. White text on it needs a contrast of 4.5 */
    color?: string | null | undefined;
    /** A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none */
    logo?: string | null | undefined;
  } | undefined;
  /** After which declines a customer may try again on the same link */
  retryPolicy?: 'none' | 'fixable' | 'all' | undefined;
  /** Of which mode the API key is that a login returns where it names none; live needs a live key */
  loginMode?: 'test' | 'live' | undefined;
  /** Origins that success_url and failure_url may have; empty: any */
  allowedOrigins?: string[] | undefined;
  mail?: {
    /** Whether customers get a receipt by mail after a payment and after a refund */
    receipts?: boolean | undefined;
    /** Whether the company gets a mail about each payment */
    notices?: boolean | undefined;
    /** Where that mail goes, and word of a webhook endpoint that was switched off; null: to the owner who has been there longest */
    noticeAddress?: string | null | undefined;
    /** Where answers to mail go; null: nowhere in particular */
    replyTo?: string | null | undefined;
    /** How many hours before its end an unpaid link is brought to the customer’s mind, once; null: never */
    reminderHours?: number | null | undefined;
  } | undefined;
};

export type ChangeMemberRequest = {
  /** The roles that replace all those before */
  roles: ('owner' | 'admin' | 'developer' | 'support' | 'viewer')[];
};

export type ChangePasswordRequest = {
  /** Account password */
  currentPassword: string;
  /** At least 12 characters, 5 of them different; not the e-mail address, and none of the most common passwords */
  newPassword: string;
};

/** The company */
export type Company = {
  /** Company identifier */
  companyId: string;
  /** What customers see as the payee */
  name: string;
  /** ISO 3166-1 alpha-2; the country of phone numbers that name none */
  country: string;
  branding: Branding;
  /** After which declines a customer may try again on the same link */
  retryPolicy: 'none' | 'fixable' | 'all';
  /** Of which mode the API key is that a login returns where it names none; live needs a live key */
  loginMode: 'test' | 'live';
  /** Origins that success_url and failure_url may have; empty: any */
  allowedOrigins: string[];
  mail: EmailSettings;
};

export type ConfirmTotpRequest = {
  /** What the authenticator app shows */
  otp: string;
};

/** The app is asked for from now on */
export type ConfirmTotpResponse = {
  /** Ten, shown this once, with the first factor; null: the account has some */
  recoveryCodes: string[] | null;
};

/** What was paid in the span, by the ledger, whenever the link was created */
export type CountAndAmount = {
  /** How many */
  count: number;
  /** What they come to, in major units */
  amount: number;
};

export type CreateApiKeyRequest = {
  /** What people call it */
  name?: string | undefined;
  /** Without it: that of the key of this call. live is for owners and admins */
  mode?: 'test' | 'live' | undefined;
};

export type CreateProcessorConnectionRequest = {
  /** A name of `GET /v1/processors` */
  processor: string;
  /** What your own people call it */
  name?: string | undefined;
  /** In which currencies customers are offered it */
  currencies?: ('USD' | 'EUR')[] | undefined;
  /** Where it stands among what customers are offered; the least first */
  position?: number | undefined;
  /** Whether customers are offered it */
  enabled?: boolean | undefined;
  /** By the names that `GET /v1/processors` lists for it. A secret is never shown again */
  credentials?: Record<string, string> | undefined;
};

export type CreateWebhookEndpointRequest = {
  /** URL that receives POST requests: a public host, https in live mode */
  url: string;
  /** Event types, or ["*"] for all types, including future ones */
  events: string[];
  /** For your records */
  description?: string | null | undefined;
};

export type CurrencyOverview = {
  /** ISO 4217 code */
  currency: string;
  paid: CountAndAmount;
  /** What was given back in the span, by the ledger; money that nobody owed is not in it */
  refunded: CountAndAmount;
  /** Links that were created in the span; each is one of the five below */
  created: CountAndAmount;
  /** Those of them that are paid by now */
  converted: CountAndAmount;
  /** Those of them that can be paid still, or are being paid */
  open: CountAndAmount;
  /** Those of them that have failed */
  failed: CountAndAmount;
  /** Those of them whose time is up */
  expired: CountAndAmount;
  /** Those of them that were cancelled */
  cancelled: CountAndAmount;
  /** converted.count divided by created.count, from 0 to 1; null where no link was created in the span */
  conversion: number | null;
  /** Every hour of the day that has begun, or every day */
  series: OverviewSlot[];
};

/** Who is signed in with the cookie */
export type CurrentSession = {
  /** null: nobody is signed in */
  session: Session | null;
};

export type EmailSettings = {
  /** Whether customers get a receipt by mail after a payment and after a refund */
  receipts: boolean;
  /** Whether the company gets a mail about each payment */
  notices: boolean;
  /** Where that mail goes, and word of a webhook endpoint that was switched off; null: to the owner who has been there longest */
  noticeAddress: string | null;
  /** Where answers to mail go; null: nowhere in particular */
  replyTo: string | null;
  /** How many hours before its end an unpaid link is brought to the customer’s mind, once; null: never */
  reminderHours: number | null;
};

export type EndpointData = {
  endpoint: WebhookEndpointSummary;
};

export type Event = {
  /** Identification of the event; the same each time it is told */
  id: string;
  /** What happened */
  type: string;
  /** When; RFC 3339, UTC */
  createdAt: string;
  /** Who did it: customer, account:<id>, processor:<name>, job:<name> or system */
  actor: string;
  /** The payment that it is about */
  PaymentLinkCode: string | null;
  /** The attempt that it is about */
  attemptId: string | null;
  /** The refund that it is about */
  refundId: string | null;
  /** The version of the payment that it made; null when it left the payment as it was */
  version: number | null;
  /** What changed */
  data: Record<string, unknown>;
};

/** Public events, oldest first */
export type EventFeed = {
  data: Event[];
  /** Give it as after to go on; it is always there */
  nextCursor: string;
};

export type FieldError = {
  field: string;
  code: string;
  detail: string;
};

/** The key set */
export type GetKeySetResponse = {
  keys: Record<string, string>[];
};

/** It is */
export type Health = {
  status: string;
};

export type Invitation = {
  /** Identification of the invitation */
  invitationId: string;
  /** Who is invited */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** The account that invited */
  invitedBy: string;
  /** When it was made; RFC 3339, UTC */
  createdAt: string;
  /** When it ends; RFC 3339, UTC */
  expiresAt: string;
};

/** The invitations that can still be accepted, the oldest first */
export type InvitationList = {
  data: Invitation[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

/** The invitation; its link is shown this once */
export type InvitationWithLink = {
  /** Identification of the invitation; no secret */
  invitationId: string;
  /** The link to accept; what stands after # is the token */
  url: string;
  /** When the invitation ends; RFC 3339, UTC */
  expiresAt: string;
  /** Whether the link is mailed; false: the service has no mail server, so pass the link on yourself */
  isMailed: boolean;
};

export type InviteMemberRequest = {
  /** Whom to invite */
  email: string;
  /** Roles of the account that it will make */
  roles: ('owner' | 'admin' | 'developer' | 'support' | 'viewer')[];
};

export type LedgerEntry = {
  /** Identification of the entry */
  entryId: string;
  kind: 'capture' | 'refund' | 'surplus' | 'surplus_refund' | 'refund_reversal' | 'surplus_refund_reversal';
  debitAccount: 'processor' | 'merchant' | 'refunds' | 'fees' | 'suspense';
  creditAccount: 'processor' | 'merchant' | 'refunds' | 'fees' | 'suspense';
  /** What moved, in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  /** The payment that it belongs to */
  PaymentLinkCode: string;
  /** The attempt (att_…) or refund (ref_…) whose money moved */
  sourceId: string;
  /** When it was posted; RFC 3339, UTC */
  CreatedOn: string;
};

/** Entries of the ledger, oldest first unless asked for otherwise */
export type LedgerEntryList = {
  data: LedgerEntry[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type LogInRequest = {
  /** Account e-mail address */
  email: string;
  /** Account password */
  password: string;
  /** Which API key to return; without it, that of the company’s loginMode */
  mode?: 'test' | 'live' | undefined;
  /** What the authenticator app shows */
  otp?: string | undefined;
  /** A recovery code, in place of otp */
  recoveryCode?: string | undefined;
};

/** The account is authenticated; the headers carry the credentials for later calls */
export type LogInResponse = {
  /** Account e-mail address */
  email: string;
  /** Account identifier */
  accountId: string;
  /** Roles of the account */
  roles: string[];
  /** Bearer token for later calls, good for 60 minutes */
  token: string;
  /** Path to redirect to after login */
  redirectPath: string;
  /** When the token ends; RFC 3339, UTC */
  expiresAt: string;
  /** That of the API key in the header: whether it moves real money */
  mode: 'test' | 'live';
};

export type MailFailedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'mail.failed';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

/** The codes; those of before have ended */
export type MakeRecoveryCodesResponse = {
  /** Ten, shown this once; each is good once */
  recoveryCodes: string[];
};

/** The member */
export type Member = {
  /** Account identifier */
  accountId: string;
  /** Account e-mail address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** When the account was made; RFC 3339, UTC */
  createdAt: string;
};

/** The members, the oldest first */
export type MemberList = {
  data: Member[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type OrderProcessorConnectionsRequest = {
  /** All connections of the mode, in the order in which customers are offered them */
  connectionIds: string[];
};

/** How business stands */
export type Overview = {
  /** When the first of the days began; RFC 3339, UTC */
  from: string;
  /** Now; RFC 3339, UTC */
  to: string;
  /** As it was asked for */
  timeZone: string;
  /** Of which mode all of it is */
  mode: 'test' | 'live';
  /** Each currency in which a link was created or money moved in the span */
  currencies: CurrencyOverview[];
  /** What is to be looked at now, whatever the span */
  attention: {
    /** What waits for a person, as GET /v1/cases lists it */
    cases: number;
    /** Payments held up because nobody knows yet what became of an attempt */
    unknown: number;
    /** Open links that end within 24 hours */
    expiring: {
      /** How many there are, counted to 1,000 */
      count: number;
      /** The five that end first */
      payments: Payment[];
    };
    /** Endpoints that are on, and whose last delivery failed; null for who may not see endpoints */
    failingEndpoints: number | null;
    /** Endpoints that were switched off because they failed or said to be gone; null for who may not see endpoints */
    disabledEndpoints: number | null;
  };
};

export type OverviewSlot = {
  /** When the slot begins; RFC 3339, UTC */
  at: string;
  /** Links that were created in it */
  createdCount: number;
  /** Those of them that have failed by now */
  failedCount: number;
  /** Payments that were paid in it, whenever their link was created */
  paidCount: number;
  /** What they came to, in major units */
  paidAmount: number;
};

export type Passkey = {
  /** Identification of the passkey */
  passkeyId: string;
  /** What people call it */
  name: string;
  /** When it was added; RFC 3339, UTC */
  createdAt: string;
  /** When it signed in last; RFC 3339, UTC */
  lastUsedAt: string | null;
};

/** What the browser needs to ask the device */
export type PasskeyOptions = {
  /** For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON; good for 5 minutes */
  options: Record<string, unknown>;
};

export type PasswordConfirmation = {
  /** Account password */
  currentPassword: string;
};

/** The payment as it stands now, with its link */
export type Payment = {
  /** Country of the request; ISO 3166-1 alpha-2 */
  country: string;
  /** Date created; RFC 3339, UTC */
  CreatedOn: string;
  /** Currency of the payment request */
  currency: string;
  /** Merchant reference echoed from the request */
  customerOrderId: string;
  /** Address where the user is sent to pay */
  PaymentLink: string;
  /** Identification of the requested payment */
  PaymentLinkCode: string;
  /** @deprecated The HTTP status as text */
  responseCode: string;
  /** Any message returned from the request */
  responseMessage: string;
  /** Amount in major units */
  amount: number;
  /** State of the payment */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';
  /** What has been given back, in major units */
  refundedAmount: number;
  /** Whether real money moves */
  mode: 'test' | 'live';
  /** Customer e-mail address */
  email: string;
  /** Customer first name */
  firstName: string | null;
  /** Customer last name */
  lastName: string | null;
  /** Customer phone number as it was sent */
  phone: string | null;
  success_url: string;
  failure_url: string;
  /** What is paid for */
  description: string | null;
  /** Language of the page */
  locale: string | null;
  metadata: Record<string, string>;
  /** When the link ends; RFC 3339, UTC */
  expiresAt: string;
  /** Counts the changes of the payment, from 1 */
  version: number;
};

export type PaymentCancelledMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.cancelled';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentCreatedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.created';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentData = {
  payment: Payment;
};

export type PaymentExpiredMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.expired';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentFailedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.failed';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentLateMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.late';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: AttemptData;
};

/** Payments; there may be fewer than limit on a page that is not the last */
export type PaymentList = {
  data: Payment[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type PaymentOpenedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.opened';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentPaidMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.paid';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentPartlyPaidMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.partly_paid';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: AttemptData;
};

export type PaymentProcessingMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.processing';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

export type PaymentTransferReviewMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.transfer_review';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: AttemptData;
};

export type PreviewPageRequest = {
  /** What customers see as the payee */
  name?: string | undefined;
  /** Colour of the buttons on the hosted pages; null: the colour of the house. White text on it needs a contrast of 4.5 */
  color?: string | null | undefined;
  /** A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none */
  logo?: string | null | undefined;
  /** The language of the page; without it, by Accept-Language */
  locale?: 'en' | 'de' | undefined;
  /** Which page: that of a payment in this state; open without it */
  state?: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled' | undefined;
};

/** The page and its contrast */
export type PreviewPageResponse = {
  /** The page as a whole document, without script. Show it as srcdoc or by a blob address in a frame with sandbox="allow-same-origin" */
  html: string;
  /** Contrast of white text on the colour (WCAG 2.2), 1 to 21 */
  contrast: number;
  /** Whether the company can have the colour: a contrast of 4.5 */
  isReadable: boolean;
};

/** A problem document (RFC 9457) */
export type Problem = {
  /** An address that tells of the problem */
  type: string;
  /** The problem in a few words */
  title: string;
  /** The HTTP status */
  status: number;
  /** What to do about it */
  detail: string;
  /** This very occurrence */
  instance: string;
  /** What a program branches on */
  code: 'bad_request' | 'malformed_json' | 'invalid_notice' | 'missing_credentials' | 'invalid_token' | 'expired_token' | 'invalid_api_key' | 'invalid_company_id' | 'session_ended' | 'wrong_login' | 'second_factor_required' | 'wrong_second_factor' | 'credentials_mismatch' | 'mode_not_allowed' | 'csrf_refused' | 'role_not_allowed' | 'too_many_attempts' | 'not_found' | 'payment_not_found' | 'invalid_invitation' | 'invalid_password_reset' | 'method_not_allowed' | 'request_timeout' | 'order_conflict' | 'payment_in_progress' | 'payment_ended' | 'not_refundable' | 'refund_too_large' | 'key_not_active' | 'last_key' | 'live_not_possible' | 'no_key_of_mode' | 'last_owner' | 'too_many_endpoints' | 'too_many_connections' | 'connection_in_use' | 'connection_changed' | 'second_factor_on' | 'no_second_factor' | 'endpoint_disabled' | 'email_taken' | 'line_not_waiting' | 'bank_refund_ended' | 'idempotency_in_progress' | 'stale_remaining' | 'body_too_large' | 'unsupported_media_type' | 'invalid_fields' | 'email_not_deliverable' | 'statement_refused' | 'invalid_idempotency_key' | 'idempotency_key_reused' | 'rate_limited' | 'login_paused' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'import_in_progress' | 'processor_unreachable';
  /** The request, as the log knows it */
  requestId: string;
  /** The fields or headers that do not pass */
  errors: FieldError[];
  /** @deprecated The HTTP status as text */
  responseCode: string;
  /** The same as title */
  responseMessage: string;
};

/** The entry of the catalogue */
export type ProblemType = {
  /** What a program branches on */
  code: string;
  /** The HTTP status */
  status: number;
  /** The problem in a few words */
  title: string;
  /** What to do about it, in general */
  detail: string;
};

export type ProcessPaymentRequest = {
  /** Customer first name. null and "" are as good as leaving it out */
  firstName?: string | null | undefined;
  /** Customer last name. null and "" are as good as leaving it out */
  lastName?: string | null | undefined;
  /** Merchant reference for the order, unique while a link for it is live or paid; a UUID is recommended */
  customerOrderId: string;
  /** Customer e-mail address */
  email: string;
  /** Invoice amount in major units, at most 2 decimals */
  amount: number;
  /** ISO 4217 code */
  currency: 'USD' | 'EUR';
  /** Customer phone number. null and "" are as good as leaving it out */
  phone?: string | null | undefined;
  /** Address the service redirects the user to after a successful payment */
  success_url: string;
  /** Address the service redirects the user to after a failed payment */
  failure_url: string;
  /** What is paid for, shown to the customer. null and "" are as good as leaving it out */
  description?: string | null | undefined;
  /** When the link ends; RFC 3339, 5 minutes to 180 days ahead. A new link without it: 7 days. null and "" are as good as leaving it out */
  expiresAt?: string | null | undefined;
  /** Language of the page (BCP 47). Without it the customer’s browser decides. null and "" are as good as leaving it out */
  locale?: string | null | undefined;
  /** Up to 20 pairs of your own; names up to 40 and values up to 500 characters. null and "" are as good as leaving it out */
  metadata?: Record<string, string> | null | undefined;
};

export type Processor = {
  /** Its name in settings and addresses */
  processor: string;
  /** Its name for people */
  title: string;
  /** How a customer pays: a card on our page, on its own page, or a transfer from their bank */
  takes: 'card' | 'page' | 'transfer';
  modes: ('test' | 'live')[];
  currencies: string[];
  /** What a connection to it needs */
  fields: ProcessorField[];
};

/** The connection */
export type ProcessorConnection = {
  /** Identification of the connection */
  id: string;
  processor: string;
  /** The processor’s name for people */
  title: string;
  /** That of the API key it was made with: payments of this mode may use it */
  mode: 'test' | 'live';
  name: string;
  /** Whose account it is, by the processor’s word */
  holder: string;
  currencies: string[];
  position: number;
  enabled: boolean;
  credentials: ProcessorCredential[];
  /** The address to enter at the processor for its webhooks; null where it sends none */
  webhookUrl: string | null;
  health: ProcessorHealth;
  notices: ProcessorWebhookCounts;
  /** When it was made; RFC 3339, UTC */
  createdAt: string;
  /** Account that made it */
  createdBy: string;
};

/** The connections of the mode of your API key, in the order in which customers are offered them */
export type ProcessorConnectionList = {
  data: ProcessorConnection[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type ProcessorCredential = {
  name: string;
  isSecret: boolean;
  isSet: boolean;
  /** Null for a secret */
  value: string | null;
};

export type ProcessorField = {
  name: string;
  /** For people */
  label: string;
  /** Whether it is never shown again */
  isSecret: boolean;
  isRequired: boolean;
  /** Where it is found */
  help: string;
};

/** Whether it answered when it was last asked for a payment */
export type ProcessorHealth = {
  isUp: boolean;
  /** Until when it is offered last; RFC 3339, UTC */
  downUntil: string | null;
};

/** Every processor that a company may be connected with */
export type ProcessorList = {
  data: Processor[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

/** What became of the processor’s webhooks */
export type ProcessorWebhookCounts = {
  /** Checked against the payment, and the processor was asked */
  accepted: number;
  /** About nothing of ours */
  irrelevant: number;
  /** Sent again */
  replayed: number;
  /** Another amount, currency, account or attempt than ours; nothing was changed */
  mismatched: number;
  /** Not signed with the secret of this connection; nothing was changed */
  forged: number;
  /** When the last one came; RFC 3339, UTC */
  lastAt: string | null;
};

/** The refund; it may still be under way */
export type Refund = {
  /** Identification of the refund */
  refundId: string;
  /** Amount in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  status: 'created' | 'processing' | 'unknown' | 'succeeded' | 'failed';
  /** surplus: money that nobody owed */
  kind: 'merchant' | 'surplus';
  /** For your own records */
  reason: string | null;
  /** Why the processor refused it */
  failureCode: string | null;
  /** Date created; RFC 3339, UTC */
  CreatedOn: string;
};

export type RefundCreatedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'refund.created';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: RefundData;
};

export type RefundData = {
  payment: Payment;
  refund: Refund;
};

export type RefundEscalatedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'refund.escalated';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: RefundData;
};

export type RefundFailedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'refund.failed';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: RefundData;
};

/** The refunds of the payment */
export type RefundList = {
  data: Refund[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type RefundPaymentRequest = {
  /** What to give back, in major units; without it, all that is left */
  amount?: number | undefined;
  /** What you believe is left, in major units; 412 when it is not so */
  expectedRemaining?: number | undefined;
  /** For your own records */
  reason?: string | undefined;
};

export type RefundSucceededMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'refund.succeeded';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: RefundData;
};

export type ResendWebhookDeliveriesRequest = {
  /** Events at or after this time; RFC 3339 */
  since: string;
};

/** The result */
export type ResendWebhookDeliveriesResponse = {
  /** Number of deliveries that are sent again */
  count: number;
};

export type ResolveBankLineRequest = {
  /** match: assign the line to the reference; dismiss: the line needs no action */
  action: 'match' | 'dismiss';
  /** Reference of a transfer, or of a refund for a debit */
  reference?: string | undefined;
  /** Reason, for your records */
  note?: string | undefined;
};

export type ResolveBankRefundRequest = {
  /** not_sent: it will not be sent; a refund that you requested fails */
  outcome: 'sent' | 'not_sent';
  /** Reason, for your records */
  note: string;
};

export type RollApiKeyRequest = {
  /** How long the old key stays good beside the new one; 24 without it, 0 ends it at once */
  overlapHours?: number | undefined;
};

export type RollWebhookSecretRequest = {
  /** How long messages are also signed with the old secret; 24 by default */
  overlapHours?: number | undefined;
};

/** What the account has beside its password */
export type SecondFactors = {
  /** The authenticator app; null: there is none */
  totp: {
    /** When the app was added; RFC 3339, UTC */
    confirmedAt: string;
  } | null;
  /** The passkeys, the oldest first */
  passkeys: Passkey[];
  /** How many recovery codes were not used yet */
  recoveryCodesLeft: number;
};

export type Session = {
  /** Identification of the session */
  sessionId: string;
  /** Account identifier */
  accountId: string;
  /** Account e-mail address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** What the roles allow, by the names of the rights */
  rights: string[];
  /** Company identifier */
  companyId: string;
  /** What customers see as the payee */
  companyName: string;
  /** What X-Paylink-Mode may say: live once the company has a live API key that is good */
  modes: ('test' | 'live')[];
  /** The mode that the company has set for its logins */
  loginMode: 'test' | 'live';
  /** To send in X-Paylink-Csrf with every call that is no GET */
  csrfToken: string;
  /** When the session ends without another call; a call puts it off, by the minute; RFC 3339, UTC */
  idleEndsAt: string;
  /** When the session ends, whatever happens; RFC 3339, UTC */
  expiresAt: string;
};

export type SignInRequest = {
  /** Account e-mail address */
  email: string;
  /** Account password */
  password: string;
  /** What the authenticator app shows */
  otp?: string | undefined;
  /** A recovery code, in place of otp */
  recoveryCode?: string | undefined;
};

export type SignInWithPasskeyRequest = {
  /** toJSON() of what navigator.credentials.get gave */
  response: {
    /** The credential, as the device names it */
    id: string;
    /** The same */
    rawId: string;
    type: 'public-key';
    clientExtensionResults?: Record<string, unknown> | undefined;
    authenticatorAttachment?: string | null | undefined;
    response: {
      /** What the browser says */
      clientDataJSON: string;
      /** What the device says */
      authenticatorData: string;
      /** What the device has signed both with */
      signature: string;
      /** Whose passkey it is */
      userHandle?: string | undefined;
    };
  };
};

export type UpdatePaymentRequest = {
  /** When the link ends; RFC 3339, 5 minutes to 180 days ahead. A new link without it: 7 days */
  expiresAt?: string | undefined;
  /** Up to 20 pairs of your own; names up to 40 and values up to 500 characters */
  metadata?: Record<string, string> | undefined;
};

export type UpdateProcessorConnectionRequest = {
  /** What your own people call it */
  name?: string | undefined;
  /** In which currencies customers are offered it */
  currencies?: ('USD' | 'EUR')[] | undefined;
  /** Where it stands among what customers are offered; the least first */
  position?: number | undefined;
  /** Whether customers are offered it */
  enabled?: boolean | undefined;
  /** By the names that `GET /v1/processors` lists for it. A secret is never shown again */
  credentials?: Record<string, string> | undefined;
};

export type UpdateWebhookEndpointRequest = {
  /** URL that receives POST requests: a public host, https in live mode */
  url?: string | undefined;
  /** Event types, or ["*"] for all types, including future ones */
  events?: string[] | undefined;
  /** For your records */
  description?: string | null | undefined;
  /** disabled: nothing is sent, and what happens is kept until it is on again */
  status?: 'enabled' | 'disabled' | undefined;
};

/** The delivery */
export type WebhookDelivery = {
  /** Identification of the delivery */
  deliveryId: string;
  /** Endpoint that receives it */
  endpointId: string;
  /** Current URL of the endpoint */
  url: string;
  /** Event that it delivers; also the ID of the message */
  eventId: string;
  /** Type of the event */
  type: string;
  /** When the event happened; RFC 3339, UTC */
  createdAt: string;
  /** pending: not delivered yet; failed: the last attempt failed */
  state: 'pending' | 'delivered' | 'failed';
  /** Number of attempts */
  tries: number;
  /** Time of the next attempt, if its endpoint is enabled; null if it has ended; RFC 3339, UTC */
  nextTryAt: string | null;
  /** When it was delivered or failed; RFC 3339, UTC */
  endedAt: string | null;
  /** HTTP status of the last attempt */
  lastStatus: number | null;
  /** Why the last attempt got no response */
  lastFault: string | null;
};

export type WebhookDeliveryAttempt = {
  /** When it was sent; RFC 3339, UTC */
  at: string;
  /** From the DNS lookup to the end of the response */
  durationMs: number;
  /** HTTP status; null without a response */
  status: number | null;
  /** refused_url, blocked_address, dns_failed, connect_failed, tls_failed, timed_out, reset, answer_too_large or invalid_answer; null with an answer */
  fault: string | null;
  /** First 4 kB of the response */
  answer: string | null;
};

/** Deliveries, newest event first */
export type WebhookDeliveryList = {
  data: WebhookDelivery[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

/** The delivery with its attempts and its request */
export type WebhookDeliveryWithAttempts = {
  /** Identification of the delivery */
  deliveryId: string;
  /** Endpoint that receives it */
  endpointId: string;
  /** Current URL of the endpoint */
  url: string;
  /** Event that it delivers; also the ID of the message */
  eventId: string;
  /** Type of the event */
  type: string;
  /** When the event happened; RFC 3339, UTC */
  createdAt: string;
  /** pending: not delivered yet; failed: the last attempt failed */
  state: 'pending' | 'delivered' | 'failed';
  /** Number of attempts */
  tries: number;
  /** Time of the next attempt, if its endpoint is enabled; null if it has ended; RFC 3339, UTC */
  nextTryAt: string | null;
  /** When it was delivered or failed; RFC 3339, UTC */
  endedAt: string | null;
  /** HTTP status of the last attempt */
  lastStatus: number | null;
  /** Why the last attempt got no response */
  lastFault: string | null;
  /** All attempts, oldest first */
  history: WebhookDeliveryAttempt[];
  request: WebhookRequest;
};

/** The endpoint */
export type WebhookEndpoint = {
  /** Identification of the endpoint */
  id: string;
  /** Mode of the API key that created it. It receives events of this mode */
  mode: 'test' | 'live';
  url: string;
  events: string[];
  /** For your records */
  description: string | null;
  /** Whether messages are sent */
  status: 'enabled' | 'disabled' | 'deleted';
  /** switched_off, gone (it answered 410) or failing (for 5 days); null while it is on */
  disabledReason: string | null;
  /** First failure since the last success; RFC 3339, UTC */
  failingSince: string | null;
  /** Until when messages are also signed with the previous secret; RFC 3339, UTC */
  previousSecretUntil: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** Account that created it */
  createdBy: string;
};

export type WebhookEndpointDisabledMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'webhook_endpoint.disabled';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: EndpointData;
};

/** The endpoints, newest first */
export type WebhookEndpointList = {
  data: WebhookEndpoint[];
  /** Where the next page starts; null on the last */
  nextCursor: string | null;
};

export type WebhookEndpointSummary = {
  /** Identification of the endpoint */
  id: string;
  url: string;
  mode: 'test' | 'live';
  /** Why it is disabled; null while it is enabled */
  reason: 'switched_off' | 'gone' | 'failing' | null;
};

export type WebhookEndpointTestMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'webhook_endpoint.test';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: EndpointData;
};

/** The endpoint with its new secret */
export type WebhookEndpointWithSecret = {
  /** Identification of the endpoint */
  id: string;
  /** Mode of the API key that created it. It receives events of this mode */
  mode: 'test' | 'live';
  url: string;
  events: string[];
  /** For your records */
  description: string | null;
  /** Whether messages are sent */
  status: 'enabled' | 'disabled' | 'deleted';
  /** switched_off, gone (it answered 410) or failing (for 5 days); null while it is on */
  disabledReason: string | null;
  /** First failure since the last success; RFC 3339, UTC */
  failingSince: string | null;
  /** Until when messages are also signed with the previous secret; RFC 3339, UTC */
  previousSecretUntil: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** Account that created it */
  createdBy: string;
  /** Signing secret. Only this response contains it */
  secret: string;
};

/** The webhook of an event as it would be sent now */
export type WebhookMessage = {
  /** The headers. webhook-signature contains only v1a, the signature with the published key */
  headers: Record<string, string>;
  /** The exact body */
  body: string;
};

/** The request as it would be sent now. Its data is current at the time of sending */
export type WebhookRequest = {
  method: 'POST';
  /** URL that it is sent to */
  url: string;
  /** All headers except webhook-timestamp and webhook-signature, which differ for each attempt */
  headers: Record<string, string>;
  /** The exact body */
  body: string;
};

/** Every operation: what it takes and what it answers. */
export type Operations = {
  /** Whether the process is alive */
  getHealth: {
    input: Record<string, never>;
    answer: Health;
  };
  /** Whether the process takes traffic */
  getReadiness: {
    input: Record<string, never>;
    answer: Health;
  };
  /** What a code of a problem document means */
  getProblem: {
    input: {
      path: {
        /** The code of a problem */
        code: string;
      };
    };
    answer: ProblemType;
  };
  /** Authenticate and retrieve a bearer token and the credential headers */
  logIn: {
    input: {
      body: LogInRequest;
    };
    answer: LogInResponse;
  };
  /** Sign in with a browser, by a cookie that no script can read */
  signIn: {
    input: {
      body: SignInRequest;
    };
    answer: CurrentSession;
  };
  /** Who is signed in with the cookie, if anybody is */
  getSession: {
    input: Record<string, never>;
    answer: CurrentSession;
  };
  /** End the session of the cookie, and make the browser forget it */
  signOut: {
    input: Record<string, never>;
    answer: undefined;
  };
  /** What a browser needs to sign in with a passkey, whosever it is */
  beginPasskeySignIn: {
    input: Record<string, never>;
    answer: PasskeyOptions;
  };
  /** Sign in with a passkey, without an address or a password */
  signInWithPasskey: {
    input: {
      body: SignInWithPasskeyRequest;
    };
    answer: CurrentSession;
  };
  /** Have a link to a new password mailed to an account */
  askPasswordReset: {
    input: {
      body: AskPasswordResetRequest;
    };
    answer: undefined;
  };
  /** Set a new password by the link of a mail; all sessions of the account end */
  acceptPasswordReset: {
    input: {
      body: AcceptPasswordResetRequest;
    };
    answer: undefined;
  };
  /** The public keys (RFC 7517) that verify tokens and payment results */
  getKeySet: {
    input: Record<string, never>;
    answer: GetKeySetResponse;
  };
  /** Whose credentials these are */
  getMe: {
    input: Record<string, never>;
    answer: Account;
  };
  /** Change the password; all other sessions of the account end */
  changePassword: {
    input: {
      body: ChangePasswordRequest;
    };
    answer: undefined;
  };
  /** The sessions of the account */
  listSessions: {
    input: {
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: AccountSessionList;
  };
  /** End all sessions of the account but the one of this call */
  endOtherSessions: {
    input: Record<string, never>;
    answer: undefined;
  };
  /** End the session of this call; its token is refused from now on */
  logOut: {
    input: Record<string, never>;
    answer: undefined;
  };
  /** End a session of the account */
  endSession: {
    input: {
      path: {
        /** Identification of the session */
        sessionId: string;
      };
    };
    answer: undefined;
  };
  /** What the account has beside its password */
  getSecondFactors: {
    input: Record<string, never>;
    answer: SecondFactors;
  };
  /** Make ten recovery codes in place of those that are left */
  makeRecoveryCodes: {
    input: {
      body: PasswordConfirmation;
    };
    answer: MakeRecoveryCodesResponse;
  };
  /** Make a secret for an authenticator app; it counts once it is confirmed */
  beginTotp: {
    input: {
      body: PasswordConfirmation;
    };
    answer: BeginTotpResponse;
  };
  /** Switch the authenticator app on by a code that it shows */
  confirmTotp: {
    input: {
      body: ConfirmTotpRequest;
    };
    answer: ConfirmTotpResponse;
  };
  /** Take the authenticator app away */
  removeTotp: {
    input: {
      body: PasswordConfirmation;
    };
    answer: undefined;
  };
  /** What a browser needs to make a passkey */
  beginPasskey: {
    input: {
      body: PasswordConfirmation;
    };
    answer: PasskeyOptions;
  };
  /** Add the passkey that a device has made */
  addPasskey: {
    input: {
      body: AddPasskeyRequest;
    };
    answer: AddPasskeyResponse;
  };
  /** Take a passkey away */
  removePasskey: {
    input: {
      path: {
        /** Identification of the passkey */
        passkeyId: string;
      };
      body: PasswordConfirmation;
    };
    answer: undefined;
  };
  /** The API keys, good and gone */
  listApiKeys: {
    input: {
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: ApiKeyList;
  };
  /** Create an API key */
  createApiKey: {
    input: {
      body: CreateApiKeyRequest;
    };
    answer: ApiKeyWithSecret;
  };
  /** Put a new key in the place of one, which stays good for an overlap */
  rollApiKey: {
    input: {
      path: {
        /** Identification of the key */
        keyId: string;
      };
      body: RollApiKeyRequest;
    };
    answer: ApiKeyWithSecret;
  };
  /** Revoke a key at once */
  revokeApiKey: {
    input: {
      path: {
        /** Identification of the key */
        keyId: string;
      };
    };
    answer: ApiKey;
  };
  /** The people of the company */
  listMembers: {
    input: {
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: MemberList;
  };
  /** Invite a person; the link is mailed to them, and is in the response */
  inviteMember: {
    input: {
      body: InviteMemberRequest;
    };
    answer: InvitationWithLink;
  };
  /** Give a member other roles */
  changeMember: {
    input: {
      path: {
        /** Account identifier */
        accountId: string;
      };
      body: ChangeMemberRequest;
    };
    answer: Member;
  };
  /** Remove a member; their tokens are refused from now on */
  removeMember: {
    input: {
      path: {
        /** Account identifier */
        accountId: string;
      };
    };
    answer: undefined;
  };
  /** The invitations that can still be accepted */
  listInvitations: {
    input: {
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: InvitationList;
  };
  /** Revoke an invitation */
  revokeInvitation: {
    input: {
      path: {
        /** Identification of the invitation */
        invitationId: string;
      };
    };
    answer: undefined;
  };
  /** Accept an invitation: make the account that it is for */
  acceptInvitation: {
    input: {
      body: AcceptInvitationRequest;
    };
    answer: AcceptInvitationResponse;
  };
  /** The company and how its pages look */
  getCompany: {
    input: Record<string, never>;
    answer: Company;
  };
  /** Change the company; what is left out stays as it is */
  changeCompany: {
    input: {
      body: ChangeCompanyRequest;
    };
    answer: Company;
  };
  /** Process a payment transaction and obtain a payment link */
  processPayment: {
    input: {
      body: ProcessPaymentRequest;
    };
    answer: Payment;
  };
  /** The processors that a company may be connected with */
  listProcessors: {
    input: Record<string, never>;
    answer: ProcessorList;
  };
  /** The company’s accounts with processors */
  listProcessorConnections: {
    input: Record<string, never>;
    answer: ProcessorConnectionList;
  };
  /** Connect the company with a processor */
  createProcessorConnection: {
    input: {
      body: CreateProcessorConnectionRequest;
    };
    answer: ProcessorConnection;
  };
  /** Look at a connection */
  getProcessorConnection: {
    input: {
      path: {
        /** Identification of the connection */
        connectionId: string;
      };
    };
    answer: ProcessorConnection;
  };
  /** Change a connection, or switch it on or off */
  updateProcessorConnection: {
    input: {
      path: {
        /** Identification of the connection */
        connectionId: string;
      };
      body: UpdateProcessorConnectionRequest;
    };
    answer: ProcessorConnection;
  };
  /** Delete a connection and forget its credentials */
  deleteProcessorConnection: {
    input: {
      path: {
        /** Identification of the connection */
        connectionId: string;
      };
    };
    answer: ProcessorConnection;
  };
  /** Ask the processor whether the credentials still hold */
  checkProcessorConnection: {
    input: {
      path: {
        /** Identification of the connection */
        connectionId: string;
      };
    };
    answer: ProcessorConnection;
  };
  /** Put the connections into the order in which customers are offered them */
  orderProcessorConnections: {
    input: {
      body: OrderProcessorConnectionsRequest;
    };
    answer: ProcessorConnectionList;
  };
  /** Look at a payment */
  getPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
    };
    answer: Payment;
  };
  /** Change an open payment */
  updatePayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: UpdatePaymentRequest;
    };
    answer: Payment;
  };
  /** Cancel an open payment */
  cancelPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
    };
    answer: Payment;
  };
  /** Give a payment back, in part or in full */
  refundPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: RefundPaymentRequest;
    };
    answer: Refund;
  };
  /** The refunds of a payment, oldest first */
  listRefunds: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
    };
    answer: RefundList;
  };
  /** What could not be settled for days, or was refused, and waits for a person */
  listCases: {
    input: Record<string, never>;
    answer: CaseList;
  };
  /** Find payments */
  listPayments: {
    input: {
      query?: {
        /** State of the payment */
        status?: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled' | undefined;
        /** The order id; with a * at the end, all that begin so */
        customerOrderId?: QueryText | undefined;
        /** The customer’s address; with a * at the end, all that begin so */
        email?: QueryText | undefined;
        /** The least amount, in major units */
        minAmount?: QueryText | undefined;
        /** The largest amount, in major units */
        maxAmount?: QueryText | undefined;
        /** ISO 4217 code */
        currency?: 'USD' | 'EUR' | undefined;
        /** The mode of the credentials; the other one is refused */
        mode?: 'test' | 'live' | undefined;
        /** Created at this moment or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Created before this moment; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** The beginning of an order id, an e-mail address, a full name or a last name */
        text?: QueryText | undefined;
        /** Newest first (-CreatedOn, without it) or oldest first */
        sort?: '-CreatedOn' | 'CreatedOn' | undefined;
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: PaymentList;
  };
  /** All payments that pass the filters, as a file; oldest first */
  exportPayments: {
    input: {
      query?: {
        /** Without it, csv */
        format?: 'csv' | 'ndjson' | undefined;
        /** State of the payment */
        status?: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled' | undefined;
        /** The order id; with a * at the end, all that begin so */
        customerOrderId?: QueryText | undefined;
        /** The customer’s address; with a * at the end, all that begin so */
        email?: QueryText | undefined;
        /** The least amount, in major units */
        minAmount?: QueryText | undefined;
        /** The largest amount, in major units */
        maxAmount?: QueryText | undefined;
        /** ISO 4217 code */
        currency?: 'USD' | 'EUR' | undefined;
        /** The mode of the credentials; the other one is refused */
        mode?: 'test' | 'live' | undefined;
        /** Created at this moment or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Created before this moment; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** The beginning of an order id, an e-mail address, a full name or a last name */
        text?: QueryText | undefined;
      } | undefined;
    };
    answer: Response;
  };
  /** How business stands: what was made and paid in the last days, and what needs attention */
  getOverview: {
    input: {
      query?: {
        /** How many days, today included; without it, 7 */
        days?: '1' | '7' | '30' | undefined;
        /** Whose days: a name of the IANA tables; without it, UTC */
        timeZone?: QueryText | undefined;
      } | undefined;
    };
    answer: Overview;
  };
  /** Follow what happens */
  listEvents: {
    input: {
      query?: {
        /** The nextCursor of the look before; latest for now */
        after?: QueryText | undefined;
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** Seconds to wait for an event when there is none yet, 0 to 30; without it, 0 */
        wait?: QueryText | undefined;
      } | undefined;
    };
    answer: EventFeed;
  };
  /** What happened to a payment, and who did it */
  listPaymentEvents: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: AuditEventList;
  };
  /** Everything that happened to the company, and who did it */
  listAuditEvents: {
    input: {
      query?: {
        /** What happened; with a * at the end, all that begin so */
        type?: QueryText | undefined;
        /** Who did it; with a * at the end, all that begin so */
        actor?: QueryText | undefined;
        /** Only what is of no payment: keys, people, sign-ins, settings */
        about?: 'company' | undefined;
        /** Only what happened to this payment */
        PaymentLinkCode?: QueryText | undefined;
        /** Events of this moment and later; RFC 3339 */
        from?: QueryText | undefined;
        /** Events before this moment; RFC 3339 */
        to?: QueryText | undefined;
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: AuditEventList;
  };
  /** What the accounts of the ledger come to */
  listBalances: {
    input: Record<string, never>;
    answer: BalanceList;
  };
  /** The movements of money behind the balances */
  listLedgerEntries: {
    input: {
      query?: {
        /** Posted at this moment or later; RFC 3339 */
        from?: QueryText | undefined;
        /** Posted before this moment; RFC 3339 */
        to?: QueryText | undefined;
        /** Entries of this payment alone */
        PaymentLinkCode?: QueryText | undefined;
        /** Oldest first, as without it, or newest first */
        sort?: 'CreatedOn' | '-CreatedOn' | undefined;
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: LedgerEntryList;
  };
  /** The link of a payment as a QR code */
  drawQrCode: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      query?: {
        /** Without it, svg */
        format?: 'svg' | 'png' | undefined;
        /** Pixels a side, 64 to 1024; without it, 256 */
        size?: QueryText | undefined;
      } | undefined;
    };
    answer: Response;
  };
  /** List webhook endpoints */
  listWebhookEndpoints: {
    input: {
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: WebhookEndpointList;
  };
  /** Create a webhook endpoint */
  createWebhookEndpoint: {
    input: {
      body: CreateWebhookEndpointRequest;
    };
    answer: WebhookEndpointWithSecret;
  };
  /** Retrieve a webhook endpoint */
  getWebhookEndpoint: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
    };
    answer: WebhookEndpoint;
  };
  /** Update, enable or disable a webhook endpoint */
  updateWebhookEndpoint: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
      body: UpdateWebhookEndpointRequest;
    };
    answer: WebhookEndpoint;
  };
  /** Delete a webhook endpoint */
  deleteWebhookEndpoint: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
    };
    answer: WebhookEndpoint;
  };
  /** Roll the secret of a webhook endpoint */
  rollWebhookSecret: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
      body: RollWebhookSecretRequest;
    };
    answer: WebhookEndpointWithSecret;
  };
  /** Send a test event to a webhook endpoint */
  testWebhookEndpoint: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
    };
    answer: WebhookDelivery;
  };
  /** List the deliveries to an endpoint */
  listWebhookDeliveries: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
        /** Only deliveries in this state */
        state?: 'pending' | 'delivered' | 'failed' | undefined;
      } | undefined;
    };
    answer: WebhookDeliveryList;
  };
  /** Retrieve a delivery with its attempts and its request */
  getWebhookDelivery: {
    input: {
      path: {
        /** Identification of the delivery */
        deliveryId: string;
      };
    };
    answer: WebhookDeliveryWithAttempts;
  };
  /** List the deliveries of a payment’s events */
  listPaymentDeliveries: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: WebhookDeliveryList;
  };
  /** Resend a delivery */
  resendWebhookDelivery: {
    input: {
      path: {
        /** Identification of the delivery */
        deliveryId: string;
      };
    };
    answer: WebhookDelivery;
  };
  /** Resend all deliveries since a time */
  resendWebhookDeliveries: {
    input: {
      path: {
        /** Identification of the endpoint */
        endpointId: string;
      };
      body: ResendWebhookDeliveriesRequest;
    };
    answer: ResendWebhookDeliveriesResponse;
  };
  /** The webhook of an event, as an endpoint would receive it now */
  getEventWebhook: {
    input: {
      path: {
        /** Identification of the event */
        eventId: string;
      };
    };
    answer: WebhookMessage;
  };
  /** Email the link of an open payment to its customer */
  sendPaymentLink: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
    };
    answer: Payment;
  };
  /** Import a bank statement */
  importBankStatement: {
    input: {
      body: FileBody;
    };
    answer: BankStatementImport;
  };
  /** List bank statements */
  listBankStatements: {
    input: {
      query?: {
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: BankStatementList;
  };
  /** Retrieve a bank statement */
  getBankStatement: {
    input: {
      path: {
        /** Identification of the statement */
        statementId: string;
      };
    };
    answer: BankStatement;
  };
  /** List bank lines */
  listBankLines: {
    input: {
      query?: {
        /** Only lines with this status. review: lines that need a decision */
        state?: 'new' | 'matched' | 'review' | 'ignored' | 'resolved' | undefined;
        /** Only lines of this statement */
        statementId?: QueryText | undefined;
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: BankLineList;
  };
  /** List refunds by bank transfer */
  listBankRefunds: {
    input: {
      query?: {
        /** Only refunds with this status. waiting: refunds that you have to send */
        state?: 'waiting' | 'sent' | 'failed' | undefined;
        /** Entries on a page, 1 to 100; without it, 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the page before */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: BankRefundList;
  };
  /** Resolve a bank line */
  resolveBankLine: {
    input: {
      path: {
        /** Identification of the line */
        lineId: string;
      };
      body: ResolveBankLineRequest;
    };
    answer: BankLine;
  };
  /** Resolve a refund by bank transfer */
  resolveBankRefund: {
    input: {
      path: {
        /** Identification of the refund */
        refundId: string;
      };
      body: ResolveBankRefundRequest;
    };
    answer: BankRefund;
  };
  /** A hosted page with a look that is only tried on; changes nothing */
  previewPage: {
    input: {
      body: PreviewPageRequest;
    };
    answer: PreviewPageResponse;
  };
};
