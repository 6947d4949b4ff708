// The exports of the package. An exported name is a promise: add names, never remove one.

export type {
  Access,
  ApiKey,
  ApiKeys,
  ApiRequest,
  ApiRequestDetails,
  Company,
  CompanyChange,
  Invitation,
  Invitations,
  LogoQuery,
  Me,
  Member,
  Members,
  NewApiKey,
  NewInvitation,
  NewMember,
  NewServiceKey,
  OwnAccess,
  OwnAccount,
  OwnCompany,
  PagePreview,
  PageQuery,
  PasswordResets,
  RequestQuery,
  Roles,
  SecondFactors,
  ServiceKey,
  ServiceKeyChange,
  ServiceKeys,
  Session,
} from './account-resources.ts';
export type { FileBody, Operations, Problem, WebhookEvent, WebhookEvents } from './api-types.ts';
export type {
  Bank,
  BankLine,
  BankRefund,
  BankRefundQuery,
  BankStatement,
  ImportedStatement,
  LineQuery,
  StatementQuery,
} from './bank-resources.ts';
export type { Answer, Input, OperationId, RawRequest } from './call.ts';
export { type CallOptions, createPaylink, type Paylink, type PaylinkOptions } from './client.ts';
export {
  type ApiErrorCode,
  type ErrorCode,
  PaylinkApiError,
  PaylinkConnectionError,
  PaylinkError,
  PaylinkTimeoutError,
  SignatureError,
  type SignatureFault,
} from './errors.ts';
export { fetchKeySet, type KeySet } from './key-set.ts';
export type { Feed, FeedStart, List, Page } from './pages.ts';
export type { ProcessorConnection, ProcessorInfo, Processors } from './processor-resources.ts';
export {
  type Expected,
  type RedirectResult,
  type VerifyRedirectOptions,
  verifyRedirect,
} from './redirect.ts';
export type {
  AuditQuery,
  Balance,
  Balances,
  Case,
  CaseClosing,
  Cases,
  ClosedCase,
  EventPage,
  EventQuery,
  Events,
  HistoryEntry,
  Ledger,
  LedgerEntry,
  LedgerQuery,
  Overview,
  OverviewQuery,
  Overviews,
  PaylinkEvent,
  Payment,
  PaymentChange,
  PaymentDelivery,
  PaymentQuery,
  PaymentRequest,
  Payments,
  Refund,
  RefundRequest,
} from './resources.ts';
export type { Credentials } from './sessions.ts';
export type {
  AdvancedTestClock,
  CausedEvent,
  TestClock,
  TestClocks,
  TestEventFields,
  TestEvents,
  TestEventType,
  TestedPayment,
  TestPayments,
} from './test-mode-resources.ts';
export type {
  DeliveryQuery,
  EndpointQuery,
  EventWebhook,
  ListedDelivery,
  NewWebhookEndpoint,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpoints,
} from './webhook-resources.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookKey,
  type WebhookMessage,
} from './webhooks.ts';
