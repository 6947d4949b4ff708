# Generated from openapi.json by generate-python.ts: change the routes of the service, never this file.

"""The models of the API. Attributes are in snake case; the service's own names are their aliases."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, Union

from pydantic import AliasChoices, Field

from ._base import Model, Open

ApiKeyStatus: TypeAlias = Open["active", "expiring", "expired", "revoked"]

ApiVersion: TypeAlias = Open["2026-12-01"]

BankLineMatchedBy: TypeAlias = Open["reference", "person"]

BankLineReason: TypeAlias = Open["not_booked", "other_currency", "no_money", "other_account", "outgoing", "no_reference", "unknown_reference", "several_references", "batch_unclear", "maybe_duplicate", "returned", "refund_returned", "refund_amount_differs", "refund_not_waiting", "surplus_again", "too_large"]

BankLineStatus: TypeAlias = Open["new", "matched", "review", "ignored", "resolved"]

BankRefundStatus: TypeAlias = Open["waiting", "sent", "failed"]

BankStatementKind: TypeAlias = Open["camt.052", "camt.053", "camt.054"]

Currency: TypeAlias = Open["USD", "EUR"]

EventData: TypeAlias = dict[str, Any]
"""What changed"""

Jwk: TypeAlias = dict[str, str]

LedgerAccount: TypeAlias = Open["processor", "merchant", "refunds", "fees", "suspense"]

Locale: TypeAlias = Open["en", "de", "ar", "bg", "cs", "da", "el", "es", "et", "fi", "fr", "ga", "he", "hr", "hu", "is", "it", "ja", "lt", "lv", "mt", "nb", "nl", "pl", "pt-PT", "ro", "sk", "sl", "sv", "tr", "uk", "zh-Hans"]

LogoVariant: TypeAlias = Open["light", "dark"]

Metadata: TypeAlias = dict[str, str]

MetadataInput: TypeAlias = dict[str, str]

Mode: TypeAlias = Open["test", "live"]

PasskeyCredentialType: TypeAlias = Open["public-key"]

PasskeyExtensionResults: TypeAlias = dict[str, Any]

PaymentStatus: TypeAlias = Open["open", "processing", "paid", "failed", "expired", "cancelled"]

ProcessorCredentials: TypeAlias = dict[str, str]
"""Credentials by field name, as `GET /v1/processors` lists them. Secrets are never returned"""

RefundKind: TypeAlias = Open["merchant", "surplus"]

RefundStatus: TypeAlias = Open["created", "processing", "unknown", "succeeded", "failed"]

RetryPolicy: TypeAlias = Open["none", "fixable", "all"]

Role: TypeAlias = Open["owner", "admin", "developer", "support", "viewer"]

ServiceKeyScope: TypeAlias = Open["payments:create", "payments:read", "payments:update", "payments:cancel", "payments:refund", "events:read", "balances:read", "bank:read", "exports:read", "webhooks:read", "webhooks:manage", "processors:read", "company:read", "audit:read", "requests:read"]

TestClockStatus: TypeAlias = Open["idle", "advancing"]

WebAuthnOptions: TypeAlias = dict[str, Any]
"""For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON. Valid for 5 minutes"""

WebhookDeliveryState: TypeAlias = Open["pending", "delivered", "failed"]

WebhookEndpointDisabledReason: TypeAlias = Open["switched_off", "gone", "failing"]

WebhookEndpointStatus: TypeAlias = Open["enabled", "disabled", "deleted"]

WebhookHeaders: TypeAlias = dict[str, str]
"""All headers except webhook-timestamp and webhook-signature, which differ for each attempt"""


class AcceptInvitationRequest(Model):
    token: str
    """The token of the invitation"""
    password: str
    """At least 12 characters, 5 of them different. Must not be the email address or a common password"""


class AcceptedInvitation(Model):
    """The account was created. Log in with it"""

    account_id: str = Field(validation_alias="accountId", serialization_alias="accountId")
    """Account identifier"""
    email: str
    """Account email address"""
    roles: list[str]
    """Roles of the account"""
    company_id: str = Field(validation_alias="companyId", serialization_alias="companyId")
    """Company identifier"""


class Access(Model):
    """What the credentials may do"""

    company_id: str = Field(validation_alias="companyId", serialization_alias="companyId")
    """Company identifier"""
    mode: Mode
    """Whether the credentials move real money"""
    account_id: str | None = Field(validation_alias="accountId", serialization_alias="accountId")
    """The account that calls; null for a service key"""
    service_key_id: str | None = Field(validation_alias="serviceKeyId", serialization_alias="serviceKeyId")
    """ID of the service key that calls; null for an account"""
    rights: list[str]
    """The rights of the account by its roles, or the scopes of the service key"""


class Account(Model):
    """The account of the caller"""

    account_id: str = Field(validation_alias="accountId", serialization_alias="accountId")
    """Account identifier"""
    email: str
    """Account email address"""
    roles: list[str]
    """Roles of the account"""
    company_id: str = Field(validation_alias="companyId", serialization_alias="companyId")
    """Company identifier"""
    company_name: str = Field(validation_alias="companyName", serialization_alias="companyName")
    """What customers see as the payee"""
    session_id: str = Field(validation_alias="sessionId", serialization_alias="sessionId")
    """The session of this call"""


class AccountSession(Model):
    session_id: str = Field(validation_alias="sessionId", serialization_alias="sessionId")
    """ID of the session"""
    kind: Open["browser", "token"]
    """browser: sign-in with a browser; token: login of a program"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was opened; RFC 3339, UTC"""
    expires_at: str = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When it ends at the latest; RFC 3339, UTC"""
    is_current: bool = Field(validation_alias="isCurrent", serialization_alias="isCurrent")
    """Whether it is the session of this call"""


class AccountSessionList(Model):
    """The active sessions of the account, newest first"""

    data: list[AccountSession]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class AddPasskeyRequest(Model):
    name: str
    """Name of the passkey"""
    response: PasskeyRegistration


class AdvancedTestClock(Model):
    at: str
    """The time of the company in test mode; RFC 3339, UTC"""
    ahead_seconds: int = Field(validation_alias="aheadSeconds", serialization_alias="aheadSeconds")
    """How far it is ahead of the real time"""
    status: TestClockStatus
    """Whether an advance is under way"""
    is_complete: bool = Field(validation_alias="isComplete", serialization_alias="isComplete")
    """Whether everything that was due has been done. If not, the service does the rest in the next seconds"""
    done: TestClockWork


class ApiKey(Model):
    """The key, without its secret"""

    key_id: str = Field(validation_alias="keyId", serialization_alias="keyId")
    """ID of the key. It is not secret"""
    name: str
    """Name of the key"""
    mode: Mode
    """Whether it moves real money"""
    status: ApiKeyStatus
    """expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created it, or system"""
    expires_at: str | None = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When a rolled key expires; RFC 3339, UTC"""
    revoked_at: str | None = Field(validation_alias="revokedAt", serialization_alias="revokedAt")
    """When it was revoked; RFC 3339, UTC"""


class ApiKeyList(Model):
    """The keys, newest first"""

    data: list[ApiKey]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class ApiKeyWithSecret(Model):
    """The new key. Only this response and logins contain it"""

    key_id: str = Field(validation_alias="keyId", serialization_alias="keyId")
    """ID of the key. It is not secret"""
    name: str
    """Name of the key"""
    mode: Mode
    """Whether it moves real money"""
    status: ApiKeyStatus
    """expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created it, or system"""
    expires_at: str | None = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When a rolled key expires; RFC 3339, UTC"""
    revoked_at: str | None = Field(validation_alias="revokedAt", serialization_alias="revokedAt")
    """When it was revoked; RFC 3339, UTC"""
    key: str
    """The key itself, for X-API-KEY"""


class ApiRequest(Model):
    """A call of the API"""

    request_id: str = Field(validation_alias="requestId", serialization_alias="requestId")
    """The request ID: `X-Request-Id` of the response"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the call began; RFC 3339, UTC"""
    mode: Mode
    """The mode of its credentials"""
    method: str
    """The HTTP method"""
    path: str
    """The path, with the IDs in it"""
    query: str | None
    """The query, redacted; null without one"""
    status: int
    """The HTTP status of the response"""
    duration_ms: int = Field(validation_alias="durationMs", serialization_alias="durationMs")
    """Milliseconds until the response was sent"""
    key_id: str | None = Field(validation_alias="keyId", serialization_alias="keyId")
    """The ID of the API key; null for a call from the dashboard"""
    actor: str
    """Who called, such as account:acc_…"""
    client_address: str = Field(validation_alias="clientAddress", serialization_alias="clientAddress")
    """The address of the client: IPv4, or the network (/64) of an IPv6 address"""
    error_code: str | None = Field(validation_alias="errorCode", serialization_alias="errorCode")
    """The error code; null for a call that succeeded"""
    idempotent_replayed: bool = Field(validation_alias="idempotentReplayed", serialization_alias="idempotentReplayed")
    """Whether the response is that of an earlier call"""


class ApiRequestDetails(Model):
    """A call of the API with its bodies"""

    request_id: str = Field(validation_alias="requestId", serialization_alias="requestId")
    """The request ID: `X-Request-Id` of the response"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the call began; RFC 3339, UTC"""
    mode: Mode
    """The mode of its credentials"""
    method: str
    """The HTTP method"""
    path: str
    """The path, with the IDs in it"""
    query: str | None
    """The query, redacted; null without one"""
    status: int
    """The HTTP status of the response"""
    duration_ms: int = Field(validation_alias="durationMs", serialization_alias="durationMs")
    """Milliseconds until the response was sent"""
    key_id: str | None = Field(validation_alias="keyId", serialization_alias="keyId")
    """The ID of the API key; null for a call from the dashboard"""
    actor: str
    """Who called, such as account:acc_…"""
    client_address: str = Field(validation_alias="clientAddress", serialization_alias="clientAddress")
    """The address of the client: IPv4, or the network (/64) of an IPv6 address"""
    error_code: str | None = Field(validation_alias="errorCode", serialization_alias="errorCode")
    """The error code; null for a call that succeeded"""
    idempotent_replayed: bool = Field(validation_alias="idempotentReplayed", serialization_alias="idempotentReplayed")
    """Whether the response is that of an earlier call"""
    request_body: str | None = Field(validation_alias="requestBody", serialization_alias="requestBody")
    """The body as JSON, redacted and cut after 4,096 characters; null for none or a file"""
    response_body: str | None = Field(validation_alias="responseBody", serialization_alias="responseBody")
    """The same of the response; an error without its sentences"""


class ApiRequestList(Model):
    """Calls, newest first"""

    data: list[ApiRequest]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class Attempt(Model):
    """An attempt to pay"""

    attempt_id: str = Field(validation_alias="attemptId", serialization_alias="attemptId")
    """ID of the attempt"""
    status: Open["created", "requires_action", "processing", "unknown", "succeeded", "declined", "cancelled"]
    processor: str
    amount: float
    """Amount in major units"""
    currency: str
    """ISO 4217 code"""
    card_brand: str | None = Field(validation_alias="cardBrand", serialization_alias="cardBrand")
    """Brand of the card"""
    card_last4: str | None = Field(validation_alias="cardLast4", serialization_alias="cardLast4")
    """Last 4 digits of the card"""
    decline_code: str | None = Field(validation_alias="declineCode", serialization_alias="declineCode")
    """Why it collected no money"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_on: str = Field(validation_alias="CreatedOn", serialization_alias="CreatedOn")
    """Deprecated. Use createdAt"""


class AttemptData(Model):
    payment: Payment
    attempt: Attempt


class AttemptEscalatedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["attempt.escalated"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: AttemptData


class AttemptResolvedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["attempt.resolved"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: AttemptData


class AttemptUnknownMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["attempt.unknown"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: AttemptData


class AuditEvent(Model):
    event_id: str = Field(validation_alias="eventId", serialization_alias="eventId")
    """ID of the event; the same in every delivery"""
    id: str
    """Deprecated. Use eventId"""
    type: str
    """Type of the event"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it happened; RFC 3339, UTC"""
    actor: str
    """Who caused it: customer, account:<id>, key:<id> (a service key), processor:<name>, job:<name> or system"""
    payment_link_code: str | None = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """The payment concerned"""
    attempt_id: str | None = Field(validation_alias="attemptId", serialization_alias="attemptId")
    """The attempt concerned"""
    refund_id: str | None = Field(validation_alias="refundId", serialization_alias="refundId")
    """The refund concerned"""
    version: int | None
    """The version of the payment after the event; null if the payment did not change"""
    data: EventData
    actor_email: str | None = Field(validation_alias="actorEmail", serialization_alias="actorEmail")
    """The email address of the account that caused it; null if it was not an account"""
    mode: Mode | None
    """The mode of the credentials that caused it; null for an event about the company itself"""


class AuditEventList(Model):
    """Events, public or not, newest first"""

    data: list[AuditEvent]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class AuthenticatorApp(Model):
    confirmed_at: str = Field(validation_alias="confirmedAt", serialization_alias="confirmedAt")
    """When the app was added; RFC 3339, UTC"""


class Balance(Model):
    account: LedgerAccount
    currency: str
    """ISO 4217 code"""
    balance: float
    """Debits less credits, in major units"""


class BalanceList(Model):
    """Every account with postings, in each of its currencies"""

    data: list[Balance]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class BankLine(Model):
    line_id: str = Field(validation_alias="lineId", serialization_alias="lineId")
    """Identification of the line"""
    id: str
    """Deprecated. Use lineId"""
    statement_id: str = Field(validation_alias="statementId", serialization_alias="statementId")
    """Statement that contained the line first"""
    position: int
    """Position in that file, from 1"""
    direction: Open["credit", "debit"]
    """credit: incoming money"""
    is_return: bool = Field(validation_alias="isReturn", serialization_alias="isReturn")
    """Whether it returns an earlier movement"""
    amount: str
    """In major units, as in the file"""
    currency: str
    """ISO 4217 code"""
    account_iban: str | None = Field(validation_alias="accountIban", serialization_alias="accountIban")
    """IBAN of your account"""
    booked_on: str | None = Field(validation_alias="bookedOn", serialization_alias="bookedOn")
    """Booking date"""
    counterparty_name: str | None = Field(validation_alias="counterpartyName", serialization_alias="counterpartyName")
    """Name of the sender or recipient"""
    counterparty_iban: str | None = Field(validation_alias="counterpartyIban", serialization_alias="counterpartyIban")
    """IBAN of the sender or recipient"""
    remittance: str
    """Remittance information"""
    bank_reference: str | None = Field(validation_alias="bankReference", serialization_alias="bankReference")
    """Reference of the bank"""
    end_to_end_id: str | None = Field(validation_alias="endToEndId", serialization_alias="endToEndId")
    """Reference of the sender"""
    references: list[str]
    """Creditor references (ISO 11649) found in the line"""
    return_reason: str | None = Field(validation_alias="returnReason", serialization_alias="returnReason")
    """Return reason, as in the file"""
    status: BankLineStatus
    """new: not matched yet; review: needs a decision by a person"""
    reason: BankLineReason | None
    """Why it needs a review or is ignored"""
    attempt_id: str | None = Field(validation_alias="attemptId", serialization_alias="attemptId")
    """Attempt that it belongs to"""
    refund_id: str | None = Field(validation_alias="refundId", serialization_alias="refundId")
    """Refund that it belongs to"""
    matched_by: BankLineMatchedBy | None = Field(validation_alias="matchedBy", serialization_alias="matchedBy")
    """How it was matched"""
    resolved_by: str | None = Field(validation_alias="resolvedBy", serialization_alias="resolvedBy")
    """Actor that resolved it"""
    note: str | None
    """Note of the person"""
    suggestion: BankLineSuggestion | None
    """The only open transfer with this amount and a similar customer name. Confirm it by matching the line"""


class BankLineList(Model):
    """Lines of statements, newest first"""

    data: list[BankLine]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class BankLineSuggestion(Model):
    reference: str
    """Reference to match the line with"""
    payment_link_code: str = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """Code of the payment"""
    customer_order_id: str = Field(validation_alias="customerOrderId", serialization_alias="customerOrderId")
    customer_name: str = Field(validation_alias="customerName", serialization_alias="customerName")


class BankRefund(Model):
    refund_id: str = Field(validation_alias="refundId", serialization_alias="refundId")
    """Identification of the refund"""
    payment_link_code: str = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """Code of the payment"""
    customer_order_id: str = Field(validation_alias="customerOrderId", serialization_alias="customerOrderId")
    """Order of the payment"""
    status: BankRefundStatus
    """waiting: you have to send it"""
    amount: float
    """Amount to send, in major units"""
    currency: str
    """ISO 4217 code"""
    name: str | None
    """Recipient: the sender of the money; null if the bank did not report it"""
    iban: str | None
    """IBAN of the recipient; null if the bank did not report it"""
    reference: str
    """Reference to put on the transfer, so that your statement identifies it"""
    ended_by: str | None = Field(validation_alias="endedBy", serialization_alias="endedBy")
    """Actor that ended it"""
    note: str | None
    """Note of the person"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    ended_at: str | None = Field(validation_alias="endedAt", serialization_alias="endedAt")
    """When it ended; RFC 3339, UTC"""


class BankRefundList(Model):
    """Refunds by bank transfer, newest first"""

    data: list[BankRefund]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class BankStatement(Model):
    statement_id: str = Field(validation_alias="statementId", serialization_alias="statementId")
    """Identification of the statement"""
    id: str
    """Deprecated. Use statementId"""
    mode: Mode
    """Mode of the API key that imported it"""
    kind: BankStatementKind
    """ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment"""
    version: str
    """Version of the message type"""
    message_id: str = Field(validation_alias="messageId", serialization_alias="messageId")
    """Message ID assigned by the bank"""
    bytes: int
    """Size of the file in bytes"""
    lines: int
    """Number of lines"""
    duplicates: int
    """Lines that an earlier statement already contained"""
    status_assumed: int = Field(validation_alias="statusAssumed", serialization_alias="statusAssumed")
    """Lines without a status (Sts). They count as booked in a camt.053, and in a camt.054 if they have a booking date"""
    matching: int
    """Lines that are not matched yet"""
    matched: int
    """Lines matched with a transfer or a refund"""
    waiting: int
    """Lines that need a review"""
    ignored: int
    """Lines that concern no payment"""
    resolved: int
    """Lines resolved by a person"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was imported; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """Actor that imported it"""


class BankStatementImport(Model):
    statement_id: str = Field(validation_alias="statementId", serialization_alias="statementId")
    """Identification of the statement"""
    id: str
    """Deprecated. Use statementId"""
    mode: Mode
    """Mode of the API key that imported it"""
    kind: BankStatementKind
    """ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment"""
    version: str
    """Version of the message type"""
    message_id: str = Field(validation_alias="messageId", serialization_alias="messageId")
    """Message ID assigned by the bank"""
    bytes: int
    """Size of the file in bytes"""
    lines: int
    """Number of lines"""
    duplicates: int
    """Lines that an earlier statement already contained"""
    status_assumed: int = Field(validation_alias="statusAssumed", serialization_alias="statusAssumed")
    """Lines without a status (Sts). They count as booked in a camt.053, and in a camt.054 if they have a booking date"""
    matching: int
    """Lines that are not matched yet"""
    matched: int
    """Lines matched with a transfer or a refund"""
    waiting: int
    """Lines that need a review"""
    ignored: int
    """Lines that concern no payment"""
    resolved: int
    """Lines resolved by a person"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was imported; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """Actor that imported it"""
    is_new: bool = Field(validation_alias="isNew", serialization_alias="isNew")
    """False if the same file was imported before and nothing changed"""


class BankStatementList(Model):
    """Statements, newest first"""

    data: list[BankStatement]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class Branding(Model):
    color: str | None
    """Colour of the buttons on the hosted pages; null: the default colour"""
    logo: str | None
    """A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none"""


class Case(Model):
    payment_link_code: str = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """Code of the payment"""
    attempt_id: str = Field(validation_alias="attemptId", serialization_alias="attemptId")
    """ID of the attempt"""
    refund_id: str | None = Field(validation_alias="refundId", serialization_alias="refundId")
    """ID of the refund; null if the case is about the attempt"""
    status: Open["created", "requires_action", "processing", "unknown", "failed", "succeeded", "declined", "cancelled"]
    """failed: the processor refused to refund an overpayment; succeeded, declined, cancelled: money that cannot be accounted for"""
    processor: str
    processor_reference: str | None = Field(validation_alias="processorReference", serialization_alias="processorReference")
    """The processor’s reference, if any"""
    amount: float
    """Amount in major units"""
    currency: str
    """ISO 4217 code"""
    failure_code: str | None = Field(validation_alias="failureCode", serialization_alias="failureCode")
    """Why the processor refused the refund"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the attempt or refund began; RFC 3339, UTC"""
    created_on: str = Field(validation_alias="CreatedOn", serialization_alias="CreatedOn")
    """Deprecated. Use createdAt"""
    escalated_at: str = Field(validation_alias="escalatedAt", serialization_alias="escalatedAt")
    """When the case was opened; RFC 3339, UTC"""


class CaseList(Model):
    """Cases that a person must resolve, oldest first"""

    data: list[Case]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class CausedEvent(Model):
    type: str
    """Type of the event"""
    event_id: str = Field(validation_alias="eventId", serialization_alias="eventId")
    """Identification of the event"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it happened, in the time of the company; RFC 3339, UTC"""
    payment: Payment | None
    """The payment that was created for it; null for an event about an endpoint"""
    refund: Refund | None
    """The latest refund of the payment; null without one"""


class ChangeCompanyRequestBranding(Model):
    color: str | None = Field(default=None)
    """Colour of the buttons on the hosted pages; null: the default colour. White text on it needs a contrast of 4.5"""
    logo: str | None = Field(default=None)
    """A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none"""


class ChangeCompanyRequestMail(Model):
    receipts: bool | None = Field(default=None)
    """Whether customers get a receipt by email after a payment or a refund"""
    attach_receipts: bool | None = Field(default=None, validation_alias="attachReceipts", serialization_alias="attachReceipts")
    """Whether these emails have the receipt attached as a PDF. They link to it in any case"""
    notices: bool | None = Field(default=None)
    """Whether the company gets an email about each payment, and when a customer asks for a new link"""
    notice_address: str | None = Field(default=None, validation_alias="noticeAddress", serialization_alias="noticeAddress")
    """Address for these emails, and for emails about disabled webhook endpoints; null: the owner with the oldest account"""
    reply_to: str | None = Field(default=None, validation_alias="replyTo", serialization_alias="replyTo")
    """Reply-To address of emails to customers; null: none"""
    reminder_hours: int | None = Field(default=None, validation_alias="reminderHours", serialization_alias="reminderHours")
    """How many hours before an unpaid link expires the customer gets a reminder; null: never"""


class ChangeCompanyRequest(Model):
    name: str | None = Field(default=None)
    """What customers see as the payee"""
    country: str | None = Field(default=None)
    """ISO 3166-1 alpha-2. Used for phone numbers without a country code"""
    branding: ChangeCompanyRequestBranding | None = Field(default=None)
    identity: CompanyIdentityChange | None = Field(default=None)
    retry_policy: RetryPolicy | None = Field(default=None, validation_alias="retryPolicy", serialization_alias="retryPolicy")
    """After which declines a customer may try again on the same link"""
    login_mode: Mode | None = Field(default=None, validation_alias="loginMode", serialization_alias="loginMode")
    """Mode of the API key that a login returns by default. live requires a live key"""
    allowed_origins: list[str] | None = Field(default=None, validation_alias="allowedOrigins", serialization_alias="allowedOrigins")
    """Allowed origins of success_url and failure_url; empty: any"""
    mail: ChangeCompanyRequestMail | None = Field(default=None)


class ChangeMemberRequest(Model):
    roles: list[Role]
    """The new roles. They replace all current roles"""


class ChangePasswordRequest(Model):
    current_password: str = Field(validation_alias="currentPassword", serialization_alias="currentPassword")
    """Account password"""
    new_password: str = Field(validation_alias="newPassword", serialization_alias="newPassword")
    """At least 12 characters, 5 of them different. Must not be the email address or a common password"""


class ChangeServiceKeyRequest(Model):
    name: str | None = Field(default=None)
    """Name of the key"""
    allowed_addresses: list[str] | None = Field(default=None, validation_alias="allowedAddresses", serialization_alias="allowedAddresses")
    """IPv4 and IPv6 addresses, or ranges such as 203.0.113.0/24, from which the key may be used. Empty: from anywhere"""


class CloseCaseRequest(Model):
    processor_reference: str = Field(validation_alias="processorReference", serialization_alias="processorReference")
    """The processorReference of the case"""
    note: str | None = Field(default=None)
    """How you settled it, for your own records"""


class ClosedCase(Model):
    """The case, which the list no longer has"""

    payment_link_code: str = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """Code of the payment"""
    processor_reference: str = Field(validation_alias="processorReference", serialization_alias="processorReference")
    """The processor’s ID of the charge or refund"""
    note: str | None
    """For your own records"""
    closed_by: str = Field(validation_alias="closedBy", serialization_alias="closedBy")
    """Who closed it: account:acc_…"""
    closed_at: str = Field(validation_alias="closedAt", serialization_alias="closedAt")
    """When it was closed; RFC 3339, UTC"""


class Company(Model):
    """The company"""

    company_id: str = Field(validation_alias="companyId", serialization_alias="companyId")
    """Company identifier"""
    name: str
    """What customers see as the payee"""
    country: str
    """ISO 3166-1 alpha-2. Used for phone numbers without a country code"""
    branding: Branding
    logo: LogoUrls
    identity: CompanyIdentity
    retry_policy: RetryPolicy = Field(validation_alias="retryPolicy", serialization_alias="retryPolicy")
    """After which declines a customer may try again on the same link"""
    login_mode: Mode = Field(validation_alias="loginMode", serialization_alias="loginMode")
    """Mode of the API key that a login returns by default. live requires a live key"""
    allowed_origins: list[str] = Field(validation_alias="allowedOrigins", serialization_alias="allowedOrigins")
    """Allowed origins of success_url and failure_url; empty: any"""
    mail: EmailSettings


class CompanyIdentity(Model):
    support_email: str | None = Field(validation_alias="supportEmail", serialization_alias="supportEmail")
    """Email address for questions of customers. Shown at the foot of the hosted pages. Replies to emails go there unless mail.replyTo is set; null: not given"""
    support_phone: str | None = Field(validation_alias="supportPhone", serialization_alias="supportPhone")
    """Phone number for questions of customers. Shown at the foot of the hosted pages; null: not given"""
    website: str | None
    """URL of the website, which starts with https:// as do the other URLs. Shown at the foot of the hosted pages; null: not given"""
    postal_address: str | None = Field(validation_alias="postalAddress", serialization_alias="postalAddress")
    """Postal address without the name, at most 5 lines. Shown on receipts and in emails; null: not given"""
    vat_id: str | None = Field(validation_alias="vatId", serialization_alias="vatId")
    """VAT identification number or tax number. Shown on receipts and in emails; null: not given"""
    imprint_url: str | None = Field(validation_alias="imprintUrl", serialization_alias="imprintUrl")
    """URL of the imprint (legal notice). Shown at the foot of the hosted pages; null: not given"""
    terms_url: str | None = Field(validation_alias="termsUrl", serialization_alias="termsUrl")
    """URL of the terms and conditions. Shown at the foot of the hosted pages; null: not given"""
    privacy_url: str | None = Field(validation_alias="privacyUrl", serialization_alias="privacyUrl")
    """URL of the privacy policy. Shown at the foot of the hosted pages; null: not given"""
    statement_descriptor: str | None = Field(validation_alias="statementDescriptor", serialization_alias="statementDescriptor")
    """What a card statement shows, if the processor takes it from Paylink; docs/processors.md says which does; null: not given"""


class CompanyIdentityChange(Model):
    support_email: str | None = Field(default=None, validation_alias="supportEmail", serialization_alias="supportEmail")
    """Email address for questions of customers. Shown at the foot of the hosted pages. Replies to emails go there unless mail.replyTo is set"""
    support_phone: str | None = Field(default=None, validation_alias="supportPhone", serialization_alias="supportPhone")
    """Phone number for questions of customers. Shown at the foot of the hosted pages"""
    website: str | None = Field(default=None)
    """URL of the website, which starts with https:// as do the other URLs. Shown at the foot of the hosted pages"""
    postal_address: str | None = Field(default=None, validation_alias="postalAddress", serialization_alias="postalAddress")
    """Postal address without the name, at most 5 lines. Shown on receipts and in emails"""
    vat_id: str | None = Field(default=None, validation_alias="vatId", serialization_alias="vatId")
    """VAT identification number or tax number. Shown on receipts and in emails"""
    imprint_url: str | None = Field(default=None, validation_alias="imprintUrl", serialization_alias="imprintUrl")
    """URL of the imprint (legal notice). Shown at the foot of the hosted pages"""
    terms_url: str | None = Field(default=None, validation_alias="termsUrl", serialization_alias="termsUrl")
    """URL of the terms and conditions. Shown at the foot of the hosted pages"""
    privacy_url: str | None = Field(default=None, validation_alias="privacyUrl", serialization_alias="privacyUrl")
    """URL of the privacy policy. Shown at the foot of the hosted pages"""
    statement_descriptor: str | None = Field(default=None, validation_alias="statementDescriptor", serialization_alias="statementDescriptor")
    """What a card statement shows, if the processor takes it from Paylink; docs/processors.md says which does"""


class ConfirmTotpRequest(Model):
    otp: str
    """Current code of the authenticator app"""


class ConfirmedTotp(Model):
    """The app is active: logins now require a code"""

    recovery_codes: list[str] | None = Field(validation_alias="recoveryCodes", serialization_alias="recoveryCodes")
    """Ten recovery codes, shown only once, with the first factor; null if the account already has some"""


class ConnectionStatus(Model):
    processor: str
    """The processor"""
    mode: Mode
    """The mode"""
    health: Open["healthy", "failing", "off"]
    """failing: the processor did not respond several times and has not responded since; off: a person switched it off"""
    count: int
    """How many connections there are"""


class CreateApiKeyRequest(Model):
    name: str | None = Field(default=None)
    """Name of the key"""
    mode: Mode | None = Field(default=None)
    """Default: the mode of the key of this call. live requires the role owner or admin"""


class CreateProcessorConnectionRequest(Model):
    processor: str
    """Name of the processor, from `GET /v1/processors`"""
    name: str | None = Field(default=None)
    """Your name for the connection. Customers read it if the page offers another connection to the same processor"""
    currencies: list[Currency] | None = Field(default=None)
    """Currencies in which customers are offered the connection"""
    position: int | None = Field(default=None)
    """Position among the methods that customers are offered, lowest first"""
    enabled: bool | None = Field(default=None)
    """Whether customers are offered the connection"""
    credentials: ProcessorCredentials | None = Field(default=None)


class CreateServiceKeyRequest(Model):
    name: str | None = Field(default=None)
    """Name of the key"""
    mode: Mode | None = Field(default=None)
    """Default: the mode of this call. live requires the role owner or admin, who hold keys:live"""
    scopes: list[Open["payments", "read", "payments:create", "payments:read", "payments:update", "payments:cancel", "payments:refund", "events:read", "balances:read", "bank:read", "exports:read", "webhooks:read", "webhooks:manage", "processors:read", "company:read", "audit:read", "requests:read"]]
    """What the key may do: rights that your own role has. payments stands for all rights on payments, read for all rights to read"""
    expires_at: str | None = Field(default=None, validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the key expires; RFC 3339. null or left out: it is valid until it is revoked"""
    allowed_addresses: list[str] | None = Field(default=None, validation_alias="allowedAddresses", serialization_alias="allowedAddresses")
    """IPv4 and IPv6 addresses, or ranges such as 203.0.113.0/24, from which the key may be used. Empty: from anywhere"""


class CreateWebhookEndpointRequest(Model):
    url: str
    """URL that receives POST requests: a public host, https in live mode"""
    events: list[str]
    """Event types, or ['*'] for all types, including future ones"""
    description: str | None = Field(default=None)
    """For your records"""
    api_version: ApiVersion | None = Field(default=None, validation_alias="apiVersion", serialization_alias="apiVersion")
    """Version of the API in which messages are sent; null: the newest at the time of sending. Default: the version of this request"""


class CurrencyOverview(Model):
    currency: str
    """ISO 4217 code"""
    paid: OverviewTotal
    refunded: OverviewTotal
    """Refunded in the period, by the ledger, without overpayments"""
    created: OverviewTotal
    """Links created in the period; each is in one of the next five sums"""
    converted: OverviewTotal
    """Created links that are paid"""
    open: OverviewTotal
    """Created links that are open or processing"""
    failed: OverviewTotal
    """Created links that have failed"""
    expired: OverviewTotal
    """Created links that have expired"""
    cancelled: OverviewTotal
    """Created links that were cancelled"""
    conversion: float | None
    """converted.count divided by created.count, from 0 to 1; null if no link was created in the period"""
    series: list[OverviewInterval]
    """Each hour of the day so far, or each day"""


class EmailSettings(Model):
    receipts: bool
    """Whether customers get a receipt by email after a payment or a refund"""
    attach_receipts: bool = Field(validation_alias="attachReceipts", serialization_alias="attachReceipts")
    """Whether these emails have the receipt attached as a PDF. They link to it in any case"""
    notices: bool
    """Whether the company gets an email about each payment, and when a customer asks for a new link"""
    notice_address: str | None = Field(validation_alias="noticeAddress", serialization_alias="noticeAddress")
    """Address for these emails, and for emails about disabled webhook endpoints; null: the owner with the oldest account"""
    reply_to: str | None = Field(validation_alias="replyTo", serialization_alias="replyTo")
    """Reply-To address of emails to customers; null: none"""
    reminder_hours: int | None = Field(validation_alias="reminderHours", serialization_alias="reminderHours")
    """How many hours before an unpaid link expires the customer gets a reminder; null: never"""


class Event(Model):
    event_id: str = Field(validation_alias="eventId", serialization_alias="eventId")
    """ID of the event; the same in every delivery"""
    id: str
    """Deprecated. Use eventId"""
    type: str
    """Type of the event"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it happened; RFC 3339, UTC"""
    actor: str
    """Who caused it: customer, account:<id>, key:<id> (a service key), processor:<name>, job:<name> or system"""
    payment_link_code: str | None = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """The payment concerned"""
    attempt_id: str | None = Field(validation_alias="attemptId", serialization_alias="attemptId")
    """The attempt concerned"""
    refund_id: str | None = Field(validation_alias="refundId", serialization_alias="refundId")
    """The refund concerned"""
    version: int | None
    """The version of the payment after the event; null if the payment did not change"""
    data: EventData


class EventFeed(Model):
    """Public events, oldest first"""

    data: list[Event]
    next_cursor: str = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """Pass it as after to continue; always present"""


class ExpandableRefund(Model):
    """The refund, which may still be in progress"""

    refund_id: str = Field(validation_alias="refundId", serialization_alias="refundId")
    """ID of the refund"""
    payment_link_code: str = Field(validation_alias="paymentLinkCode", serialization_alias="paymentLinkCode")
    """Code of the payment"""
    amount: float
    """Amount in major units"""
    currency: str
    """ISO 4217 code"""
    status: RefundStatus
    kind: RefundKind
    """surplus: refund of an overpayment"""
    reason: str | None
    """For your own records"""
    failure_code: str | None = Field(validation_alias="failureCode", serialization_alias="failureCode")
    """Why the processor refused it"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_on: str = Field(validation_alias="CreatedOn", serialization_alias="CreatedOn")
    """Deprecated. Use createdAt"""
    payment: Payment | None = Field(default=None)
    """Only with expand=payment: its payment"""


class ExpandableRefundList(Model):
    """The refunds, newest first"""

    data: list[ExpandableRefund]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class FieldError(Model):
    field: str
    code: str
    detail: str


class ForgotPasswordRequest(Model):
    email: str
    """Account email address"""


class Health(Model):
    """It is"""

    status: str


class Invitation(Model):
    invitation_id: str = Field(validation_alias="invitationId", serialization_alias="invitationId")
    """ID of the invitation"""
    email: str
    """Email address of the invited person"""
    roles: list[str]
    """Roles of the account"""
    invited_by: str = Field(validation_alias="invitedBy", serialization_alias="invitedBy")
    """The account that sent the invitation"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was made; RFC 3339, UTC"""
    expires_at: str = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When it ends; RFC 3339, UTC"""


class InvitationList(Model):
    """The open invitations, oldest first"""

    data: list[Invitation]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class InvitationWithLink(Model):
    """The invitation. Its link is shown only once"""

    invitation_id: str = Field(validation_alias="invitationId", serialization_alias="invitationId")
    """ID of the invitation. It is not secret"""
    url: str
    """The link to accept the invitation. The part after # is the token"""
    expires_at: str = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the invitation expires; RFC 3339, UTC"""
    is_mailed: bool = Field(validation_alias="isMailed", serialization_alias="isMailed")
    """Whether the link is sent by email. If false, the service has no mail server: share the link yourself"""


class InviteMemberRequest(Model):
    email: str
    """Email address of the person to invite"""
    roles: list[Role]
    """Roles of the new account"""


class JobStatus(Model):
    name: str
    """The name of the job"""
    interval_seconds: int = Field(validation_alias="intervalSeconds", serialization_alias="intervalSeconds")
    """How often it runs, in seconds"""
    last_success_at: str | None = Field(validation_alias="lastSuccessAt", serialization_alias="lastSuccessAt")
    """When it last succeeded; null: never, or before the upgrade to this release; RFC 3339, UTC"""
    due_at: str | None = Field(validation_alias="dueAt", serialization_alias="dueAt")
    """When it runs next; null: no process has planned it yet; RFC 3339, UTC"""
    failures: int
    """Failed runs since the last success"""


class JwkSet(Model):
    """The key set"""

    keys: list[Jwk]


class LedgerEntry(Model):
    entry_id: str = Field(validation_alias="entryId", serialization_alias="entryId")
    """ID of the entry"""
    kind: Open["capture", "refund", "surplus", "surplus_refund", "refund_reversal", "surplus_refund_reversal"]
    debit_account: LedgerAccount = Field(validation_alias="debitAccount", serialization_alias="debitAccount")
    credit_account: LedgerAccount = Field(validation_alias="creditAccount", serialization_alias="creditAccount")
    amount: float
    """The amount, in major units"""
    currency: str
    """ISO 4217 code"""
    payment_link_code: str = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """The payment of the entry"""
    source_id: str = Field(validation_alias="sourceId", serialization_alias="sourceId")
    """The attempt (att_…) or refund (ref_…) whose money moved"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was posted; RFC 3339, UTC"""
    created_on: str = Field(validation_alias="CreatedOn", serialization_alias="CreatedOn")
    """Deprecated. Use createdAt"""


class LedgerEntryList(Model):
    """Ledger entries, oldest first by default"""

    data: list[LedgerEntry]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class LogInRequest(Model):
    email: str
    """Account email address"""
    password: str
    """Account password"""
    mode: Mode | None = Field(default=None)
    """Mode of the API key to return. Default: the company’s loginMode"""
    otp: str | None = Field(default=None)
    """Current code of the authenticator app"""
    recovery_code: str | None = Field(default=None, validation_alias="recoveryCode", serialization_alias="recoveryCode")
    """A recovery code, instead of otp"""


class LogInResult(Model):
    """The account is authenticated. The headers contain the credentials for later calls"""

    email: str
    """Account email address"""
    account_id: str = Field(validation_alias="accountId", serialization_alias="accountId")
    """Account identifier"""
    roles: list[str]
    """Roles of the account"""
    token: str
    """Bearer token for later calls, valid for 60 minutes"""
    redirect_path: str = Field(validation_alias="redirectPath", serialization_alias="redirectPath")
    """Path to redirect to after login"""
    expires_at: str = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the token expires; RFC 3339, UTC"""
    mode: Mode
    """Mode of the API key in the header"""


class LogoUrls(Model):
    url: str | None
    """URL of the logo on the hosted pages: the uploaded file, else branding.logo; null: none"""
    dark_url: str | None = Field(validation_alias="darkUrl", serialization_alias="darkUrl")
    """URL of the variant on dark pages; null: the logo itself is shown"""


class MailFailedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["mail.failed"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class Member(Model):
    """The member"""

    account_id: str = Field(validation_alias="accountId", serialization_alias="accountId")
    """Account identifier"""
    email: str
    """Account email address"""
    roles: list[str]
    """Roles of the account"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the account was created; RFC 3339, UTC"""


class MemberList(Model):
    """The members, oldest first"""

    data: list[Member]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class OpenCaseCount(Model):
    kind: Open["attempt", "refund", "currency_mismatch", "refund_exceeds_payment"]
    """What the case is about"""
    count: int
    """How many cases are open"""


class OverviewAttentionExpiring(Model):
    """Open links that expire within 24 hours"""

    count: int
    """Their number, at most 1,000"""
    payments: list[Payment]
    """The five that expire first"""


class OverviewAttention(Model):
    """What needs attention now, whatever the period"""

    cases: int
    """Cases that need a person, as GET /v1/cases lists them"""
    unknown: int
    """Payments that are blocked because the outcome of an attempt is unknown"""
    expiring: OverviewAttentionExpiring
    """Open links that expire within 24 hours"""
    failing_endpoints: int | None = Field(validation_alias="failingEndpoints", serialization_alias="failingEndpoints")
    """Enabled endpoints whose last delivery failed; null without the right to see endpoints"""
    disabled_endpoints: int | None = Field(validation_alias="disabledEndpoints", serialization_alias="disabledEndpoints")
    """Endpoints that were disabled after failures or a 410 response; null without the right to see endpoints"""


class Overview(Model):
    """Overview of the payments"""

    starts_at: str = Field(validation_alias="startsAt", serialization_alias="startsAt")
    """When the first day began; RFC 3339, UTC"""
    ends_at: str = Field(validation_alias="endsAt", serialization_alias="endsAt")
    """The current time; RFC 3339, UTC"""
    from_: str = Field(validation_alias="from", serialization_alias="from")
    """Deprecated. Use startsAt"""
    to: str
    """Deprecated. Use endsAt"""
    time_zone: str = Field(validation_alias="timeZone", serialization_alias="timeZone")
    """The requested time zone"""
    mode: Mode
    """The mode of all figures"""
    currencies: list[CurrencyOverview]
    """Each currency with a created link or a movement of money in the period"""
    attention: OverviewAttention
    """What needs attention now, whatever the period"""


class OverviewInterval(Model):
    at: str
    """When the slot begins; RFC 3339, UTC"""
    created_count: int = Field(validation_alias="createdCount", serialization_alias="createdCount")
    """Links created in the slot"""
    failed_count: int = Field(validation_alias="failedCount", serialization_alias="failedCount")
    """Links created in the slot that have failed"""
    paid_count: int = Field(validation_alias="paidCount", serialization_alias="paidCount")
    """Payments paid in the slot, whenever their link was created"""
    paid_amount: float = Field(validation_alias="paidAmount", serialization_alias="paidAmount")
    """Total of these payments, in major units"""


class OverviewTotal(Model):
    """Paid in the period, by the ledger, whenever the link was created"""

    count: int
    """Number"""
    amount: float
    """Total, in major units"""


class PagePreview(Model):
    """The page and the contrast of its colour"""

    html: str
    """The page as an HTML document without script. Show it by srcdoc or a blob URL in a frame with sandbox='allow-same-origin'"""
    contrast: float
    """Contrast of white text on the colour (WCAG 2.2), 1 to 21"""
    is_readable: bool = Field(validation_alias="isReadable", serialization_alias="isReadable")
    """Whether the contrast is high enough for the colour to be used (4.5)"""


class Passkey(Model):
    passkey_id: str = Field(validation_alias="passkeyId", serialization_alias="passkeyId")
    """ID of the passkey"""
    name: str
    """Name of the passkey"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was added; RFC 3339, UTC"""
    last_used_at: str | None = Field(validation_alias="lastUsedAt", serialization_alias="lastUsedAt")
    """When it was last used; RFC 3339, UTC"""


class PasskeyAssertion(Model):
    client_data_json: str = Field(validation_alias="clientDataJSON", serialization_alias="clientDataJSON")
    """Data from the browser"""
    authenticator_data: str = Field(validation_alias="authenticatorData", serialization_alias="authenticatorData")
    """Data from the device"""
    signature: str
    """Signature of the device"""
    user_handle: str | None = Field(default=None, validation_alias="userHandle", serialization_alias="userHandle")
    """User handle of the account"""


class PasskeyAttestation(Model):
    client_data_json: str = Field(validation_alias="clientDataJSON", serialization_alias="clientDataJSON")
    """Data from the browser"""
    attestation_object: str = Field(validation_alias="attestationObject", serialization_alias="attestationObject")
    """Data from the device"""
    transports: list[str] | None = Field(default=None)
    authenticator_data: str | None = Field(default=None, validation_alias="authenticatorData", serialization_alias="authenticatorData")
    """Part of attestationObject"""
    public_key: str | None = Field(default=None, validation_alias="publicKey", serialization_alias="publicKey")
    """Part of attestationObject"""
    public_key_algorithm: int | None = Field(default=None, validation_alias="publicKeyAlgorithm", serialization_alias="publicKeyAlgorithm")


class PasskeyAuthentication(Model):
    """toJSON() of the result of navigator.credentials.get"""

    id: str
    """ID of the credential"""
    raw_id: str = Field(validation_alias="rawId", serialization_alias="rawId")
    """Same as id"""
    type: PasskeyCredentialType
    client_extension_results: PasskeyExtensionResults | None = Field(default=None, validation_alias="clientExtensionResults", serialization_alias="clientExtensionResults")
    authenticator_attachment: str | None = Field(default=None, validation_alias="authenticatorAttachment", serialization_alias="authenticatorAttachment")
    response: PasskeyAssertion


class PasskeyOptions(Model):
    """The options for the browser"""

    options: WebAuthnOptions


class PasskeyRegistration(Model):
    """toJSON() of the result of navigator.credentials.create"""

    id: str
    """ID of the credential"""
    raw_id: str = Field(validation_alias="rawId", serialization_alias="rawId")
    """Same as id"""
    type: PasskeyCredentialType
    client_extension_results: PasskeyExtensionResults | None = Field(default=None, validation_alias="clientExtensionResults", serialization_alias="clientExtensionResults")
    authenticator_attachment: str | None = Field(default=None, validation_alias="authenticatorAttachment", serialization_alias="authenticatorAttachment")
    response: PasskeyAttestation


class PasskeyWithRecoveryCodes(Model):
    """The passkey. You can now sign in with it"""

    passkey_id: str = Field(validation_alias="passkeyId", serialization_alias="passkeyId")
    """ID of the passkey"""
    name: str
    """Name of the passkey"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was added; RFC 3339, UTC"""
    recovery_codes: list[str] | None = Field(validation_alias="recoveryCodes", serialization_alias="recoveryCodes")
    """Ten recovery codes, shown only once, with the first factor; null if the account already has some"""


class PasswordConfirmation(Model):
    current_password: str = Field(validation_alias="currentPassword", serialization_alias="currentPassword")
    """Account password"""


class Payment(Model):
    """The payment and its link"""

    country: str
    """Country of the request; ISO 3166-1 alpha-2"""
    created_on: str = Field(validation_alias="CreatedOn", serialization_alias="CreatedOn")
    """Date created; RFC 3339, UTC"""
    currency: str
    """Currency of the payment request"""
    customer_order_id: str = Field(validation_alias="customerOrderId", serialization_alias="customerOrderId")
    """Merchant reference echoed from the request"""
    payment_link: str = Field(validation_alias="PaymentLink", serialization_alias="PaymentLink")
    """Address where the user is sent to pay"""
    payment_link_code: str = Field(validation_alias=AliasChoices("paymentLinkCode", "PaymentLinkCode"), serialization_alias="paymentLinkCode")
    """Same as PaymentLinkCode, under the name that all objects have"""
    response_code: str = Field(validation_alias="responseCode", serialization_alias="responseCode")
    """Deprecated. The HTTP status as text"""
    response_message: str = Field(validation_alias="responseMessage", serialization_alias="responseMessage")
    """Any message returned from the request"""
    amount: float
    """Amount in major units"""
    status: PaymentStatus
    """Status of the payment"""
    refunded_amount: float = Field(validation_alias="refundedAmount", serialization_alias="refundedAmount")
    """Refunded amount in major units"""
    mode: Mode
    """Whether real money moves"""
    email: str
    """Customer email address"""
    first_name: str | None = Field(validation_alias="firstName", serialization_alias="firstName")
    """Customer first name"""
    last_name: str | None = Field(validation_alias="lastName", serialization_alias="lastName")
    """Customer last name"""
    phone: str | None
    """Customer phone number as it was sent"""
    success_url: str
    failure_url: str
    description: str | None
    """What the payment is for"""
    locale: str | None
    """The language that was requested"""
    metadata: Metadata
    items: list[PaymentItem]
    """What the payment is for; empty if the request had no items"""
    taxes: list[PaymentTax]
    """The tax in the items, by rate, highest rate first"""
    expires_at: str = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the link expires; RFC 3339, UTC"""
    version: int
    """Version number: 1 for a new payment, plus 1 for each change"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """Same as CreatedOn, under the name that all objects have; RFC 3339, UTC"""
    paid_at: str | None = Field(validation_alias="paidAt", serialization_alias="paidAt")
    """When it was paid; null if it is not; RFC 3339, UTC"""
    method: PaymentMethod | None
    """How it was or is being paid; null until the customer has started"""
    fee: float | None
    """What the processor charges for it, in major units; null if it is not known"""
    last_decline: PaymentDecline | None = Field(validation_alias="lastDecline", serialization_alias="lastDecline")
    """The last declined attempt, also if a later one succeeded; null without one"""
    refunds: list[Refund] | None = Field(default=None)
    """Only with expand=refunds: its refunds, newest first, at most 25"""
    attempts: list[Attempt] | None = Field(default=None)
    """Only with expand=attempts: its attempts, oldest first, the current one last"""


class PaymentCancelledMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.cancelled"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentCard(Model):
    brand: str
    """Brand such as visa; unknown if it is not known"""
    last4: str
    """Last 4 digits"""


class PaymentCreatedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.created"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentData(Model):
    payment: Payment


class PaymentDecline(Model):
    attempt_id: str = Field(validation_alias="attemptId", serialization_alias="attemptId")
    """ID of the attempt"""
    code: Open["generic_decline", "source_declined", "insufficient_funds", "lost_or_stolen", "suspected_fraud", "incorrect_csc", "expired_card", "processing_error", "authentication_failed", "authentication_abandoned", "amount_mismatch"]
    """Why it was declined, for programs"""
    message: str
    """Why it was declined, in a sentence for developers"""
    declined_at: str = Field(validation_alias="declinedAt", serialization_alias="declinedAt")
    """When it was declined; RFC 3339, UTC"""
    method: PaymentMethod


class PaymentExpiredMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.expired"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentFailedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.failed"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentItem(Model):
    name: str
    """What the customer buys"""
    quantity: int
    """How many"""
    unit_amount: float = Field(validation_alias="unitAmount", serialization_alias="unitAmount")
    """Price of one in major units, tax included"""
    tax_rate: float | None = Field(validation_alias="taxRate", serialization_alias="taxRate")
    """Tax in percent"""


class PaymentItemInput(Model):
    name: str
    """What the customer buys"""
    quantity: int
    """How many"""
    unit_amount: float = Field(validation_alias="unitAmount", serialization_alias="unitAmount")
    """Price of one in major units, tax included. Negative for a discount"""
    tax_rate: float | None = Field(default=None, validation_alias="taxRate", serialization_alias="taxRate")
    """Tax in percent, at most 2 decimals. It is shown, never added"""


class PaymentLateMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.late"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: AttemptData


class PaymentLinkRequestedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.link_requested"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentList(Model):
    """The payments. A page may have fewer entries than limit even if it is not the last"""

    data: list[Payment]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class PaymentMethod(Model):
    type: Open["card", "bank_transfer", "processor_page"]
    """card: entered on Paylink’s page; processor_page: what the customer chose there is not known to Paylink"""
    processor: str
    """Name of the processor"""
    connection_id: str | None = Field(validation_alias="connectionId", serialization_alias="connectionId")
    """The connection with the processor; null for the sandbox without a connection"""
    card: PaymentCard | None
    """The card; null for another type"""


class PaymentOpenedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.opened"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentPaidMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.paid"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentPartlyPaidMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.partly_paid"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: AttemptData


class PaymentProcessingMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.processing"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: PaymentData


class PaymentTax(Model):
    tax_rate: float = Field(validation_alias="taxRate", serialization_alias="taxRate")
    """Tax in percent"""
    gross_amount: float = Field(validation_alias="grossAmount", serialization_alias="grossAmount")
    """Sum of the items with this rate in major units, tax included"""
    tax_amount: float = Field(validation_alias="taxAmount", serialization_alias="taxAmount")
    """Tax in that sum, rounded half up"""


class PaymentTransferReviewMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["payment.transfer_review"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: AttemptData


class PreviewPageRequest(Model):
    name: str | None = Field(default=None)
    """What customers see as the payee"""
    color: str | None = Field(default=None)
    """Colour of the buttons on the hosted pages; null: the default colour. White text on it needs a contrast of 4.5"""
    logo: str | None = Field(default=None)
    """A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none"""
    identity: CompanyIdentityChange | None = Field(default=None)
    locale: Locale | None = Field(default=None)
    """Language of the page. Default: by Accept-Language"""
    status: PaymentStatus | None = Field(default=None)
    """Status of the sample payment. Default: open"""
    state: PaymentStatus | None = Field(default=None)
    """Deprecated. Use status"""


class Problem(Model):
    """A problem document (RFC 9457)"""

    type: str
    """An address that describes the error"""
    title: str
    """A short summary of the error"""
    status: int
    """The HTTP status"""
    detail: str
    """What to do about it"""
    instance: str
    """This occurrence of the error"""
    code: Open["bad_request", "unknown_version", "malformed_json", "service_key_not_alone", "invalid_notice", "missing_credentials", "invalid_token", "expired_token", "invalid_api_key", "invalid_company_id", "invalid_service_key", "session_ended", "wrong_login", "second_factor_required", "wrong_second_factor", "credentials_mismatch", "mode_not_allowed", "csrf_refused", "role_not_allowed", "scope_not_allowed", "service_key_not_allowed", "address_not_allowed", "test_mode_only", "operator_only", "too_many_attempts", "not_found", "payment_not_found", "case_not_found", "invalid_invitation", "invalid_password_reset", "method_not_allowed", "request_timeout", "order_conflict", "payment_in_progress", "payment_ended", "not_refundable", "refund_too_large", "state_not_reachable", "key_not_active", "last_key", "live_not_possible", "no_key_of_mode", "last_owner", "too_many_endpoints", "too_many_connections", "connection_in_use", "connection_changed", "second_factor_on", "no_second_factor", "endpoint_disabled", "email_taken", "line_not_waiting", "bank_refund_ended", "idempotency_in_progress", "stale_remaining", "body_too_large", "unsupported_media_type", "invalid_fields", "email_not_deliverable", "statement_refused", "invalid_idempotency_key", "idempotency_key_reused", "rate_limited", "login_paused", "headers_too_large", "internal_error", "unavailable", "import_in_progress", "processor_unreachable"]
    """The stable error code, for programs"""
    request_id: str = Field(validation_alias="requestId", serialization_alias="requestId")
    """The request ID, as in the log"""
    errors: list[FieldError]
    """The invalid fields or headers"""
    response_code: str = Field(validation_alias="responseCode", serialization_alias="responseCode")
    """Deprecated. The HTTP status as text"""
    response_message: str = Field(validation_alias="responseMessage", serialization_alias="responseMessage")
    """Same as title"""


class ProblemType(Model):
    """The entry of the catalogue"""

    code: str
    """What a program branches on"""
    status: int
    """The HTTP status"""
    title: str
    """The problem in a few words"""
    detail: str
    """What to do about it, in general"""


class ProcessPaymentRequest(Model):
    first_name: str | None = Field(default=None, validation_alias="firstName", serialization_alias="firstName")
    """Customer first name. null and '' count as missing"""
    last_name: str | None = Field(default=None, validation_alias="lastName", serialization_alias="lastName")
    """Customer last name. null and '' count as missing"""
    customer_order_id: str = Field(validation_alias="customerOrderId", serialization_alias="customerOrderId")
    """Merchant reference for the order, unique among open, processing and paid links. A UUID is recommended"""
    email: str
    """Customer email address"""
    amount: float
    """Invoice amount in major units, at most 2 decimals"""
    currency: Currency
    """ISO 4217 code"""
    phone: str | None = Field(default=None)
    """Customer phone number. null and '' count as missing"""
    success_url: str
    """Address the service redirects the user to after a successful payment"""
    failure_url: str
    """Address the service redirects the user to after a failed payment"""
    description: str | None = Field(default=None)
    """What the payment is for, shown to the customer. null and '' count as missing"""
    expires_at: str | None = Field(default=None, validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the link expires, 5 minutes to 180 days from now (RFC 3339). Default for a new link: 7 days. null and '' count as missing"""
    locale: str | None = Field(default=None)
    """Language of the page, the emails and the receipt (BCP 47), unless the customer picks another one. Default: that of the customer’s browser. null and '' count as missing"""
    metadata: MetadataInput | None = Field(default=None)
    """Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500. null and '' count as missing"""
    items: list[PaymentItemInput] | None = Field(default=None)
    """What the payment is for, at most 100 items. The sum of quantity × unitAmount must equal amount. A list without items counts as missing, too. null and '' count as missing"""


class Processor(Model):
    processor: str
    """Name in settings and addresses"""
    title: str
    """Display name"""
    takes: Open["card", "page", "transfer"]
    """How a customer pays: by card on Paylink’s page, on the processor’s page, or by bank transfer"""
    modes: list[Mode]
    currencies: list[str]
    fields_: list[ProcessorField] = Field(validation_alias="fields", serialization_alias="fields")
    """Credentials and settings that a connection requires"""


class ProcessorConnection(Model):
    """The connection"""

    connection_id: str = Field(validation_alias="connectionId", serialization_alias="connectionId")
    """ID of the connection"""
    id: str
    """Deprecated. Use connectionId"""
    processor: str
    title: str
    """Display name of the processor"""
    mode: Mode
    """Mode of the connection. Only payments in this mode use it"""
    name: str
    holder: str
    """Holder of the account, as the processor reports it"""
    currencies: list[str]
    position: int
    enabled: bool
    credentials: list[ProcessorCredential]
    webhook_url: str | None = Field(validation_alias="webhookUrl", serialization_alias="webhookUrl")
    """Webhook URL to enter at the processor; null if the processor sends no webhooks"""
    health: ProcessorHealth
    notices: ProcessorWebhookCounts
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the connection was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created the connection"""


class ProcessorConnectionList(Model):
    """The connections in the mode of your API key, in the order in which customers are offered them"""

    data: list[ProcessorConnection]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class ProcessorCredential(Model):
    name: str
    is_secret: bool = Field(validation_alias="isSecret", serialization_alias="isSecret")
    is_set: bool = Field(validation_alias="isSet", serialization_alias="isSet")
    value: str | None
    """Null for a secret"""


class ProcessorField(Model):
    name: str
    label: str
    """Display name"""
    is_secret: bool = Field(validation_alias="isSecret", serialization_alias="isSecret")
    """Whether its value is never returned"""
    is_required: bool = Field(validation_alias="isRequired", serialization_alias="isRequired")
    help: str
    """Where to find it"""


class ProcessorHealth(Model):
    """Whether the processor responded to the last calls"""

    is_up: bool = Field(validation_alias="isUp", serialization_alias="isUp")
    recovers_at: str | None = Field(validation_alias="recoversAt", serialization_alias="recoversAt")
    """Until when the connection is offered only if no other method is up; RFC 3339, UTC"""
    down_until: str | None = Field(validation_alias="downUntil", serialization_alias="downUntil")
    """Deprecated. Use recoversAt"""


class ProcessorList(Model):
    """All processors"""

    data: list[Processor]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class ProcessorWebhookCounts(Model):
    """Results of the processor’s webhooks"""

    accepted: int
    """Matched a payment and triggered a query"""
    irrelevant: int
    """Unrelated to Paylink’s payments"""
    replayed: int
    """Repeated"""
    mismatched: int
    """Differed from the payment in amount, currency, account or attempt; nothing was changed"""
    forged: int
    """Not signed with the secret of this connection; nothing was changed"""
    last_at: str | None = Field(validation_alias="lastAt", serialization_alias="lastAt")
    """When the last webhook arrived; RFC 3339, UTC"""


class RecoveryCodes(Model):
    """The new codes. Earlier codes no longer work"""

    recovery_codes: list[str] = Field(validation_alias="recoveryCodes", serialization_alias="recoveryCodes")
    """Ten codes, shown only once, each valid once"""


class Refund(Model):
    """The refund, which may still be in progress"""

    refund_id: str = Field(validation_alias="refundId", serialization_alias="refundId")
    """ID of the refund"""
    payment_link_code: str = Field(validation_alias="paymentLinkCode", serialization_alias="paymentLinkCode")
    """Code of the payment"""
    amount: float
    """Amount in major units"""
    currency: str
    """ISO 4217 code"""
    status: RefundStatus
    kind: RefundKind
    """surplus: refund of an overpayment"""
    reason: str | None
    """For your own records"""
    failure_code: str | None = Field(validation_alias="failureCode", serialization_alias="failureCode")
    """Why the processor refused it"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_on: str = Field(validation_alias="CreatedOn", serialization_alias="CreatedOn")
    """Deprecated. Use createdAt"""


class RefundCreatedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["refund.created"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: RefundData


class RefundData(Model):
    payment: Payment
    refund: Refund


class RefundEscalatedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["refund.escalated"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: RefundData


class RefundFailedMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["refund.failed"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: RefundData


class RefundList(Model):
    """The refunds of the payment"""

    data: list[Refund]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class RefundPaymentRequest(Model):
    amount: float | None = Field(default=None)
    """Amount to refund in major units. Default: the remaining amount"""
    expected_remaining: float | None = Field(default=None, validation_alias="expectedRemaining", serialization_alias="expectedRemaining")
    """The remaining amount that you expect, in major units. If it differs, the response is 412"""
    reason: str | None = Field(default=None)
    """For your own records"""


class RefundSucceededMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["refund.succeeded"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: RefundData


class ReorderProcessorConnectionsRequest(Model):
    connection_ids: list[str] = Field(validation_alias="connectionIds", serialization_alias="connectionIds")
    """IDs of all connections in the mode, in the order in which customers are offered them"""


class ResendResult(Model):
    """Number of deliveries that are sent again"""

    count: int
    """Number of deliveries that are sent again"""


class ResendWebhookDeliveriesRequest(Model):
    created_from: str | None = Field(default=None, validation_alias="createdFrom", serialization_alias="createdFrom")
    """Events at or after this time; RFC 3339. Required"""
    since: str | None = Field(default=None)
    """Deprecated. Use createdFrom"""


class ResetPasswordRequest(Model):
    token: str
    """The token: the part of the link after #"""
    password: str
    """At least 12 characters, 5 of them different. Must not be the email address or a common password"""


class ResolveBankLineRequest(Model):
    action: Open["match", "dismiss"]
    """match: assign the line to the reference; dismiss: the line needs no action"""
    reference: str | None = Field(default=None)
    """Reference of a transfer, or of a refund for a debit"""
    note: str | None = Field(default=None)
    """Reason, for your records"""


class ResolveBankRefundRequest(Model):
    outcome: Open["sent", "not_sent"]
    """not_sent: it will not be sent; a refund that you requested fails"""
    note: str
    """Reason, for your records"""


class RollApiKeyRequest(Model):
    overlap_hours: int | None = Field(default=None, validation_alias="overlapHours", serialization_alias="overlapHours")
    """How long the old key stays valid. Default: 24; 0 ends it at once"""


class RollServiceKeyRequest(Model):
    overlap_hours: int | None = Field(default=None, validation_alias="overlapHours", serialization_alias="overlapHours")
    """How long the old key stays valid. Default: 24; 0 ends it at once"""
    expires_at: str | None = Field(default=None, validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the new key expires; RFC 3339. Left out: it gets the lifetime of the old one; null: it does not expire"""


class RollWebhookSecretRequest(Model):
    overlap_hours: int | None = Field(default=None, validation_alias="overlapHours", serialization_alias="overlapHours")
    """How long messages are also signed with the old secret; 24 by default"""


class SecondFactors(Model):
    """The second factors of the account"""

    totp: AuthenticatorApp | None
    """The authenticator app; null if there is none"""
    passkeys: list[Passkey]
    """The passkeys, oldest first"""
    recovery_codes_left: int = Field(validation_alias="recoveryCodesLeft", serialization_alias="recoveryCodesLeft")
    """Number of unused recovery codes"""


class ServiceKey(Model):
    """The service key, without its secret"""

    key_id: str = Field(validation_alias="keyId", serialization_alias="keyId")
    """ID of the key. It is not secret"""
    name: str
    """Name of the key"""
    mode: Mode
    """Whether it moves real money"""
    status: ApiKeyStatus
    """expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused"""
    scopes: list[ServiceKeyScope]
    """What the key may do"""
    allowed_addresses: list[str] = Field(validation_alias="allowedAddresses", serialization_alias="allowedAddresses")
    """Addresses and ranges from which it may be used; empty: from anywhere"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created it"""
    expires_at: str | None = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When it expires; RFC 3339, UTC"""
    replaced_by_key_id: str | None = Field(validation_alias="replacedByKeyId", serialization_alias="replacedByKeyId")
    """ID of the key that a roll created in its place"""
    revoked_at: str | None = Field(validation_alias="revokedAt", serialization_alias="revokedAt")
    """When it was revoked; RFC 3339, UTC"""
    last_used_at: str | None = Field(validation_alias="lastUsedAt", serialization_alias="lastUsedAt")
    """When it was last used, to the minute; RFC 3339, UTC"""


class ServiceKeyList(Model):
    """The service keys, newest first"""

    data: list[ServiceKey]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class ServiceKeyWithSecret(Model):
    """The new service key. Only this response contains the key itself"""

    key_id: str = Field(validation_alias="keyId", serialization_alias="keyId")
    """ID of the key. It is not secret"""
    name: str
    """Name of the key"""
    mode: Mode
    """Whether it moves real money"""
    status: ApiKeyStatus
    """expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused"""
    scopes: list[ServiceKeyScope]
    """What the key may do"""
    allowed_addresses: list[str] = Field(validation_alias="allowedAddresses", serialization_alias="allowedAddresses")
    """Addresses and ranges from which it may be used; empty: from anywhere"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created it"""
    expires_at: str | None = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When it expires; RFC 3339, UTC"""
    replaced_by_key_id: str | None = Field(validation_alias="replacedByKeyId", serialization_alias="replacedByKeyId")
    """ID of the key that a roll created in its place"""
    revoked_at: str | None = Field(validation_alias="revokedAt", serialization_alias="revokedAt")
    """When it was revoked; RFC 3339, UTC"""
    last_used_at: str | None = Field(validation_alias="lastUsedAt", serialization_alias="lastUsedAt")
    """When it was last used, to the minute; RFC 3339, UTC"""
    key: str
    """The key itself, for Authorization: Bearer"""


class ServiceProblem(Model):
    code: Open["down_cells", "dead_work", "late_work", "unknown_attempts", "failing_connections", "open_cases", "late_jobs", "unsealed_events"]
    """What needs a person"""
    count: int
    """How many of them there are"""
    seconds: int | None
    """For how long the oldest one has been so, in seconds"""
    names: list[str]
    """The cells, kinds of work, modes, processors, kinds of cases or jobs that it is about"""


class ServiceStatus(Model):
    """The status of the service, over all companies"""

    at: str
    """When the status was read; RFC 3339, UTC"""
    down_cells: list[str] = Field(validation_alias="downCells", serialization_alias="downCells")
    """The cells whose database does not respond; the figures are those of the others. Empty with one database"""
    verdict: Open["ok", "attention"]
    """ok: nothing needs a person; attention: problems lists what does"""
    problems: list[ServiceProblem]
    """What needs a person"""
    work: list[WorkStatus]
    """Every kind of work"""
    unknown_attempts: list[UnknownAttempts] = Field(validation_alias="unknownAttempts", serialization_alias="unknownAttempts")
    """Both modes"""
    connections: list[ConnectionStatus]
    """Connections with processors"""
    failing_endpoints: int = Field(validation_alias="failingEndpoints", serialization_alias="failingEndpoints")
    """Enabled webhook endpoints whose last delivery failed"""
    open_cases: list[OpenCaseCount] = Field(validation_alias="openCases", serialization_alias="openCases")
    """Cases that need a person, as GET /v1/cases lists them"""
    jobs: list[JobStatus]
    """The recurring jobs"""
    oldest_unsealed_seconds: int | None = Field(validation_alias="oldestUnsealedSeconds", serialization_alias="oldestUnsealedSeconds")
    """The age of the oldest event that is not sealed yet, in seconds"""


class Session(Model):
    session_id: str = Field(validation_alias="sessionId", serialization_alias="sessionId")
    """ID of the session"""
    account_id: str = Field(validation_alias="accountId", serialization_alias="accountId")
    """Account identifier"""
    email: str
    """Account email address"""
    roles: list[str]
    """Roles of the account"""
    rights: list[str]
    """The rights that the roles grant"""
    company_id: str = Field(validation_alias="companyId", serialization_alias="companyId")
    """Company identifier"""
    company_name: str = Field(validation_alias="companyName", serialization_alias="companyName")
    """What customers see as the payee"""
    modes: list[Mode]
    """The allowed values of X-Paylink-Mode. live requires an active live API key"""
    login_mode: Mode = Field(validation_alias="loginMode", serialization_alias="loginMode")
    """The company’s mode for logins"""
    is_operator: bool = Field(validation_alias="isOperator", serialization_alias="isOperator")
    """Whether the account may read the status of the service at GET /v1/operator/status"""
    csrf_token: str = Field(validation_alias="csrfToken", serialization_alias="csrfToken")
    """Send it as X-Paylink-Csrf with every call except GET"""
    idle_ends_at: str = Field(validation_alias="idleEndsAt", serialization_alias="idleEndsAt")
    """When the session ends without another call. Calls extend it, at most once a minute; RFC 3339, UTC"""
    expires_at: str = Field(validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the session ends at the latest; RFC 3339, UTC"""


class SessionResponse(Model):
    """The session of the cookie"""

    session: Session | None
    """null: nobody is signed in"""


class SignInRequest(Model):
    email: str
    """Account email address"""
    password: str
    """Account password"""
    otp: str | None = Field(default=None)
    """Current code of the authenticator app"""
    recovery_code: str | None = Field(default=None, validation_alias="recoveryCode", serialization_alias="recoveryCode")
    """A recovery code, instead of otp"""


class SignInWithPasskeyRequest(Model):
    response: PasskeyAuthentication


class TestCancel(Model):
    pass


class TestClock(Model):
    at: str
    """The time of the company in test mode; RFC 3339, UTC"""
    ahead_seconds: int = Field(validation_alias="aheadSeconds", serialization_alias="aheadSeconds")
    """How far it is ahead of the real time"""
    status: TestClockStatus
    """Whether an advance is under way"""


class TestClockAdvance(Model):
    by: str
    """How far to move, as a duration of ISO 8601 in weeks, days, hours, minutes and seconds. A clock can be 730 days ahead at most"""


class TestClockWork(Model):
    """What this call did"""

    expired: int
    """Links that have expired"""
    reminders: int
    """Reminders that were queued"""
    attempts: int
    """Queries about attempts without an outcome"""
    refunds: int
    """Queries about refunds without an outcome"""
    bank_lines: int = Field(validation_alias="bankLines", serialization_alias="bankLines")
    """Bookings and bank transfers that were worked on"""
    webhooks: int
    """Webhooks that were sent, whatever their result"""
    emails: int
    """Emails that were sent, whatever their result"""
    idempotency_keys: int = Field(validation_alias="idempotencyKeys", serialization_alias="idempotencyKeys")
    """Idempotency keys that have ended"""


class TestDecline(Model):
    decline_code: Open["generic_decline", "insufficient_funds", "incorrect_csc", "expired_card", "processing_error"] | None = Field(default=None, validation_alias="declineCode", serialization_alias="declineCode")
    """Why the card is declined. Default: generic_decline"""


class TestEscalate(Model):
    pass


class TestEventRequest(Model):
    customer_order_id: str | None = Field(default=None, validation_alias="customerOrderId", serialization_alias="customerOrderId")
    """Merchant reference for the order, unique among open, processing and paid links. A UUID is recommended"""
    email: str | None = Field(default=None)
    """Customer email address"""
    amount: float | None = Field(default=None)
    """Invoice amount in major units, at most 2 decimals"""
    currency: Currency | None = Field(default=None)
    """ISO 4217 code"""
    success_url: str | None = Field(default=None)
    """Address the service redirects the user to after a successful payment"""
    failure_url: str | None = Field(default=None)
    """Address the service redirects the user to after a failed payment"""
    metadata: MetadataInput | None = Field(default=None)
    """Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500. null and '' count as missing"""


class TestExpire(Model):
    pass


class TestLinkRequest(Model):
    pass


class TestOpen(Model):
    pass


class TestOverpay(Model):
    pass


class TestPay(Model):
    pass


class TestProcess(Model):
    attempt_status: Open["processing", "requires_action", "unknown"] | None = Field(default=None, validation_alias="attemptStatus", serialization_alias="attemptStatus")
    """Status of the attempt. Default: processing"""


class TestRefund(Model):
    amount: float | None = Field(default=None)
    """Amount in major units. Default: the whole remaining amount"""
    outcome: Open["succeeded", "failed", "unknown"] | None = Field(default=None)
    """How the sandbox responds. Default: succeeded"""


class TestSettle(Model):
    outcome: Open["succeeded", "declined"] | None = Field(default=None)
    """How it ends. Default: succeeded"""


class TestTransfer(Model):
    amount: float | None = Field(default=None)
    """Amount in major units. Default: what is still due"""
    is_return: bool | None = Field(default=None, validation_alias="isReturn", serialization_alias="isReturn")
    """The bank takes the money back, which a person must review"""


class TestedPayment(Model):
    payment: Payment
    refund: Refund | None
    """The latest refund of the payment; null without one"""


class TotpSecret(Model):
    """The secret, shown only once. Logins require a code once the app is confirmed"""

    secret: str
    """The secret in base 32 (RFC 4648), to type into an app"""
    uri: str
    """The secret as a URI, for a QR code"""


class UnknownAttempts(Model):
    mode: Mode
    """The mode"""
    count: int
    """Attempts whose outcome is unknown"""
    oldest_seconds: int | None = Field(validation_alias="oldestSeconds", serialization_alias="oldestSeconds")
    """How long that of the oldest one has been unknown, in seconds"""


class UpdatePaymentRequest(Model):
    expires_at: str | None = Field(default=None, validation_alias="expiresAt", serialization_alias="expiresAt")
    """When the link expires, 5 minutes to 180 days from now (RFC 3339). Default for a new link: 7 days"""
    metadata: MetadataInput | None = Field(default=None)
    """Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500"""


class UpdateProcessorConnectionRequest(Model):
    name: str | None = Field(default=None)
    """Your name for the connection. Customers read it if the page offers another connection to the same processor"""
    currencies: list[Currency] | None = Field(default=None)
    """Currencies in which customers are offered the connection"""
    position: int | None = Field(default=None)
    """Position among the methods that customers are offered, lowest first"""
    enabled: bool | None = Field(default=None)
    """Whether customers are offered the connection"""
    credentials: ProcessorCredentials | None = Field(default=None)


class UpdateWebhookEndpointRequest(Model):
    url: str | None = Field(default=None)
    """URL that receives POST requests: a public host, https in live mode"""
    events: list[str] | None = Field(default=None)
    """Event types, or ['*'] for all types, including future ones"""
    description: str | None = Field(default=None)
    """For your records"""
    api_version: ApiVersion | None = Field(default=None, validation_alias="apiVersion", serialization_alias="apiVersion")
    """Version of the API in which messages are sent; null: the newest at the time of sending"""
    status: Open["enabled", "disabled"] | None = Field(default=None)
    """disabled: nothing is sent, and what happens is kept until it is on again"""


class WebhookDelivery(Model):
    """The delivery"""

    delivery_id: str = Field(validation_alias="deliveryId", serialization_alias="deliveryId")
    """Identification of the delivery"""
    endpoint_id: str = Field(validation_alias="endpointId", serialization_alias="endpointId")
    """Endpoint that receives it"""
    url: str
    """Current URL of the endpoint"""
    event_id: str = Field(validation_alias="eventId", serialization_alias="eventId")
    """Event that it delivers; also the ID of the message"""
    type: str
    """Type of the event"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the event happened; RFC 3339, UTC"""
    status: WebhookDeliveryState
    """pending: not delivered yet; failed: the last attempt failed"""
    state: WebhookDeliveryState
    """Deprecated. Use status"""
    tries: int
    """Number of attempts"""
    next_try_at: str | None = Field(validation_alias="nextTryAt", serialization_alias="nextTryAt")
    """Time of the next attempt, if its endpoint is enabled; null if it has ended; RFC 3339, UTC"""
    ended_at: str | None = Field(validation_alias="endedAt", serialization_alias="endedAt")
    """When it was delivered or failed; RFC 3339, UTC"""
    last_status: int | None = Field(validation_alias="lastStatus", serialization_alias="lastStatus")
    """HTTP status of the last attempt"""
    last_fault: str | None = Field(validation_alias="lastFault", serialization_alias="lastFault")
    """Why the last attempt got no response"""


class WebhookDeliveryAttempt(Model):
    at: str
    """When it was sent; RFC 3339, UTC"""
    duration_ms: int = Field(validation_alias="durationMs", serialization_alias="durationMs")
    """From the DNS lookup to the end of the response"""
    status: int | None
    """HTTP status; null without a response"""
    fault: str | None
    """refused_url, blocked_address, dns_failed, connect_failed, tls_failed, timed_out, reset, answer_too_large or invalid_answer; null with an answer"""
    answer: str | None
    """First 4 kB of the response"""


class WebhookDeliveryList(Model):
    """Deliveries, newest event first"""

    data: list[WebhookDelivery]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class WebhookDeliveryWithAttempts(Model):
    """The delivery with its attempts and its request"""

    delivery_id: str = Field(validation_alias="deliveryId", serialization_alias="deliveryId")
    """Identification of the delivery"""
    endpoint_id: str = Field(validation_alias="endpointId", serialization_alias="endpointId")
    """Endpoint that receives it"""
    url: str
    """Current URL of the endpoint"""
    event_id: str = Field(validation_alias="eventId", serialization_alias="eventId")
    """Event that it delivers; also the ID of the message"""
    type: str
    """Type of the event"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When the event happened; RFC 3339, UTC"""
    status: WebhookDeliveryState
    """pending: not delivered yet; failed: the last attempt failed"""
    state: WebhookDeliveryState
    """Deprecated. Use status"""
    tries: int
    """Number of attempts"""
    next_try_at: str | None = Field(validation_alias="nextTryAt", serialization_alias="nextTryAt")
    """Time of the next attempt, if its endpoint is enabled; null if it has ended; RFC 3339, UTC"""
    ended_at: str | None = Field(validation_alias="endedAt", serialization_alias="endedAt")
    """When it was delivered or failed; RFC 3339, UTC"""
    last_status: int | None = Field(validation_alias="lastStatus", serialization_alias="lastStatus")
    """HTTP status of the last attempt"""
    last_fault: str | None = Field(validation_alias="lastFault", serialization_alias="lastFault")
    """Why the last attempt got no response"""
    history: list[WebhookDeliveryAttempt]
    """All attempts, oldest first"""
    request: WebhookRequest


class WebhookEndpoint(Model):
    """The endpoint"""

    endpoint_id: str = Field(validation_alias="endpointId", serialization_alias="endpointId")
    """Identification of the endpoint"""
    id: str
    """Deprecated. Use endpointId"""
    mode: Mode
    """Mode of the API key that created it. It receives events of this mode"""
    url: str
    events: list[str]
    description: str | None
    """For your records"""
    api_version: str | None = Field(validation_alias="apiVersion", serialization_alias="apiVersion")
    """Version of the API in which messages are sent; null: the newest at the time of sending"""
    status: WebhookEndpointStatus
    """Whether messages are sent"""
    disabled_reason: str | None = Field(validation_alias="disabledReason", serialization_alias="disabledReason")
    """switched_off, gone (it answered 410) or failing (for 5 days); null while it is on"""
    first_failed_at: str | None = Field(validation_alias="firstFailedAt", serialization_alias="firstFailedAt")
    """First failure since the last success; RFC 3339, UTC"""
    failing_since: str | None = Field(validation_alias="failingSince", serialization_alias="failingSince")
    """Deprecated. Use firstFailedAt"""
    previous_secret_expires_at: str | None = Field(validation_alias="previousSecretExpiresAt", serialization_alias="previousSecretExpiresAt")
    """Until when messages are also signed with the previous secret; RFC 3339, UTC"""
    previous_secret_until: str | None = Field(validation_alias="previousSecretUntil", serialization_alias="previousSecretUntil")
    """Deprecated. Use previousSecretExpiresAt"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created it, or key: and the ID of a service key"""


class WebhookEndpointData(Model):
    endpoint: WebhookEndpointSummary


class WebhookEndpointDisabledMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["webhook_endpoint.disabled"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: WebhookEndpointData


class WebhookEndpointList(Model):
    """The endpoints, newest first"""

    data: list[WebhookEndpoint]
    next_cursor: str | None = Field(validation_alias="nextCursor", serialization_alias="nextCursor")
    """The cursor of the next page; null on the last"""


class WebhookEndpointSummary(Model):
    endpoint_id: str = Field(validation_alias="endpointId", serialization_alias="endpointId")
    """ID of the endpoint"""
    id: str
    """Deprecated. Use endpointId"""
    url: str
    mode: Mode
    reason: WebhookEndpointDisabledReason | None
    """Why it is disabled; null while it is enabled"""


class WebhookEndpointTestMessage(Model):
    id: str
    """Identification of the event; the same each time it is sent"""
    type: Literal["webhook_endpoint.test"]
    timestamp: str
    """When it happened; RFC 3339, UTC"""
    version: int | None
    """The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one"""
    data: WebhookEndpointData


class WebhookEndpointWithSecret(Model):
    """The endpoint with its new secret"""

    endpoint_id: str = Field(validation_alias="endpointId", serialization_alias="endpointId")
    """Identification of the endpoint"""
    id: str
    """Deprecated. Use endpointId"""
    mode: Mode
    """Mode of the API key that created it. It receives events of this mode"""
    url: str
    events: list[str]
    description: str | None
    """For your records"""
    api_version: str | None = Field(validation_alias="apiVersion", serialization_alias="apiVersion")
    """Version of the API in which messages are sent; null: the newest at the time of sending"""
    status: WebhookEndpointStatus
    """Whether messages are sent"""
    disabled_reason: str | None = Field(validation_alias="disabledReason", serialization_alias="disabledReason")
    """switched_off, gone (it answered 410) or failing (for 5 days); null while it is on"""
    first_failed_at: str | None = Field(validation_alias="firstFailedAt", serialization_alias="firstFailedAt")
    """First failure since the last success; RFC 3339, UTC"""
    failing_since: str | None = Field(validation_alias="failingSince", serialization_alias="failingSince")
    """Deprecated. Use firstFailedAt"""
    previous_secret_expires_at: str | None = Field(validation_alias="previousSecretExpiresAt", serialization_alias="previousSecretExpiresAt")
    """Until when messages are also signed with the previous secret; RFC 3339, UTC"""
    previous_secret_until: str | None = Field(validation_alias="previousSecretUntil", serialization_alias="previousSecretUntil")
    """Deprecated. Use previousSecretExpiresAt"""
    created_at: str = Field(validation_alias="createdAt", serialization_alias="createdAt")
    """When it was created; RFC 3339, UTC"""
    created_by: str = Field(validation_alias="createdBy", serialization_alias="createdBy")
    """The account that created it, or key: and the ID of a service key"""
    secret: str
    """Signing secret. Only this response contains it"""


class WebhookMessage(Model):
    """The webhook of an event as it would be sent now"""

    headers: WebhookHeaders
    """The headers. webhook-signature contains only v1a, the signature with the published key"""
    body: str
    """The exact body"""


class WebhookRequest(Model):
    """The request as it would be sent now. Its data is current at the time of sending"""

    method: Open["POST"]
    url: str
    """URL that it is sent to"""
    headers: WebhookHeaders
    body: str
    """The exact body"""


class WorkStatus(Model):
    kind: str
    """The kind of work"""
    due: int
    """How much of it is due now, at most 100000"""
    oldest_due_seconds: int | None = Field(validation_alias="oldestDueSeconds", serialization_alias="oldestDueSeconds")
    """How long the oldest of it has been due, in seconds"""
    dead: int
    """How much of it waits for a person, see paylink jobs dead"""


WebhookEvent: TypeAlias = Union[
    PaymentCreatedMessage,
    PaymentOpenedMessage,
    PaymentProcessingMessage,
    PaymentPaidMessage,
    PaymentFailedMessage,
    PaymentExpiredMessage,
    PaymentCancelledMessage,
    PaymentLinkRequestedMessage,
    PaymentPartlyPaidMessage,
    PaymentTransferReviewMessage,
    PaymentLateMessage,
    RefundCreatedMessage,
    RefundSucceededMessage,
    RefundFailedMessage,
    RefundEscalatedMessage,
    AttemptUnknownMessage,
    AttemptResolvedMessage,
    AttemptEscalatedMessage,
    MailFailedMessage,
    WebhookEndpointDisabledMessage,
    WebhookEndpointTestMessage,
]
"""The content of a webhook: its `type` decides what `data` has. A newer service may have more types."""

WEBHOOK_EVENTS: dict[str, type[WebhookEvent]] = {
    "payment.created": PaymentCreatedMessage,
    "payment.opened": PaymentOpenedMessage,
    "payment.processing": PaymentProcessingMessage,
    "payment.paid": PaymentPaidMessage,
    "payment.failed": PaymentFailedMessage,
    "payment.expired": PaymentExpiredMessage,
    "payment.cancelled": PaymentCancelledMessage,
    "payment.link_requested": PaymentLinkRequestedMessage,
    "payment.partly_paid": PaymentPartlyPaidMessage,
    "payment.transfer_review": PaymentTransferReviewMessage,
    "payment.late": PaymentLateMessage,
    "refund.created": RefundCreatedMessage,
    "refund.succeeded": RefundSucceededMessage,
    "refund.failed": RefundFailedMessage,
    "refund.escalated": RefundEscalatedMessage,
    "attempt.unknown": AttemptUnknownMessage,
    "attempt.resolved": AttemptResolvedMessage,
    "attempt.escalated": AttemptEscalatedMessage,
    "mail.failed": MailFailedMessage,
    "webhook_endpoint.disabled": WebhookEndpointDisabledMessage,
    "webhook_endpoint.test": WebhookEndpointTestMessage,
}
"""The model of each event type."""
