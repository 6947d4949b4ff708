// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.

/** A parameter of the query that the service reads from text. */
export type QueryText = string | number | boolean | Date;

/** A body that is a file: it is sent as it is. */
export type FileBody = Blob | Uint8Array<ArrayBuffer> | string;

export type AcceptInvitationRequest = {
  /** The token of the invitation */
  token: string;
  /** At least 12 characters, 5 of them different. Must not be the email address or a common password */
  password: string;
};

/** The account was created. Log in with it */
export type AcceptedInvitation = {
  /** Account identifier */
  accountId: string;
  /** Account email address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** Company identifier */
  companyId: string;
};

/** What the credentials may do */
export type Access = {
  /** Company identifier */
  companyId: string;
  /** Whether the credentials move real money */
  mode: Mode;
  /** The account that calls; null for a service key */
  accountId: string | null;
  /** ID of the service key that calls; null for an account */
  serviceKeyId: string | null;
  /** The rights of the account by its roles, or the scopes of the service key */
  rights: string[];
};

/** The account of the caller */
export type Account = {
  /** Account identifier */
  accountId: string;
  /** Account email address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** Company identifier */
  companyId: string;
  /** What customers see as the payee */
  companyName: string;
  /** The session of this call */
  sessionId: string;
};

export type AccountSession = {
  /** ID of the session */
  sessionId: string;
  /** browser: sign-in with a browser; token: login of a program */
  kind: 'browser' | 'token';
  /** When it was opened; RFC 3339, UTC */
  createdAt: string;
  /** When it ends at the latest; RFC 3339, UTC */
  expiresAt: string;
  /** Whether it is the session of this call */
  isCurrent: boolean;
};

/** The active sessions of the account, newest first */
export type AccountSessionList = {
  data: AccountSession[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type AddPasskeyRequest = {
  /** Name of the passkey */
  name: string;
  response: PasskeyRegistration;
};

export type AdvancedTestClock = {
  /** The time of the company in test mode; RFC 3339, UTC */
  at: string;
  /** How far it is ahead of the real time */
  aheadSeconds: number;
  /** Whether an advance is under way */
  status: TestClockStatus;
  /** Whether everything that was due has been done. If not, the service does the rest in the next seconds */
  isComplete: boolean;
  done: TestClockWork;
};

/** The key, without its secret */
export type ApiKey = {
  /** ID of the key. It is not secret */
  keyId: string;
  /** Name of the key */
  name: string;
  /** Whether it moves real money */
  mode: Mode;
  /** expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused */
  status: ApiKeyStatus;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it, or system */
  createdBy: string;
  /** When a rolled key expires; RFC 3339, UTC */
  expiresAt: string | null;
  /** When it was revoked; RFC 3339, UTC */
  revokedAt: string | null;
};

/** The keys, newest first */
export type ApiKeyList = {
  data: ApiKey[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type ApiKeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

/** The new key. Only this response and logins contain it */
export type ApiKeyWithSecret = {
  /** ID of the key. It is not secret */
  keyId: string;
  /** Name of the key */
  name: string;
  /** Whether it moves real money */
  mode: Mode;
  /** expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused */
  status: ApiKeyStatus;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it, or system */
  createdBy: string;
  /** When a rolled key expires; RFC 3339, UTC */
  expiresAt: string | null;
  /** When it was revoked; RFC 3339, UTC */
  revokedAt: string | null;
  /** The key itself, for X-API-KEY */
  key: string;
};

/** A call of the API */
export type ApiRequest = {
  /** The request ID: `X-Request-Id` of the response */
  requestId: string;
  /** When the call began; RFC 3339, UTC */
  createdAt: string;
  /** The mode of its credentials */
  mode: Mode;
  /** The HTTP method */
  method: string;
  /** The path, with the IDs in it */
  path: string;
  /** The query, redacted; null without one */
  query: string | null;
  /** The HTTP status of the response */
  status: number;
  /** Milliseconds until the response was sent */
  durationMs: number;
  /** The ID of the API key; null for a call from the dashboard */
  keyId: string | null;
  /** Who called, such as account:acc_… */
  actor: string;
  /** The address of the client: IPv4, or the network (/64) of an IPv6 address */
  clientAddress: string;
  /** The error code; null for a call that succeeded */
  errorCode: string | null;
  /** Whether the response is that of an earlier call */
  idempotentReplayed: boolean;
};

/** A call of the API with its bodies */
export type ApiRequestDetails = {
  /** The request ID: `X-Request-Id` of the response */
  requestId: string;
  /** When the call began; RFC 3339, UTC */
  createdAt: string;
  /** The mode of its credentials */
  mode: Mode;
  /** The HTTP method */
  method: string;
  /** The path, with the IDs in it */
  path: string;
  /** The query, redacted; null without one */
  query: string | null;
  /** The HTTP status of the response */
  status: number;
  /** Milliseconds until the response was sent */
  durationMs: number;
  /** The ID of the API key; null for a call from the dashboard */
  keyId: string | null;
  /** Who called, such as account:acc_… */
  actor: string;
  /** The address of the client: IPv4, or the network (/64) of an IPv6 address */
  clientAddress: string;
  /** The error code; null for a call that succeeded */
  errorCode: string | null;
  /** Whether the response is that of an earlier call */
  idempotentReplayed: boolean;
  /** The body as JSON, redacted and cut after 4,096 characters; null for none or a file */
  requestBody: string | null;
  /** The same of the response; an error without its sentences */
  responseBody: string | null;
};

/** Calls, newest first */
export type ApiRequestList = {
  data: ApiRequest[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type ApiVersion = '2026-12-01';

/** An attempt to pay */
export type Attempt = {
  /** ID of the attempt */
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
  /** Why it collected no money */
  declineCode: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** @deprecated Use createdAt */
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
  /** ID of the event; the same in every delivery */
  eventId: string;
  /** @deprecated Use eventId */
  id: string;
  /** Type of the event */
  type: string;
  /** When it happened; RFC 3339, UTC */
  createdAt: string;
  /** Who caused it: customer, account:<id>, key:<id> (a service key), processor:<name>, job:<name> or system */
  actor: string;
  /** The payment concerned */
  paymentLinkCode: string | null;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string | null;
  /** The attempt concerned */
  attemptId: string | null;
  /** The refund concerned */
  refundId: string | null;
  /** The version of the payment after the event; null if the payment did not change */
  version: number | null;
  data: EventData;
  /** The email address of the account that caused it; null if it was not an account */
  actorEmail: string | null;
  /** The mode of the credentials that caused it; null for an event about the company itself */
  mode: Mode | null;
};

/** Events, public or not, newest first */
export type AuditEventList = {
  data: AuditEvent[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type AuthenticatorApp = {
  /** When the app was added; RFC 3339, UTC */
  confirmedAt: string;
};

export type Balance = {
  account: LedgerAccount;
  /** ISO 4217 code */
  currency: string;
  /** Debits less credits, in major units */
  balance: number;
};

/** Every account with postings, in each of its currencies */
export type BalanceList = {
  data: Balance[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type BankLine = {
  /** Identification of the line */
  lineId: string;
  /** @deprecated Use lineId */
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
  status: BankLineStatus;
  /** Why it needs a review or is ignored */
  reason: BankLineReason | null;
  /** Attempt that it belongs to */
  attemptId: string | null;
  /** Refund that it belongs to */
  refundId: string | null;
  /** How it was matched */
  matchedBy: BankLineMatchedBy | null;
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
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type BankLineMatchedBy = 'reference' | 'person';

export type BankLineReason = 'not_booked' | 'other_currency' | 'no_money' | 'other_account' | 'outgoing' | 'no_reference' | 'unknown_reference' | 'several_references' | 'batch_unclear' | 'maybe_duplicate' | 'returned' | 'refund_returned' | 'refund_amount_differs' | 'refund_not_waiting' | 'surplus_again' | 'too_large';

export type BankLineStatus = 'new' | 'matched' | 'review' | 'ignored' | 'resolved';

export type BankLineSuggestion = {
  /** Reference to match the line with */
  reference: string;
  /** Code of the payment */
  paymentLinkCode: string;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string;
  customerOrderId: string;
  customerName: string;
};

export type BankRefund = {
  /** Identification of the refund */
  refundId: string;
  /** Code of the payment */
  paymentLinkCode: string;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string;
  /** Order of the payment */
  customerOrderId: string;
  /** waiting: you have to send it */
  status: BankRefundStatus;
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
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type BankRefundStatus = 'waiting' | 'sent' | 'failed';

export type BankStatement = {
  /** Identification of the statement */
  statementId: string;
  /** @deprecated Use statementId */
  id: string;
  /** Mode of the API key that imported it */
  mode: Mode;
  /** ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment */
  kind: BankStatementKind;
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
  statementId: string;
  /** @deprecated Use statementId */
  id: string;
  /** Mode of the API key that imported it */
  mode: Mode;
  /** ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment */
  kind: BankStatementKind;
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

export type BankStatementKind = 'camt.052' | 'camt.053' | 'camt.054';

/** Statements, newest first */
export type BankStatementList = {
  data: BankStatement[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type Branding = {
  /** Colour of the buttons on the hosted pages; null: the default colour */
  color: string | null;
  /** A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none */
  logo: string | null;
};

export type Case = {
  /** Code of the payment */
  paymentLinkCode: string;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string;
  /** ID of the attempt */
  attemptId: string;
  /** ID of the refund; null if the case is about the attempt */
  refundId: string | null;
  /** failed: the processor refused to refund an overpayment; succeeded, declined, cancelled: money that cannot be accounted for */
  status: 'created' | 'requires_action' | 'processing' | 'unknown' | 'failed' | 'succeeded' | 'declined' | 'cancelled';
  processor: string;
  /** The processor’s reference, if any */
  processorReference: string | null;
  /** Amount in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  /** Why the processor refused the refund */
  failureCode: string | null;
  /** When the attempt or refund began; RFC 3339, UTC */
  createdAt: string;
  /** @deprecated Use createdAt */
  CreatedOn: string;
  /** When the case was opened; RFC 3339, UTC */
  escalatedAt: string;
};

/** Cases that a person must resolve, oldest first */
export type CaseList = {
  data: Case[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type CausedEvent = {
  /** Type of the event */
  type: string;
  /** Identification of the event */
  eventId: string;
  /** When it happened, in the time of the company; RFC 3339, UTC */
  createdAt: string;
  /** The payment that was created for it; null for an event about an endpoint */
  payment: Payment | null;
  /** The latest refund of the payment; null without one */
  refund: Refund | null;
};

export type ChangeCompanyRequest = {
  /** What customers see as the payee */
  name?: string | undefined;
  /** ISO 3166-1 alpha-2. Used for phone numbers without a country code */
  country?: string | undefined;
  branding?: {
    /** Colour of the buttons on the hosted pages; null: the default colour. White text on it needs a contrast of 4.5 */
    color?: string | null | undefined;
    /** A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none */
    logo?: string | null | undefined;
  } | undefined;
  identity?: CompanyIdentityChange | undefined;
  /** After which declines a customer may try again on the same link */
  retryPolicy?: RetryPolicy | undefined;
  /** Mode of the API key that a login returns by default. live requires a live key */
  loginMode?: Mode | undefined;
  /** Allowed origins of success_url and failure_url; empty: any */
  allowedOrigins?: string[] | undefined;
  mail?: {
    /** Whether customers get a receipt by email after a payment or a refund */
    receipts?: boolean | undefined;
    /** Whether these emails have the receipt attached as a PDF. They link to it in any case */
    attachReceipts?: boolean | undefined;
    /** Whether the company gets an email about each payment, and when a customer asks for a new link */
    notices?: boolean | undefined;
    /** Address for these emails, and for emails about disabled webhook endpoints; null: the owner with the oldest account */
    noticeAddress?: string | null | undefined;
    /** Reply-To address of emails to customers; null: none */
    replyTo?: string | null | undefined;
    /** How many hours before an unpaid link expires the customer gets a reminder; null: never */
    reminderHours?: number | null | undefined;
  } | undefined;
};

export type ChangeMemberRequest = {
  /** The new roles. They replace all current roles */
  roles: Role[];
};

export type ChangePasswordRequest = {
  /** Account password */
  currentPassword: string;
  /** At least 12 characters, 5 of them different. Must not be the email address or a common password */
  newPassword: string;
};

export type ChangeServiceKeyRequest = {
  /** Name of the key */
  name?: string | undefined;
  /** IPv4 and IPv6 addresses, or ranges such as 203.0.113.0/24, from which the key may be used. Empty: from anywhere */
  allowedAddresses?: string[] | undefined;
};

export type CloseCaseRequest = {
  /** The processorReference of the case */
  processorReference: string;
  /** How you settled it, for your own records */
  note?: string | undefined;
};

/** The case, which the list no longer has */
export type ClosedCase = {
  /** Code of the payment */
  paymentLinkCode: string;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string;
  /** The processor’s ID of the charge or refund */
  processorReference: string;
  /** For your own records */
  note: string | null;
  /** Who closed it: account:acc_… */
  closedBy: string;
  /** When it was closed; RFC 3339, UTC */
  closedAt: string;
};

/** The company */
export type Company = {
  /** Company identifier */
  companyId: string;
  /** What customers see as the payee */
  name: string;
  /** ISO 3166-1 alpha-2. Used for phone numbers without a country code */
  country: string;
  branding: Branding;
  logo: LogoUrls;
  identity: CompanyIdentity;
  /** After which declines a customer may try again on the same link */
  retryPolicy: RetryPolicy;
  /** Mode of the API key that a login returns by default. live requires a live key */
  loginMode: Mode;
  /** Allowed origins of success_url and failure_url; empty: any */
  allowedOrigins: string[];
  mail: EmailSettings;
};

export type CompanyIdentity = {
  /** Email address for questions of customers. Shown at the foot of the hosted pages. Replies to emails go there unless mail.replyTo is set; null: not given */
  supportEmail: string | null;
  /** Phone number for questions of customers. Shown at the foot of the hosted pages; null: not given */
  supportPhone: string | null;
  /** URL of the website, which starts with https:// as do the other URLs. Shown at the foot of the hosted pages; null: not given */
  website: string | null;
  /** Postal address without the name, at most 5 lines. Shown on receipts and in emails; null: not given */
  postalAddress: string | null;
  /** VAT identification number or tax number. Shown on receipts and in emails; null: not given */
  vatId: string | null;
  /** URL of the imprint (legal notice). Shown at the foot of the hosted pages; null: not given */
  imprintUrl: string | null;
  /** URL of the terms and conditions. Shown at the foot of the hosted pages; null: not given */
  termsUrl: string | null;
  /** URL of the privacy policy. Shown at the foot of the hosted pages; null: not given */
  privacyUrl: string | null;
  /** What a card statement shows, if the processor takes it from Paylink; docs/processors.md says which does; null: not given */
  statementDescriptor: string | null;
};

export type CompanyIdentityChange = {
  /** Email address for questions of customers. Shown at the foot of the hosted pages. Replies to emails go there unless mail.replyTo is set */
  supportEmail?: string | null | undefined;
  /** Phone number for questions of customers. Shown at the foot of the hosted pages */
  supportPhone?: string | null | undefined;
  /** URL of the website, which starts with https:// as do the other URLs. Shown at the foot of the hosted pages */
  website?: string | null | undefined;
  /** Postal address without the name, at most 5 lines. Shown on receipts and in emails */
  postalAddress?: string | null | undefined;
  /** VAT identification number or tax number. Shown on receipts and in emails */
  vatId?: string | null | undefined;
  /** URL of the imprint (legal notice). Shown at the foot of the hosted pages */
  imprintUrl?: string | null | undefined;
  /** URL of the terms and conditions. Shown at the foot of the hosted pages */
  termsUrl?: string | null | undefined;
  /** URL of the privacy policy. Shown at the foot of the hosted pages */
  privacyUrl?: string | null | undefined;
  /** What a card statement shows, if the processor takes it from Paylink; docs/processors.md says which does */
  statementDescriptor?: string | null | undefined;
};

export type ConfirmTotpRequest = {
  /** Current code of the authenticator app */
  otp: string;
};

/** The app is active: logins now require a code */
export type ConfirmedTotp = {
  /** Ten recovery codes, shown only once, with the first factor; null if the account already has some */
  recoveryCodes: string[] | null;
};

export type ConnectionStatus = {
  /** The processor */
  processor: string;
  /** The mode */
  mode: Mode;
  /** failing: the processor did not respond several times and has not responded since; off: a person switched it off */
  health: 'healthy' | 'failing' | 'off';
  /** How many connections there are */
  count: number;
};

export type CreateApiKeyRequest = {
  /** Name of the key */
  name?: string | undefined;
  /** Default: the mode of the key of this call. live requires the role owner or admin */
  mode?: Mode | undefined;
};

export type CreateProcessorConnectionRequest = {
  /** Name of the processor, from `GET /v1/processors` */
  processor: string;
  /** Your name for the connection. Customers read it if the page offers another connection to the same processor */
  name?: string | undefined;
  /** Currencies in which customers are offered the connection */
  currencies?: Currency[] | undefined;
  /** Position among the methods that customers are offered, lowest first */
  position?: number | undefined;
  /** Whether customers are offered the connection */
  enabled?: boolean | undefined;
  credentials?: ProcessorCredentials | undefined;
};

export type CreateServiceKeyRequest = {
  /** Name of the key */
  name?: string | undefined;
  /** Default: the mode of this call. live requires the role owner or admin, who hold keys:live */
  mode?: Mode | undefined;
  /** What the key may do: rights that your own role has. payments stands for all rights on payments, read for all rights to read */
  scopes: ('payments' | 'read' | 'payments:create' | 'payments:read' | 'payments:update' | 'payments:cancel' | 'payments:refund' | 'events:read' | 'balances:read' | 'bank:read' | 'exports:read' | 'webhooks:read' | 'webhooks:manage' | 'processors:read' | 'company:read' | 'audit:read' | 'requests:read')[];
  /** When the key expires; RFC 3339. null or left out: it is valid until it is revoked */
  expiresAt?: string | null | undefined;
  /** IPv4 and IPv6 addresses, or ranges such as 203.0.113.0/24, from which the key may be used. Empty: from anywhere */
  allowedAddresses?: string[] | undefined;
};

export type CreateWebhookEndpointRequest = {
  /** URL that receives POST requests: a public host, https in live mode */
  url: string;
  /** Event types, or ["*"] for all types, including future ones */
  events: string[];
  /** For your records */
  description?: string | null | undefined;
  /** Version of the API in which messages are sent; null: the newest at the time of sending. Default: the version of this request */
  apiVersion?: ApiVersion | null | undefined;
};

export type Currency = 'USD' | 'EUR';

export type CurrencyOverview = {
  /** ISO 4217 code */
  currency: string;
  paid: OverviewTotal;
  /** Refunded in the period, by the ledger, without overpayments */
  refunded: OverviewTotal;
  /** Links created in the period; each is in one of the next five sums */
  created: OverviewTotal;
  /** Created links that are paid */
  converted: OverviewTotal;
  /** Created links that are open or processing */
  open: OverviewTotal;
  /** Created links that have failed */
  failed: OverviewTotal;
  /** Created links that have expired */
  expired: OverviewTotal;
  /** Created links that were cancelled */
  cancelled: OverviewTotal;
  /** converted.count divided by created.count, from 0 to 1; null if no link was created in the period */
  conversion: number | null;
  /** Each hour of the day so far, or each day */
  series: OverviewInterval[];
};

export type EmailSettings = {
  /** Whether customers get a receipt by email after a payment or a refund */
  receipts: boolean;
  /** Whether these emails have the receipt attached as a PDF. They link to it in any case */
  attachReceipts: boolean;
  /** Whether the company gets an email about each payment, and when a customer asks for a new link */
  notices: boolean;
  /** Address for these emails, and for emails about disabled webhook endpoints; null: the owner with the oldest account */
  noticeAddress: string | null;
  /** Reply-To address of emails to customers; null: none */
  replyTo: string | null;
  /** How many hours before an unpaid link expires the customer gets a reminder; null: never */
  reminderHours: number | null;
};

export type Event = {
  /** ID of the event; the same in every delivery */
  eventId: string;
  /** @deprecated Use eventId */
  id: string;
  /** Type of the event */
  type: string;
  /** When it happened; RFC 3339, UTC */
  createdAt: string;
  /** Who caused it: customer, account:<id>, key:<id> (a service key), processor:<name>, job:<name> or system */
  actor: string;
  /** The payment concerned */
  paymentLinkCode: string | null;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string | null;
  /** The attempt concerned */
  attemptId: string | null;
  /** The refund concerned */
  refundId: string | null;
  /** The version of the payment after the event; null if the payment did not change */
  version: number | null;
  data: EventData;
};

/** What changed */
export type EventData = Record<string, unknown>;

/** Public events, oldest first */
export type EventFeed = {
  data: Event[];
  /** Pass it as after to continue; always present */
  nextCursor: string;
};

/** The refund, which may still be in progress */
export type ExpandableRefund = {
  /** ID of the refund */
  refundId: string;
  /** Code of the payment */
  paymentLinkCode: string;
  /** Amount in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  status: RefundStatus;
  /** surplus: refund of an overpayment */
  kind: RefundKind;
  /** For your own records */
  reason: string | null;
  /** Why the processor refused it */
  failureCode: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** @deprecated Use createdAt */
  CreatedOn: string;
  /** Only with expand=payment: its payment */
  payment?: Payment | undefined;
};

/** The refunds, newest first */
export type ExpandableRefundList = {
  data: ExpandableRefund[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type FieldError = {
  field: string;
  code: string;
  detail: string;
};

export type ForgotPasswordRequest = {
  /** Account email address */
  email: string;
};

/** It is */
export type Health = {
  status: string;
};

export type Invitation = {
  /** ID of the invitation */
  invitationId: string;
  /** Email address of the invited person */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** The account that sent the invitation */
  invitedBy: string;
  /** When it was made; RFC 3339, UTC */
  createdAt: string;
  /** When it ends; RFC 3339, UTC */
  expiresAt: string;
};

/** The open invitations, oldest first */
export type InvitationList = {
  data: Invitation[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

/** The invitation. Its link is shown only once */
export type InvitationWithLink = {
  /** ID of the invitation. It is not secret */
  invitationId: string;
  /** The link to accept the invitation. The part after # is the token */
  url: string;
  /** When the invitation expires; RFC 3339, UTC */
  expiresAt: string;
  /** Whether the link is sent by email. If false, the service has no mail server: share the link yourself */
  isMailed: boolean;
};

export type InviteMemberRequest = {
  /** Email address of the person to invite */
  email: string;
  /** Roles of the new account */
  roles: Role[];
};

export type JobStatus = {
  /** The name of the job */
  name: string;
  /** How often it runs, in seconds */
  intervalSeconds: number;
  /** When it last succeeded; null: never, or before the upgrade to this release; RFC 3339, UTC */
  lastSuccessAt: string | null;
  /** When it runs next; null: no process has planned it yet; RFC 3339, UTC */
  dueAt: string | null;
  /** Failed runs since the last success */
  failures: number;
};

export type Jwk = Record<string, string>;

/** The key set */
export type JwkSet = {
  keys: Jwk[];
};

export type LedgerAccount = 'processor' | 'merchant' | 'refunds' | 'fees' | 'suspense';

export type LedgerEntry = {
  /** ID of the entry */
  entryId: string;
  kind: 'capture' | 'refund' | 'surplus' | 'surplus_refund' | 'refund_reversal' | 'surplus_refund_reversal';
  debitAccount: LedgerAccount;
  creditAccount: LedgerAccount;
  /** The amount, in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  /** The payment of the entry */
  paymentLinkCode: string;
  /** @deprecated Use paymentLinkCode */
  PaymentLinkCode: string;
  /** The attempt (att_…) or refund (ref_…) whose money moved */
  sourceId: string;
  /** When it was posted; RFC 3339, UTC */
  createdAt: string;
  /** @deprecated Use createdAt */
  CreatedOn: string;
};

/** Ledger entries, oldest first by default */
export type LedgerEntryList = {
  data: LedgerEntry[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type Locale = 'en' | 'de' | 'ar' | 'bg' | 'cs' | 'da' | 'el' | 'es' | 'et' | 'fi' | 'fr' | 'ga' | 'he' | 'hr' | 'hu' | 'is' | 'it' | 'ja' | 'lt' | 'lv' | 'mt' | 'nb' | 'nl' | 'pl' | 'pt-PT' | 'ro' | 'sk' | 'sl' | 'sv' | 'tr' | 'uk' | 'zh-Hans';

export type LogInRequest = {
  /** Account email address */
  email: string;
  /** Account password */
  password: string;
  /** Mode of the API key to return. Default: the company’s loginMode */
  mode?: Mode | undefined;
  /** Current code of the authenticator app */
  otp?: string | undefined;
  /** A recovery code, instead of otp */
  recoveryCode?: string | undefined;
};

/** The account is authenticated. The headers contain the credentials for later calls */
export type LogInResult = {
  /** Account email address */
  email: string;
  /** Account identifier */
  accountId: string;
  /** Roles of the account */
  roles: string[];
  /** Bearer token for later calls, valid for 60 minutes */
  token: string;
  /** Path to redirect to after login */
  redirectPath: string;
  /** When the token expires; RFC 3339, UTC */
  expiresAt: string;
  /** Mode of the API key in the header */
  mode: Mode;
};

export type LogoUrls = {
  /** URL of the logo on the hosted pages: the uploaded file, else branding.logo; null: none */
  url: string | null;
  /** URL of the variant on dark pages; null: the logo itself is shown */
  darkUrl: string | null;
};

export type LogoVariant = 'light' | 'dark';

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

/** The member */
export type Member = {
  /** Account identifier */
  accountId: string;
  /** Account email address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** When the account was created; RFC 3339, UTC */
  createdAt: string;
};

/** The members, oldest first */
export type MemberList = {
  data: Member[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type Metadata = Record<string, string>;

export type MetadataInput = Record<string, string>;

export type Mode = 'test' | 'live';

export type OpenCaseCount = {
  /** What the case is about */
  kind: 'attempt' | 'refund' | 'currency_mismatch' | 'refund_exceeds_payment';
  /** How many cases are open */
  count: number;
};

/** Overview of the payments */
export type Overview = {
  /** When the first day began; RFC 3339, UTC */
  startsAt: string;
  /** The current time; RFC 3339, UTC */
  endsAt: string;
  /** @deprecated Use startsAt */
  from: string;
  /** @deprecated Use endsAt */
  to: string;
  /** The requested time zone */
  timeZone: string;
  /** The mode of all figures */
  mode: Mode;
  /** Each currency with a created link or a movement of money in the period */
  currencies: CurrencyOverview[];
  /** What needs attention now, whatever the period */
  attention: {
    /** Cases that need a person, as GET /v1/cases lists them */
    cases: number;
    /** Payments that are blocked because the outcome of an attempt is unknown */
    unknown: number;
    /** Open links that expire within 24 hours */
    expiring: {
      /** Their number, at most 1,000 */
      count: number;
      /** The five that expire first */
      payments: Payment[];
    };
    /** Enabled endpoints whose last delivery failed; null without the right to see endpoints */
    failingEndpoints: number | null;
    /** Endpoints that were disabled after failures or a 410 response; null without the right to see endpoints */
    disabledEndpoints: number | null;
  };
};

export type OverviewInterval = {
  /** When the slot begins; RFC 3339, UTC */
  at: string;
  /** Links created in the slot */
  createdCount: number;
  /** Links created in the slot that have failed */
  failedCount: number;
  /** Payments paid in the slot, whenever their link was created */
  paidCount: number;
  /** Total of these payments, in major units */
  paidAmount: number;
};

/** Paid in the period, by the ledger, whenever the link was created */
export type OverviewTotal = {
  /** Number */
  count: number;
  /** Total, in major units */
  amount: number;
};

/** The page and the contrast of its colour */
export type PagePreview = {
  /** The page as an HTML document without script. Show it by srcdoc or a blob URL in a frame with sandbox="allow-same-origin" */
  html: string;
  /** Contrast of white text on the colour (WCAG 2.2), 1 to 21 */
  contrast: number;
  /** Whether the contrast is high enough for the colour to be used (4.5) */
  isReadable: boolean;
};

export type Passkey = {
  /** ID of the passkey */
  passkeyId: string;
  /** Name of the passkey */
  name: string;
  /** When it was added; RFC 3339, UTC */
  createdAt: string;
  /** When it was last used; RFC 3339, UTC */
  lastUsedAt: string | null;
};

export type PasskeyAssertion = {
  /** Data from the browser */
  clientDataJSON: string;
  /** Data from the device */
  authenticatorData: string;
  /** Signature of the device */
  signature: string;
  /** User handle of the account */
  userHandle?: string | undefined;
};

export type PasskeyAttestation = {
  /** Data from the browser */
  clientDataJSON: string;
  /** Data from the device */
  attestationObject: string;
  transports?: string[] | undefined;
  /** Part of attestationObject */
  authenticatorData?: string | undefined;
  /** Part of attestationObject */
  publicKey?: string | undefined;
  publicKeyAlgorithm?: number | undefined;
};

/** toJSON() of the result of navigator.credentials.get */
export type PasskeyAuthentication = {
  /** ID of the credential */
  id: string;
  /** Same as id */
  rawId: string;
  type: PasskeyCredentialType;
  clientExtensionResults?: PasskeyExtensionResults | undefined;
  authenticatorAttachment?: string | null | undefined;
  response: PasskeyAssertion;
};

export type PasskeyCredentialType = 'public-key';

export type PasskeyExtensionResults = Record<string, unknown>;

/** The options for the browser */
export type PasskeyOptions = {
  options: WebAuthnOptions;
};

/** toJSON() of the result of navigator.credentials.create */
export type PasskeyRegistration = {
  /** ID of the credential */
  id: string;
  /** Same as id */
  rawId: string;
  type: PasskeyCredentialType;
  clientExtensionResults?: PasskeyExtensionResults | undefined;
  authenticatorAttachment?: string | null | undefined;
  response: PasskeyAttestation;
};

/** The passkey. You can now sign in with it */
export type PasskeyWithRecoveryCodes = {
  /** ID of the passkey */
  passkeyId: string;
  /** Name of the passkey */
  name: string;
  /** When it was added; RFC 3339, UTC */
  createdAt: string;
  /** Ten recovery codes, shown only once, with the first factor; null if the account already has some */
  recoveryCodes: string[] | null;
};

export type PasswordConfirmation = {
  /** Account password */
  currentPassword: string;
};

/** The payment and its link */
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
  /** Status of the payment */
  status: PaymentStatus;
  /** Refunded amount in major units */
  refundedAmount: number;
  /** Whether real money moves */
  mode: Mode;
  /** Customer email address */
  email: string;
  /** Customer first name */
  firstName: string | null;
  /** Customer last name */
  lastName: string | null;
  /** Customer phone number as it was sent */
  phone: string | null;
  success_url: string;
  failure_url: string;
  /** What the payment is for */
  description: string | null;
  /** The language that was requested */
  locale: string | null;
  metadata: Metadata;
  /** What the payment is for; empty if the request had no items */
  items: PaymentItem[];
  /** The tax in the items, by rate, highest rate first */
  taxes: PaymentTax[];
  /** When the link expires; RFC 3339, UTC */
  expiresAt: string;
  /** Version number: 1 for a new payment, plus 1 for each change */
  version: number;
  /** Same as CreatedOn, under the name that all objects have; RFC 3339, UTC */
  createdAt: string;
  /** Same as PaymentLinkCode, under the name that all objects have */
  paymentLinkCode: string;
  /** When it was paid; null if it is not; RFC 3339, UTC */
  paidAt: string | null;
  /** How it was or is being paid; null until the customer has started */
  method: PaymentMethod | null;
  /** What the processor charges for it, in major units; null if it is not known */
  fee: number | null;
  /** The last declined attempt, also if a later one succeeded; null without one */
  lastDecline: PaymentDecline | null;
  /** Only with expand=refunds: its refunds, newest first, at most 25 */
  refunds?: Refund[] | undefined;
  /** Only with expand=attempts: its attempts, oldest first, the current one last */
  attempts?: Attempt[] | undefined;
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

export type PaymentCard = {
  /** Brand such as visa; unknown if it is not known */
  brand: string;
  /** Last 4 digits */
  last4: string;
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

export type PaymentDecline = {
  /** ID of the attempt */
  attemptId: string;
  /** Why it was declined, for programs */
  code: 'generic_decline' | 'source_declined' | 'insufficient_funds' | 'lost_or_stolen' | 'suspected_fraud' | 'incorrect_csc' | 'expired_card' | 'processing_error' | 'authentication_failed' | 'authentication_abandoned' | 'amount_mismatch';
  /** Why it was declined, in a sentence for developers */
  message: string;
  /** When it was declined; RFC 3339, UTC */
  declinedAt: string;
  method: PaymentMethod;
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

export type PaymentItem = {
  /** What the customer buys */
  name: string;
  /** How many */
  quantity: number;
  /** Price of one in major units, tax included */
  unitAmount: number;
  /** Tax in percent */
  taxRate: number | null;
};

export type PaymentItemInput = {
  /** What the customer buys */
  name: string;
  /** How many */
  quantity: number;
  /** Price of one in major units, tax included. Negative for a discount */
  unitAmount: number;
  /** Tax in percent, at most 2 decimals. It is shown, never added */
  taxRate?: number | null | undefined;
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

export type PaymentLinkRequestedMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'payment.link_requested';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: PaymentData;
};

/** The payments. A page may have fewer entries than limit even if it is not the last */
export type PaymentList = {
  data: Payment[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type PaymentMethod = {
  /** card: entered on Paylink’s page; processor_page: what the customer chose there is not known to Paylink */
  type: 'card' | 'bank_transfer' | 'processor_page';
  /** Name of the processor */
  processor: string;
  /** The connection with the processor; null for the sandbox without a connection */
  connectionId: string | null;
  /** The card; null for another type */
  card: PaymentCard | null;
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

export type PaymentStatus = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';

export type PaymentTax = {
  /** Tax in percent */
  taxRate: number;
  /** Sum of the items with this rate in major units, tax included */
  grossAmount: number;
  /** Tax in that sum, rounded half up */
  taxAmount: number;
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
  /** Colour of the buttons on the hosted pages; null: the default colour. White text on it needs a contrast of 4.5 */
  color?: string | null | undefined;
  /** A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none */
  logo?: string | null | undefined;
  identity?: CompanyIdentityChange | undefined;
  /** Language of the page. Default: by Accept-Language */
  locale?: Locale | undefined;
  /** Status of the sample payment. Default: open */
  status?: PaymentStatus | undefined;
  /** @deprecated Use status */
  state?: PaymentStatus | undefined;
};

/** A problem document (RFC 9457) */
export type Problem = {
  /** An address that describes the error */
  type: string;
  /** A short summary of the error */
  title: string;
  /** The HTTP status */
  status: number;
  /** What to do about it */
  detail: string;
  /** This occurrence of the error */
  instance: string;
  /** The stable error code, for programs */
  code: 'bad_request' | 'unknown_version' | 'malformed_json' | 'service_key_not_alone' | 'invalid_notice' | 'missing_credentials' | 'invalid_token' | 'expired_token' | 'invalid_api_key' | 'invalid_company_id' | 'invalid_service_key' | 'session_ended' | 'wrong_login' | 'second_factor_required' | 'wrong_second_factor' | 'credentials_mismatch' | 'mode_not_allowed' | 'csrf_refused' | 'role_not_allowed' | 'scope_not_allowed' | 'service_key_not_allowed' | 'address_not_allowed' | 'test_mode_only' | 'operator_only' | 'too_many_attempts' | 'not_found' | 'payment_not_found' | 'case_not_found' | 'invalid_invitation' | 'invalid_password_reset' | 'method_not_allowed' | 'request_timeout' | 'order_conflict' | 'payment_in_progress' | 'payment_ended' | 'not_refundable' | 'refund_too_large' | 'state_not_reachable' | 'key_not_active' | 'last_key' | 'live_not_possible' | 'no_key_of_mode' | 'last_owner' | 'too_many_endpoints' | 'too_many_connections' | 'connection_in_use' | 'connection_changed' | 'second_factor_on' | 'no_second_factor' | 'endpoint_disabled' | 'email_taken' | 'line_not_waiting' | 'bank_refund_ended' | 'idempotency_in_progress' | 'stale_remaining' | 'body_too_large' | 'unsupported_media_type' | 'invalid_fields' | 'email_not_deliverable' | 'statement_refused' | 'invalid_idempotency_key' | 'idempotency_key_reused' | 'rate_limited' | 'login_paused' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'import_in_progress' | 'processor_unreachable';
  /** The request ID, as in the log */
  requestId: string;
  /** The invalid fields or headers */
  errors: FieldError[];
  /** @deprecated The HTTP status as text */
  responseCode: string;
  /** Same as title */
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
  /** Customer first name. null and "" count as missing */
  firstName?: string | null | undefined;
  /** Customer last name. null and "" count as missing */
  lastName?: string | null | undefined;
  /** Merchant reference for the order, unique among open, processing and paid links. A UUID is recommended */
  customerOrderId: string;
  /** Customer email address */
  email: string;
  /** Invoice amount in major units, at most 2 decimals */
  amount: number;
  /** ISO 4217 code */
  currency: Currency;
  /** Customer phone number. null and "" count as missing */
  phone?: string | null | undefined;
  /** Address the service redirects the user to after a successful payment */
  success_url: string;
  /** Address the service redirects the user to after a failed payment */
  failure_url: string;
  /** What the payment is for, shown to the customer. null and "" count as missing */
  description?: string | null | undefined;
  /** When the link expires, 5 minutes to 180 days from now (RFC 3339). Default for a new link: 7 days. null and "" count as missing */
  expiresAt?: string | null | undefined;
  /** Language of the page, the emails and the receipt (BCP 47), unless the customer picks another one. Default: that of the customer’s browser. null and "" count as missing */
  locale?: string | null | undefined;
  /** Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500. null and "" count as missing */
  metadata?: MetadataInput | null | undefined;
  /** What the payment is for, at most 100 items. The sum of quantity × unitAmount must equal amount. A list without items counts as missing, too. null and "" count as missing */
  items?: PaymentItemInput[] | null | undefined;
};

export type Processor = {
  /** Name in settings and addresses */
  processor: string;
  /** Display name */
  title: string;
  /** How a customer pays: by card on Paylink’s page, on the processor’s page, or by bank transfer */
  takes: 'card' | 'page' | 'transfer';
  modes: Mode[];
  currencies: string[];
  /** Credentials and settings that a connection requires */
  fields: ProcessorField[];
};

/** The connection */
export type ProcessorConnection = {
  /** ID of the connection */
  connectionId: string;
  /** @deprecated Use connectionId */
  id: string;
  processor: string;
  /** Display name of the processor */
  title: string;
  /** Mode of the connection. Only payments in this mode use it */
  mode: Mode;
  name: string;
  /** Holder of the account, as the processor reports it */
  holder: string;
  currencies: string[];
  position: number;
  enabled: boolean;
  credentials: ProcessorCredential[];
  /** Webhook URL to enter at the processor; null if the processor sends no webhooks */
  webhookUrl: string | null;
  health: ProcessorHealth;
  notices: ProcessorWebhookCounts;
  /** When the connection was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created the connection */
  createdBy: string;
};

/** The connections in the mode of your API key, in the order in which customers are offered them */
export type ProcessorConnectionList = {
  data: ProcessorConnection[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type ProcessorCredential = {
  name: string;
  isSecret: boolean;
  isSet: boolean;
  /** Null for a secret */
  value: string | null;
};

/** Credentials by field name, as `GET /v1/processors` lists them. Secrets are never returned */
export type ProcessorCredentials = Record<string, string>;

export type ProcessorField = {
  name: string;
  /** Display name */
  label: string;
  /** Whether its value is never returned */
  isSecret: boolean;
  isRequired: boolean;
  /** Where to find it */
  help: string;
};

/** Whether the processor responded to the last calls */
export type ProcessorHealth = {
  isUp: boolean;
  /** Until when the connection is offered only if no other method is up; RFC 3339, UTC */
  recoversAt: string | null;
  /** @deprecated Use recoversAt */
  downUntil: string | null;
};

/** All processors */
export type ProcessorList = {
  data: Processor[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

/** Results of the processor’s webhooks */
export type ProcessorWebhookCounts = {
  /** Matched a payment and triggered a query */
  accepted: number;
  /** Unrelated to Paylink’s payments */
  irrelevant: number;
  /** Repeated */
  replayed: number;
  /** Differed from the payment in amount, currency, account or attempt; nothing was changed */
  mismatched: number;
  /** Not signed with the secret of this connection; nothing was changed */
  forged: number;
  /** When the last webhook arrived; RFC 3339, UTC */
  lastAt: string | null;
};

/** The new codes. Earlier codes no longer work */
export type RecoveryCodes = {
  /** Ten codes, shown only once, each valid once */
  recoveryCodes: string[];
};

/** The refund, which may still be in progress */
export type Refund = {
  /** ID of the refund */
  refundId: string;
  /** Code of the payment */
  paymentLinkCode: string;
  /** Amount in major units */
  amount: number;
  /** ISO 4217 code */
  currency: string;
  status: RefundStatus;
  /** surplus: refund of an overpayment */
  kind: RefundKind;
  /** For your own records */
  reason: string | null;
  /** Why the processor refused it */
  failureCode: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** @deprecated Use createdAt */
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

export type RefundKind = 'merchant' | 'surplus';

/** The refunds of the payment */
export type RefundList = {
  data: Refund[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type RefundPaymentRequest = {
  /** Amount to refund in major units. Default: the remaining amount */
  amount?: number | undefined;
  /** The remaining amount that you expect, in major units. If it differs, the response is 412 */
  expectedRemaining?: number | undefined;
  /** For your own records */
  reason?: string | undefined;
};

export type RefundStatus = 'created' | 'processing' | 'unknown' | 'succeeded' | 'failed';

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

export type ReorderProcessorConnectionsRequest = {
  /** IDs of all connections in the mode, in the order in which customers are offered them */
  connectionIds: string[];
};

/** Number of deliveries that are sent again */
export type ResendResult = {
  /** Number of deliveries that are sent again */
  count: number;
};

export type ResendWebhookDeliveriesRequest = {
  /** Events at or after this time; RFC 3339. Required */
  createdFrom?: string | undefined;
  /** @deprecated Use createdFrom */
  since?: string | undefined;
};

export type ResetPasswordRequest = {
  /** The token: the part of the link after # */
  token: string;
  /** At least 12 characters, 5 of them different. Must not be the email address or a common password */
  password: string;
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

export type RetryPolicy = 'none' | 'fixable' | 'all';

export type Role = 'owner' | 'admin' | 'developer' | 'support' | 'viewer';

export type RollApiKeyRequest = {
  /** How long the old key stays valid. Default: 24; 0 ends it at once */
  overlapHours?: number | undefined;
};

export type RollServiceKeyRequest = {
  /** How long the old key stays valid. Default: 24; 0 ends it at once */
  overlapHours?: number | undefined;
  /** When the new key expires; RFC 3339. Left out: it gets the lifetime of the old one; null: it does not expire */
  expiresAt?: string | null | undefined;
};

export type RollWebhookSecretRequest = {
  /** How long messages are also signed with the old secret; 24 by default */
  overlapHours?: number | undefined;
};

/** The second factors of the account */
export type SecondFactors = {
  /** The authenticator app; null if there is none */
  totp: AuthenticatorApp | null;
  /** The passkeys, oldest first */
  passkeys: Passkey[];
  /** Number of unused recovery codes */
  recoveryCodesLeft: number;
};

/** The service key, without its secret */
export type ServiceKey = {
  /** ID of the key. It is not secret */
  keyId: string;
  /** Name of the key */
  name: string;
  /** Whether it moves real money */
  mode: Mode;
  /** expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused */
  status: ApiKeyStatus;
  /** What the key may do */
  scopes: ServiceKeyScope[];
  /** Addresses and ranges from which it may be used; empty: from anywhere */
  allowedAddresses: string[];
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it */
  createdBy: string;
  /** When it expires; RFC 3339, UTC */
  expiresAt: string | null;
  /** ID of the key that a roll created in its place */
  replacedByKeyId: string | null;
  /** When it was revoked; RFC 3339, UTC */
  revokedAt: string | null;
  /** When it was last used, to the minute; RFC 3339, UTC */
  lastUsedAt: string | null;
};

/** The service keys, newest first */
export type ServiceKeyList = {
  data: ServiceKey[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type ServiceKeyScope = 'payments:create' | 'payments:read' | 'payments:update' | 'payments:cancel' | 'payments:refund' | 'events:read' | 'balances:read' | 'bank:read' | 'exports:read' | 'webhooks:read' | 'webhooks:manage' | 'processors:read' | 'company:read' | 'audit:read' | 'requests:read';

/** The new service key. Only this response contains the key itself */
export type ServiceKeyWithSecret = {
  /** ID of the key. It is not secret */
  keyId: string;
  /** Name of the key */
  name: string;
  /** Whether it moves real money */
  mode: Mode;
  /** expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused */
  status: ApiKeyStatus;
  /** What the key may do */
  scopes: ServiceKeyScope[];
  /** Addresses and ranges from which it may be used; empty: from anywhere */
  allowedAddresses: string[];
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it */
  createdBy: string;
  /** When it expires; RFC 3339, UTC */
  expiresAt: string | null;
  /** ID of the key that a roll created in its place */
  replacedByKeyId: string | null;
  /** When it was revoked; RFC 3339, UTC */
  revokedAt: string | null;
  /** When it was last used, to the minute; RFC 3339, UTC */
  lastUsedAt: string | null;
  /** The key itself, for Authorization: Bearer */
  key: string;
};

export type ServiceProblem = {
  /** What needs a person */
  code: 'down_cells' | 'dead_work' | 'late_work' | 'unknown_attempts' | 'failing_connections' | 'open_cases' | 'late_jobs' | 'unsealed_events';
  /** How many of them there are */
  count: number;
  /** For how long the oldest one has been so, in seconds */
  seconds: number | null;
  /** The cells, kinds of work, modes, processors, kinds of cases or jobs that it is about */
  names: string[];
};

/** The status of the service, over all companies */
export type ServiceStatus = {
  /** When the status was read; RFC 3339, UTC */
  at: string;
  /** The cells whose database does not respond; the figures are those of the others. Empty with one database */
  downCells: string[];
  /** ok: nothing needs a person; attention: problems lists what does */
  verdict: 'ok' | 'attention';
  /** What needs a person */
  problems: ServiceProblem[];
  /** Every kind of work */
  work: WorkStatus[];
  /** Both modes */
  unknownAttempts: UnknownAttempts[];
  /** Connections with processors */
  connections: ConnectionStatus[];
  /** Enabled webhook endpoints whose last delivery failed */
  failingEndpoints: number;
  /** Cases that need a person, as GET /v1/cases lists them */
  openCases: OpenCaseCount[];
  /** The recurring jobs */
  jobs: JobStatus[];
  /** The age of the oldest event that is not sealed yet, in seconds */
  oldestUnsealedSeconds: number | null;
};

export type Session = {
  /** ID of the session */
  sessionId: string;
  /** Account identifier */
  accountId: string;
  /** Account email address */
  email: string;
  /** Roles of the account */
  roles: string[];
  /** The rights that the roles grant */
  rights: string[];
  /** Company identifier */
  companyId: string;
  /** What customers see as the payee */
  companyName: string;
  /** The allowed values of X-Paylink-Mode. live requires an active live API key */
  modes: Mode[];
  /** The company’s mode for logins */
  loginMode: Mode;
  /** Whether the account may read the status of the service at GET /v1/operator/status */
  isOperator: boolean;
  /** Send it as X-Paylink-Csrf with every call except GET */
  csrfToken: string;
  /** When the session ends without another call. Calls extend it, at most once a minute; RFC 3339, UTC */
  idleEndsAt: string;
  /** When the session ends at the latest; RFC 3339, UTC */
  expiresAt: string;
};

/** The session of the cookie */
export type SessionResponse = {
  /** null: nobody is signed in */
  session: Session | null;
};

export type SignInRequest = {
  /** Account email address */
  email: string;
  /** Account password */
  password: string;
  /** Current code of the authenticator app */
  otp?: string | undefined;
  /** A recovery code, instead of otp */
  recoveryCode?: string | undefined;
};

export type SignInWithPasskeyRequest = {
  response: PasskeyAuthentication;
};

export type TestCancel = Record<string, never>;

export type TestClock = {
  /** The time of the company in test mode; RFC 3339, UTC */
  at: string;
  /** How far it is ahead of the real time */
  aheadSeconds: number;
  /** Whether an advance is under way */
  status: TestClockStatus;
};

export type TestClockAdvance = {
  /** How far to move, as a duration of ISO 8601 in weeks, days, hours, minutes and seconds. A clock can be 730 days ahead at most */
  by: string;
};

export type TestClockStatus = 'idle' | 'advancing';

/** What this call did */
export type TestClockWork = {
  /** Links that have expired */
  expired: number;
  /** Reminders that were queued */
  reminders: number;
  /** Queries about attempts without an outcome */
  attempts: number;
  /** Queries about refunds without an outcome */
  refunds: number;
  /** Bookings and bank transfers that were worked on */
  bankLines: number;
  /** Webhooks that were sent, whatever their result */
  webhooks: number;
  /** Emails that were sent, whatever their result */
  emails: number;
  /** Idempotency keys that have ended */
  idempotencyKeys: number;
};

export type TestDecline = {
  /** Why the card is declined. Default: generic_decline */
  declineCode?: 'generic_decline' | 'insufficient_funds' | 'incorrect_csc' | 'expired_card' | 'processing_error' | undefined;
};

export type TestEscalate = Record<string, never>;

export type TestEventRequest = {
  /** Merchant reference for the order, unique among open, processing and paid links. A UUID is recommended */
  customerOrderId?: string | undefined;
  /** Customer email address */
  email?: string | undefined;
  /** Invoice amount in major units, at most 2 decimals */
  amount?: number | undefined;
  /** ISO 4217 code */
  currency?: Currency | undefined;
  /** Address the service redirects the user to after a successful payment */
  success_url?: string | undefined;
  /** Address the service redirects the user to after a failed payment */
  failure_url?: string | undefined;
  /** Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500. null and "" count as missing */
  metadata?: MetadataInput | null | undefined;
};

export type TestExpire = Record<string, never>;

export type TestLinkRequest = Record<string, never>;

export type TestOpen = Record<string, never>;

export type TestOverpay = Record<string, never>;

export type TestPay = Record<string, never>;

export type TestProcess = {
  /** Status of the attempt. Default: processing */
  attemptStatus?: 'processing' | 'requires_action' | 'unknown' | undefined;
};

export type TestRefund = {
  /** Amount in major units. Default: the whole remaining amount */
  amount?: number | undefined;
  /** How the sandbox responds. Default: succeeded */
  outcome?: 'succeeded' | 'failed' | 'unknown' | undefined;
};

export type TestSettle = {
  /** How it ends. Default: succeeded */
  outcome?: 'succeeded' | 'declined' | undefined;
};

export type TestTransfer = {
  /** Amount in major units. Default: what is still due */
  amount?: number | undefined;
  /** The bank takes the money back, which a person must review */
  isReturn?: boolean | undefined;
};

export type TestedPayment = {
  payment: Payment;
  /** The latest refund of the payment; null without one */
  refund: Refund | null;
};

/** The secret, shown only once. Logins require a code once the app is confirmed */
export type TotpSecret = {
  /** The secret in base 32 (RFC 4648), to type into an app */
  secret: string;
  /** The secret as a URI, for a QR code */
  uri: string;
};

export type UnknownAttempts = {
  /** The mode */
  mode: Mode;
  /** Attempts whose outcome is unknown */
  count: number;
  /** How long that of the oldest one has been unknown, in seconds */
  oldestSeconds: number | null;
};

export type UpdatePaymentRequest = {
  /** When the link expires, 5 minutes to 180 days from now (RFC 3339). Default for a new link: 7 days */
  expiresAt?: string | undefined;
  /** Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500 */
  metadata?: MetadataInput | undefined;
};

export type UpdateProcessorConnectionRequest = {
  /** Your name for the connection. Customers read it if the page offers another connection to the same processor */
  name?: string | undefined;
  /** Currencies in which customers are offered the connection */
  currencies?: Currency[] | undefined;
  /** Position among the methods that customers are offered, lowest first */
  position?: number | undefined;
  /** Whether customers are offered the connection */
  enabled?: boolean | undefined;
  credentials?: ProcessorCredentials | undefined;
};

export type UpdateWebhookEndpointRequest = {
  /** URL that receives POST requests: a public host, https in live mode */
  url?: string | undefined;
  /** Event types, or ["*"] for all types, including future ones */
  events?: string[] | undefined;
  /** For your records */
  description?: string | null | undefined;
  /** Version of the API in which messages are sent; null: the newest at the time of sending */
  apiVersion?: ApiVersion | null | undefined;
  /** disabled: nothing is sent, and what happens is kept until it is on again */
  status?: 'enabled' | 'disabled' | undefined;
};

/** For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON. Valid for 5 minutes */
export type WebAuthnOptions = Record<string, unknown>;

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
  status: WebhookDeliveryState;
  /** @deprecated Use status */
  state: WebhookDeliveryState;
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
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type WebhookDeliveryState = 'pending' | 'delivered' | 'failed';

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
  status: WebhookDeliveryState;
  /** @deprecated Use status */
  state: WebhookDeliveryState;
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
  endpointId: string;
  /** @deprecated Use endpointId */
  id: string;
  /** Mode of the API key that created it. It receives events of this mode */
  mode: Mode;
  url: string;
  events: string[];
  /** For your records */
  description: string | null;
  /** Version of the API in which messages are sent; null: the newest at the time of sending */
  apiVersion: string | null;
  /** Whether messages are sent */
  status: WebhookEndpointStatus;
  /** switched_off, gone (it answered 410) or failing (for 5 days); null while it is on */
  disabledReason: string | null;
  /** First failure since the last success; RFC 3339, UTC */
  firstFailedAt: string | null;
  /** @deprecated Use firstFailedAt */
  failingSince: string | null;
  /** Until when messages are also signed with the previous secret; RFC 3339, UTC */
  previousSecretExpiresAt: string | null;
  /** @deprecated Use previousSecretExpiresAt */
  previousSecretUntil: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it, or key: and the ID of a service key */
  createdBy: string;
};

export type WebhookEndpointData = {
  endpoint: WebhookEndpointSummary;
};

export type WebhookEndpointDisabledMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'webhook_endpoint.disabled';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: WebhookEndpointData;
};

export type WebhookEndpointDisabledReason = 'switched_off' | 'gone' | 'failing';

/** The endpoints, newest first */
export type WebhookEndpointList = {
  data: WebhookEndpoint[];
  /** The cursor of the next page; null on the last */
  nextCursor: string | null;
};

export type WebhookEndpointStatus = 'enabled' | 'disabled' | 'deleted';

export type WebhookEndpointSummary = {
  /** ID of the endpoint */
  endpointId: string;
  /** @deprecated Use endpointId */
  id: string;
  url: string;
  mode: Mode;
  /** Why it is disabled; null while it is enabled */
  reason: WebhookEndpointDisabledReason | null;
};

export type WebhookEndpointTestMessage = {
  /** Identification of the event; the same each time it is sent */
  id: string;
  type: 'webhook_endpoint.test';
  /** When it happened; RFC 3339, UTC */
  timestamp: string;
  /** The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one */
  version: number | null;
  data: WebhookEndpointData;
};

/** The endpoint with its new secret */
export type WebhookEndpointWithSecret = {
  /** Identification of the endpoint */
  endpointId: string;
  /** @deprecated Use endpointId */
  id: string;
  /** Mode of the API key that created it. It receives events of this mode */
  mode: Mode;
  url: string;
  events: string[];
  /** For your records */
  description: string | null;
  /** Version of the API in which messages are sent; null: the newest at the time of sending */
  apiVersion: string | null;
  /** Whether messages are sent */
  status: WebhookEndpointStatus;
  /** switched_off, gone (it answered 410) or failing (for 5 days); null while it is on */
  disabledReason: string | null;
  /** First failure since the last success; RFC 3339, UTC */
  firstFailedAt: string | null;
  /** @deprecated Use firstFailedAt */
  failingSince: string | null;
  /** Until when messages are also signed with the previous secret; RFC 3339, UTC */
  previousSecretExpiresAt: string | null;
  /** @deprecated Use previousSecretExpiresAt */
  previousSecretUntil: string | null;
  /** When it was created; RFC 3339, UTC */
  createdAt: string;
  /** The account that created it, or key: and the ID of a service key */
  createdBy: string;
  /** Signing secret. Only this response contains it */
  secret: string;
};

/** All headers except webhook-timestamp and webhook-signature, which differ for each attempt */
export type WebhookHeaders = Record<string, string>;

/** The webhook of an event as it would be sent now */
export type WebhookMessage = {
  /** The headers. webhook-signature contains only v1a, the signature with the published key */
  headers: WebhookHeaders;
  /** The exact body */
  body: string;
};

/** The request as it would be sent now. Its data is current at the time of sending */
export type WebhookRequest = {
  method: 'POST';
  /** URL that it is sent to */
  url: string;
  headers: WebhookHeaders;
  /** The exact body */
  body: string;
};

export type WorkStatus = {
  /** The kind of work */
  kind: string;
  /** How much of it is due now, at most 100000 */
  due: number;
  /** How long the oldest of it has been due, in seconds */
  oldestDueSeconds: number | null;
  /** How much of it waits for a person, see paylink jobs dead */
  dead: number;
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
    answer: LogInResult;
  };
  /** Sign in with a browser and get an HttpOnly cookie */
  signIn: {
    input: {
      body: SignInRequest;
    };
    answer: SessionResponse;
  };
  /** Retrieve the session of the cookie */
  getSession: {
    input: Record<string, never>;
    answer: SessionResponse;
  };
  /** Sign out: end the session and delete the cookie */
  signOut: {
    input: Record<string, never>;
    answer: undefined;
  };
  /** Create the options for a sign-in with a passkey */
  beginPasskeySignIn: {
    input: Record<string, never>;
    answer: PasskeyOptions;
  };
  /** Sign in with a passkey, without an address or a password */
  signInWithPasskey: {
    input: {
      body: SignInWithPasskeyRequest;
    };
    answer: SessionResponse;
  };
  /** Request a password reset link by email */
  askPasswordReset: {
    input: {
      body: ForgotPasswordRequest;
    };
    answer: undefined;
  };
  /** Set a new password with a reset link and end all sessions of the account */
  acceptPasswordReset: {
    input: {
      body: ResetPasswordRequest;
    };
    answer: undefined;
  };
  /** Retrieve the public keys (RFC 7517) that verify tokens and payment results */
  getKeySet: {
    input: Record<string, never>;
    answer: JwkSet;
  };
  /** Retrieve what the credentials of this call may do */
  getAccess: {
    input: Record<string, never>;
    answer: Access;
  };
  /** Retrieve the account of the caller */
  getMe: {
    input: Record<string, never>;
    answer: Account;
  };
  /** Change the password and end all other sessions of the account */
  changePassword: {
    input: {
      body: ChangePasswordRequest;
    };
    answer: undefined;
  };
  /** List the sessions of the account */
  listSessions: {
    input: {
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: AccountSessionList;
  };
  /** End all other sessions of the account */
  endOtherSessions: {
    input: Record<string, never>;
    answer: undefined;
  };
  /** Log out: end the session of this call */
  logOut: {
    input: Record<string, never>;
    answer: undefined;
  };
  /** End a session of the account */
  endSession: {
    input: {
      path: {
        /** ID of the session */
        sessionId: string;
      };
    };
    answer: undefined;
  };
  /** Retrieve the second factors of the account */
  getSecondFactors: {
    input: Record<string, never>;
    answer: SecondFactors;
  };
  /** Generate ten recovery codes, which replace all earlier ones */
  makeRecoveryCodes: {
    input: {
      body: PasswordConfirmation;
    };
    answer: RecoveryCodes;
  };
  /** Create a secret for an authenticator app. Logins require a code once the app is confirmed */
  beginTotp: {
    input: {
      body: PasswordConfirmation;
    };
    answer: TotpSecret;
  };
  /** Confirm the authenticator app with one of its codes */
  confirmTotp: {
    input: {
      body: ConfirmTotpRequest;
    };
    answer: ConfirmedTotp;
  };
  /** Remove the authenticator app */
  removeTotp: {
    input: {
      body: PasswordConfirmation;
    };
    answer: undefined;
  };
  /** Create the options for a new passkey */
  beginPasskey: {
    input: {
      body: PasswordConfirmation;
    };
    answer: PasskeyOptions;
  };
  /** Add a passkey */
  addPasskey: {
    input: {
      body: AddPasskeyRequest;
    };
    answer: PasskeyWithRecoveryCodes;
  };
  /** Remove a passkey */
  removePasskey: {
    input: {
      path: {
        /** ID of the passkey */
        passkeyId: string;
      };
      body: PasswordConfirmation;
    };
    answer: undefined;
  };
  /** List the API keys */
  listApiKeys: {
    input: {
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
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
  /** Roll an API key. The old key stays valid for an overlap */
  rollApiKey: {
    input: {
      path: {
        /** ID of the key */
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
        /** ID of the key */
        keyId: string;
      };
    };
    answer: ApiKey;
  };
  /** List the service keys */
  listServiceKeys: {
    input: {
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: ServiceKeyList;
  };
  /** Create a service key */
  createServiceKey: {
    input: {
      body: CreateServiceKeyRequest;
    };
    answer: ServiceKeyWithSecret;
  };
  /** Retrieve a service key */
  getServiceKey: {
    input: {
      path: {
        /** ID of the service key */
        keyId: string;
      };
    };
    answer: ServiceKey;
  };
  /** Change the name or the allowed addresses of a service key */
  changeServiceKey: {
    input: {
      path: {
        /** ID of the service key */
        keyId: string;
      };
      body: ChangeServiceKeyRequest;
    };
    answer: ServiceKey;
  };
  /** Revoke a service key at once */
  revokeServiceKey: {
    input: {
      path: {
        /** ID of the service key */
        keyId: string;
      };
    };
    answer: ServiceKey;
  };
  /** Roll a service key. The old key stays valid for an overlap */
  rollServiceKey: {
    input: {
      path: {
        /** ID of the service key */
        keyId: string;
      };
      body: RollServiceKeyRequest;
    };
    answer: ServiceKeyWithSecret;
  };
  /** List the members of the company */
  listMembers: {
    input: {
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: MemberList;
  };
  /** Invite a person by email */
  inviteMember: {
    input: {
      body: InviteMemberRequest;
    };
    answer: InvitationWithLink;
  };
  /** Change the roles of a member */
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
  /** Remove a member and end their sessions */
  removeMember: {
    input: {
      path: {
        /** Account identifier */
        accountId: string;
      };
    };
    answer: undefined;
  };
  /** List the open invitations */
  listInvitations: {
    input: {
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: InvitationList;
  };
  /** Revoke an invitation */
  revokeInvitation: {
    input: {
      path: {
        /** ID of the invitation */
        invitationId: string;
      };
    };
    answer: undefined;
  };
  /** Accept an invitation and create the account */
  acceptInvitation: {
    input: {
      body: AcceptInvitationRequest;
    };
    answer: AcceptedInvitation;
  };
  /** Retrieve the company */
  getCompany: {
    input: Record<string, never>;
    answer: Company;
  };
  /** Change the company. Missing fields stay unchanged */
  changeCompany: {
    input: {
      body: ChangeCompanyRequest;
    };
    answer: Company;
  };
  /** Upload the logo */
  uploadLogo: {
    input: {
      query?: {
        /** light is the logo; dark is its variant on dark pages. Default: light */
        variant?: LogoVariant | undefined;
      } | undefined;
      body: FileBody;
    };
    answer: Company;
  };
  /** Delete the uploaded logo */
  deleteLogo: {
    input: {
      query?: {
        /** light is the logo; dark is its variant on dark pages. Default: light */
        variant?: LogoVariant | undefined;
      } | undefined;
    };
    answer: Company;
  };
  /** List all events of the company, and who caused them */
  listAuditEvents: {
    input: {
      query?: {
        /** Event type; a * at the end matches any ending */
        type?: QueryText | undefined;
        /** Who caused it; a * at the end matches any ending */
        actor?: QueryText | undefined;
        /** Only events about the company itself: keys, members, logins, settings */
        about?: 'company' | undefined;
        /** Only events of this payment */
        paymentLinkCode?: QueryText | undefined;
        /** Events at this time or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Events before this time; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** @deprecated Use paymentLinkCode */
        PaymentLinkCode?: QueryText | undefined;
        /** @deprecated Use createdFrom */
        from?: QueryText | undefined;
        /** @deprecated Use createdTo */
        to?: QueryText | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: AuditEventList;
  };
  /** List the calls of the company in this mode */
  listRequests: {
    input: {
      query?: {
        /** Status of the response, or a class such as 4xx */
        status?: QueryText | undefined;
        /** The HTTP method */
        method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
        /** The beginning of the path */
        path?: QueryText | undefined;
        /** The ID of the API key */
        keyId?: QueryText | undefined;
        /** The request ID */
        requestId?: QueryText | undefined;
        /** Calls at this time or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Calls before this time; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: ApiRequestList;
  };
  /** Retrieve a call with its bodies */
  getRequest: {
    input: {
      path: {
        /** The request ID of the call */
        requestId: string;
      };
    };
    answer: ApiRequestDetails;
  };
  /** Retrieve the status of the service, as an operator */
  getOperatorStatus: {
    input: Record<string, never>;
    answer: ServiceStatus;
  };
  /** Process a payment transaction and obtain a payment link */
  processPayment: {
    input: {
      body: ProcessPaymentRequest;
    };
    answer: Payment;
  };
  /** List processors */
  listProcessors: {
    input: Record<string, never>;
    answer: ProcessorList;
  };
  /** List connections */
  listProcessorConnections: {
    input: Record<string, never>;
    answer: ProcessorConnectionList;
  };
  /** Create a connection */
  createProcessorConnection: {
    input: {
      body: CreateProcessorConnectionRequest;
    };
    answer: ProcessorConnection;
  };
  /** Retrieve a connection */
  getProcessorConnection: {
    input: {
      path: {
        /** ID of the connection */
        connectionId: string;
      };
    };
    answer: ProcessorConnection;
  };
  /** Update a connection */
  updateProcessorConnection: {
    input: {
      path: {
        /** ID of the connection */
        connectionId: string;
      };
      body: UpdateProcessorConnectionRequest;
    };
    answer: ProcessorConnection;
  };
  /** Delete a connection and its credentials */
  deleteProcessorConnection: {
    input: {
      path: {
        /** ID of the connection */
        connectionId: string;
      };
    };
    answer: ProcessorConnection;
  };
  /** Check the credentials of a connection */
  checkProcessorConnection: {
    input: {
      path: {
        /** ID of the connection */
        connectionId: string;
      };
    };
    answer: ProcessorConnection;
  };
  /** Set the order of connections */
  orderProcessorConnections: {
    input: {
      body: ReorderProcessorConnectionsRequest;
    };
    answer: ProcessorConnectionList;
  };
  /** Retrieve a payment */
  getPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      query?: {
        /** Objects to include, separated by commas: refunds, attempts */
        expand?: QueryText | undefined;
      } | undefined;
    };
    answer: Payment;
  };
  /** Update an open payment */
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
  /** Refund a payment, partially or in full */
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
  /** List the refunds of a payment, oldest first */
  listRefunds: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
    };
    answer: RefundList;
  };
  /** List refunds, newest first */
  findRefunds: {
    input: {
      query?: {
        /** Only refunds of this payment */
        paymentLinkCode?: QueryText | undefined;
        /** Status of the refund */
        status?: RefundStatus | undefined;
        /** Created at this time or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Created before this time; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** Objects to include, separated by commas: payment */
        expand?: QueryText | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: ExpandableRefundList;
  };
  /** Retrieve a refund */
  getRefund: {
    input: {
      path: {
        /** ID of the refund */
        refundId: string;
      };
      query?: {
        /** Objects to include, separated by commas: payment */
        expand?: QueryText | undefined;
      } | undefined;
    };
    answer: ExpandableRefund;
  };
  /** List the cases that a person must resolve */
  listCases: {
    input: Record<string, never>;
    answer: CaseList;
  };
  /** Close a case about money that Paylink cannot account for */
  closeCase: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: CloseCaseRequest;
    };
    answer: ClosedCase;
  };
  /** Find payments */
  listPayments: {
    input: {
      query?: {
        /** Status of the payment */
        status?: PaymentStatus | undefined;
        /** The order ID; a * at the end matches any ending */
        customerOrderId?: QueryText | undefined;
        /** The customer’s email address; a * at the end matches any ending */
        email?: QueryText | undefined;
        /** The smallest amount, in major units */
        minAmount?: QueryText | undefined;
        /** The largest amount, in major units */
        maxAmount?: QueryText | undefined;
        /** ISO 4217 code */
        currency?: Currency | undefined;
        /** The mode of the credentials; the other mode is rejected */
        mode?: Mode | undefined;
        /** Created at this time or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Created before this time; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** The beginnings of words of the name, email address, order ID, description or amount, or the last four digits of the card; all must match. A new payment is found within a second */
        text?: QueryText | undefined;
        /** Objects to include, separated by commas: refunds, attempts */
        expand?: QueryText | undefined;
        /** Newest first (-createdAt, the default) or oldest first. -CreatedOn and CreatedOn are deprecated */
        sort?: '-createdAt' | 'createdAt' | '-CreatedOn' | 'CreatedOn' | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: PaymentList;
  };
  /** Export the matching payments as a file, oldest first */
  exportPayments: {
    input: {
      query?: {
        /** Default: csv */
        format?: 'csv' | 'ndjson' | undefined;
        /** Status of the payment */
        status?: PaymentStatus | undefined;
        /** The order ID; a * at the end matches any ending */
        customerOrderId?: QueryText | undefined;
        /** The customer’s email address; a * at the end matches any ending */
        email?: QueryText | undefined;
        /** The smallest amount, in major units */
        minAmount?: QueryText | undefined;
        /** The largest amount, in major units */
        maxAmount?: QueryText | undefined;
        /** ISO 4217 code */
        currency?: Currency | undefined;
        /** The mode of the credentials; the other mode is rejected */
        mode?: Mode | undefined;
        /** Created at this time or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Created before this time; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** The beginnings of words of the name, email address, order ID, description or amount, or the last four digits of the card; all must match. A new payment is found within a second */
        text?: QueryText | undefined;
      } | undefined;
    };
    answer: Response;
  };
  /** Get an overview: what was created and paid in the last days, and what needs attention */
  getOverview: {
    input: {
      query?: {
        /** Number of days, including today; default: 7 */
        days?: '1' | '7' | '30' | undefined;
        /** IANA time zone that determines the days; default: UTC */
        timeZone?: QueryText | undefined;
      } | undefined;
    };
    answer: Overview;
  };
  /** Follow the public events */
  listEvents: {
    input: {
      query?: {
        /** The nextCursor of the previous call; latest for the current end */
        after?: QueryText | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** Seconds to wait for a new event, 0 to 30; default: 0 */
        wait?: QueryText | undefined;
      } | undefined;
    };
    answer: EventFeed;
  };
  /** List the events of a payment, and who caused them */
  listPaymentEvents: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: AuditEventList;
  };
  /** List the balances of the ledger accounts */
  listBalances: {
    input: Record<string, never>;
    answer: BalanceList;
  };
  /** List the ledger entries */
  listLedgerEntries: {
    input: {
      query?: {
        /** Posted at this time or later; RFC 3339 */
        createdFrom?: QueryText | undefined;
        /** Posted before this time; RFC 3339 */
        createdTo?: QueryText | undefined;
        /** Only entries of this payment */
        paymentLinkCode?: QueryText | undefined;
        /** @deprecated Use createdFrom */
        from?: QueryText | undefined;
        /** @deprecated Use createdTo */
        to?: QueryText | undefined;
        /** @deprecated Use paymentLinkCode */
        PaymentLinkCode?: QueryText | undefined;
        /** Oldest first (createdAt, the default) or newest first. CreatedOn and -CreatedOn are deprecated */
        sort?: 'createdAt' | '-createdAt' | 'CreatedOn' | '-CreatedOn' | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
      } | undefined;
    };
    answer: LedgerEntryList;
  };
  /** Retrieve a payment link as a QR code */
  drawQrCode: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      query?: {
        /** Default: svg */
        format?: 'svg' | 'png' | undefined;
        /** Width and height in pixels, 64 to 1024. Default: 256 */
        size?: QueryText | undefined;
      } | undefined;
    };
    answer: Response;
  };
  /** List webhook endpoints */
  listWebhookEndpoints: {
    input: {
      query?: {
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
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
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
        cursor?: QueryText | undefined;
        /** Only deliveries with this status */
        status?: WebhookDeliveryState | undefined;
        /** @deprecated Use status */
        state?: WebhookDeliveryState | undefined;
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
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
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
    answer: ResendResult;
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
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
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
        status?: BankLineStatus | undefined;
        /** @deprecated Use status */
        state?: BankLineStatus | undefined;
        /** Only lines of this statement */
        statementId?: QueryText | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
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
        status?: BankRefundStatus | undefined;
        /** @deprecated Use status */
        state?: BankRefundStatus | undefined;
        /** Entries per page, 1 to 100; default 25 */
        limit?: QueryText | undefined;
        /** The nextCursor of the previous page */
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
  /** Retrieve the test clock */
  getTestClock: {
    input: Record<string, never>;
    answer: TestClock;
  };
  /** Move the test clock forward */
  advanceTestClock: {
    input: {
      body: TestClockAdvance;
    };
    answer: AdvancedTestClock;
  };
  /** Open the link, as a customer does */
  testOpenPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestOpen;
    };
    answer: TestedPayment;
  };
  /** Pay with a test card */
  testPayPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestPay;
    };
    answer: TestedPayment;
  };
  /** Pay with a test card that is declined */
  testDeclinePayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestDecline;
    };
    answer: TestedPayment;
  };
  /** Begin to pay, without an outcome */
  testProcessPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestProcess;
    };
    answer: TestedPayment;
  };
  /** End the live attempt, or the refund without an outcome */
  testSettlePayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestSettle;
    };
    answer: TestedPayment;
  };
  /** Expire the link now */
  testExpirePayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestExpire;
    };
    answer: TestedPayment;
  };
  /** Cancel the link */
  testCancelPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestCancel;
    };
    answer: TestedPayment;
  };
  /** Ask for a new link, as the customer of a failed or expired one */
  testRequestPaymentLink: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestLinkRequest;
    };
    answer: TestedPayment;
  };
  /** Refund the payment, with an outcome */
  testRefundPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestRefund;
    };
    answer: TestedPayment;
  };
  /** Pay with a test card that is charged a wrong amount */
  testOverpayPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestOverpay;
    };
    answer: TestedPayment;
  };
  /** Receive a bank transfer for the payment */
  testTransferPayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestTransfer;
    };
    answer: TestedPayment;
  };
  /** Make the live attempt, or the refund without an outcome, a case */
  testEscalatePayment: {
    input: {
      path: {
        /** The PaymentLinkCode of the payment */
        code: string;
      };
      body: TestEscalate;
    };
    answer: TestedPayment;
  };
  /** Cause an event */
  causeTestEvent: {
    input: {
      path: {
        /** Type of the event */
        type: 'payment.created' | 'payment.opened' | 'payment.processing' | 'payment.paid' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'payment.link_requested' | 'payment.partly_paid' | 'payment.transfer_review' | 'payment.late' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'refund.escalated' | 'attempt.unknown' | 'attempt.resolved' | 'attempt.escalated' | 'mail.failed' | 'webhook_endpoint.disabled';
      };
      body: TestEventRequest;
    };
    answer: CausedEvent;
  };
  /** Preview a hosted page with a draft of the branding */
  previewPage: {
    input: {
      body: PreviewPageRequest;
    };
    answer: PagePreview;
  };
};

/** The content of a webhook by the type of its event. */
export type WebhookEvents = {
  'payment.created': PaymentCreatedMessage;
  'payment.opened': PaymentOpenedMessage;
  'payment.processing': PaymentProcessingMessage;
  'payment.paid': PaymentPaidMessage;
  'payment.failed': PaymentFailedMessage;
  'payment.expired': PaymentExpiredMessage;
  'payment.cancelled': PaymentCancelledMessage;
  'payment.link_requested': PaymentLinkRequestedMessage;
  'payment.partly_paid': PaymentPartlyPaidMessage;
  'payment.transfer_review': PaymentTransferReviewMessage;
  'payment.late': PaymentLateMessage;
  'refund.created': RefundCreatedMessage;
  'refund.succeeded': RefundSucceededMessage;
  'refund.failed': RefundFailedMessage;
  'refund.escalated': RefundEscalatedMessage;
  'attempt.unknown': AttemptUnknownMessage;
  'attempt.resolved': AttemptResolvedMessage;
  'attempt.escalated': AttemptEscalatedMessage;
  'mail.failed': MailFailedMessage;
  'webhook_endpoint.disabled': WebhookEndpointDisabledMessage;
  'webhook_endpoint.test': WebhookEndpointTestMessage;
};

/** The content of a webhook: its `type` decides what `data` has. A newer service may have more types. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];
