# Generated from openapi.json by generate-python.ts: change the routes of the service, never this file.

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

import httpx

from . import types as t
from ._base import OMITTED, AsyncRequest, CallOptions, Omitted, QueryText, Request
from ._pages import AsyncFeedSource, AsyncPagedList, FeedSource, PagedList


class Payments:
    """Payments, their refunds, events and deliveries."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def create(
        self,
        *,
        customer_order_id: str,
        email: str,
        amount: float | Decimal,
        currency: t.Currency,
        success_url: str,
        failure_url: str,
        first_name: str | None | Omitted = OMITTED,
        last_name: str | None | Omitted = OMITTED,
        phone: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        locale: str | None | Omitted = OMITTED,
        metadata: Mapping[str, str] | None | Omitted = OMITTED,
        items: Sequence[t.PaymentItemInput] | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Process a payment transaction and obtain a payment link"""
        answer: t.Payment = self._request("processPayment", body={"firstName": first_name, "lastName": last_name, "customerOrderId": customer_order_id, "email": email, "amount": amount, "currency": currency, "phone": phone, "success_url": success_url, "failure_url": failure_url, "description": description, "expiresAt": expires_at, "locale": locale, "metadata": metadata, "items": items}, options=options)
        return answer

    def list(
        self,
        *,
        status: t.PaymentStatus | Omitted = OMITTED,
        customer_order_id: QueryText | Omitted = OMITTED,
        email: QueryText | Omitted = OMITTED,
        min_amount: QueryText | Omitted = OMITTED,
        max_amount: QueryText | Omitted = OMITTED,
        currency: t.Currency | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        text: QueryText | Omitted = OMITTED,
        expand: QueryText | Omitted = OMITTED,
        sort: Literal["-createdAt", "createdAt", "-CreatedOn", "CreatedOn"] | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.Payment, t.PaymentList]:
        """Find payments"""
        return PagedList(lambda place: self._request("listPayments", query={"status": status, "customerOrderId": customer_order_id, "email": email, "minAmount": min_amount, "maxAmount": max_amount, "currency": currency, "mode": mode, "createdFrom": created_from, "createdTo": created_to, "text": text, "expand": expand, "sort": sort, "limit": limit, "cursor": cursor, **place}, options=options))

    def get(
        self,
        code: str,
        *,
        expand: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Retrieve a payment"""
        answer: t.Payment = self._request("getPayment", path={"code": code}, query={"expand": expand}, options=options)
        return answer

    def send_link(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Email the link of an open payment to its customer"""
        answer: t.Payment = self._request("sendPaymentLink", path={"code": code}, options=options)
        return answer

    def update(
        self,
        code: str,
        *,
        expires_at: str | Omitted = OMITTED,
        metadata: Mapping[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Update an open payment"""
        answer: t.Payment = self._request("updatePayment", path={"code": code}, body={"expiresAt": expires_at, "metadata": metadata}, options=options)
        return answer

    def cancel(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Cancel an open payment"""
        answer: t.Payment = self._request("cancelPayment", path={"code": code}, options=options)
        return answer

    def refund(
        self,
        code: str,
        *,
        amount: float | Decimal | Omitted = OMITTED,
        expected_remaining: float | Decimal | Omitted = OMITTED,
        reason: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Refund:
        """Refund a payment, partially or in full"""
        answer: t.Refund = self._request("refundPayment", path={"code": code}, body={"amount": amount, "expectedRemaining": expected_remaining, "reason": reason}, options=options)
        return answer

    def list_refunds(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> PagedList[t.Refund, t.RefundList]:
        """List the refunds of a payment, oldest first"""
        return PagedList(lambda place: self._request("listRefunds", path={"code": code}, query={**place}, options=options))

    def list_events(
        self,
        code: str,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.AuditEvent, t.AuditEventList]:
        """List the events of a payment, and who caused them"""
        return PagedList(lambda place: self._request("listPaymentEvents", path={"code": code}, query={"limit": limit, "cursor": cursor, **place}, options=options))

    def list_deliveries(
        self,
        code: str,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.WebhookDelivery, t.WebhookDeliveryList]:
        """List the deliveries of a payment’s events"""
        return PagedList(lambda place: self._request("listPaymentDeliveries", path={"code": code}, query={"limit": limit, "cursor": cursor, **place}, options=options))

    def qr(
        self,
        code: str,
        *,
        format: Literal["svg", "png"] | Omitted = OMITTED,
        size: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Retrieve a payment link as a QR code"""
        answer: httpx.Response = self._request("drawQrCode", path={"code": code}, query={"format": format, "size": size}, options=options)
        return answer

    def export(
        self,
        *,
        format: Literal["csv", "ndjson"] | Omitted = OMITTED,
        status: t.PaymentStatus | Omitted = OMITTED,
        customer_order_id: QueryText | Omitted = OMITTED,
        email: QueryText | Omitted = OMITTED,
        min_amount: QueryText | Omitted = OMITTED,
        max_amount: QueryText | Omitted = OMITTED,
        currency: t.Currency | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        text: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Export the matching payments as a file, oldest first"""
        answer: httpx.Response = self._request("exportPayments", query={"format": format, "status": status, "customerOrderId": customer_order_id, "email": email, "minAmount": min_amount, "maxAmount": max_amount, "currency": currency, "mode": mode, "createdFrom": created_from, "createdTo": created_to, "text": text}, options=options)
        return answer


class Refunds:
    """The refunds of all payments."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        payment_link_code: QueryText | Omitted = OMITTED,
        status: t.RefundStatus | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        expand: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.ExpandableRefund, t.ExpandableRefundList]:
        """List refunds, newest first"""
        return PagedList(lambda place: self._request("findRefunds", query={"paymentLinkCode": payment_link_code, "status": status, "createdFrom": created_from, "createdTo": created_to, "expand": expand, "limit": limit, "cursor": cursor, **place}, options=options))

    def get(
        self,
        refund_id: str,
        *,
        expand: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ExpandableRefund:
        """Retrieve a refund"""
        answer: t.ExpandableRefund = self._request("getRefund", path={"refundId": refund_id}, query={"expand": expand}, options=options)
        return answer


class Overviews:
    """The figures of the overview."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        *,
        days: Literal["1", "7", "30"] | Omitted = OMITTED,
        time_zone: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Overview:
        """Get an overview: what was created and paid in the last days, and what needs attention"""
        answer: t.Overview = self._request("getOverview", query={"days": days, "timeZone": time_zone}, options=options)
        return answer


class Cases:
    """Cases that wait for a person."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> PagedList[t.Case, t.CaseList]:
        """List the cases that a person must resolve"""
        return PagedList(lambda place: self._request("listCases", query={**place}, options=options))

    def close(
        self,
        code: str,
        *,
        processor_reference: str,
        note: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ClosedCase:
        """Close a case about money that Paylink cannot account for"""
        answer: t.ClosedCase = self._request("closeCase", path={"code": code}, body={"processorReference": processor_reference, "note": note}, options=options)
        return answer


class Events(FeedSource):
    """The event feed and the audit log."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        after: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        wait: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.EventFeed:
        """Follow the public events"""
        answer: t.EventFeed = self._request("listEvents", query={"after": after, "limit": limit, "wait": wait}, options=options)
        return answer

    def list_audit(
        self,
        *,
        type: QueryText | Omitted = OMITTED,
        actor: QueryText | Omitted = OMITTED,
        about: Literal["company"] | Omitted = OMITTED,
        payment_link_code: QueryText | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.AuditEvent, t.AuditEventList]:
        """List all events of the company, and who caused them"""
        return PagedList(lambda place: self._request("listAuditEvents", query={"type": type, "actor": actor, "about": about, "paymentLinkCode": payment_link_code, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor, **place}, options=options))


class Balances:
    """The balances of the ledger."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> PagedList[t.Balance, t.BalanceList]:
        """List the balances of the ledger accounts"""
        return PagedList(lambda place: self._request("listBalances", query={**place}, options=options))


class Ledger:
    """The entries of the ledger."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def entries(
        self,
        *,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        payment_link_code: QueryText | Omitted = OMITTED,
        sort: Literal["createdAt", "-createdAt", "CreatedOn", "-CreatedOn"] | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.LedgerEntry, t.LedgerEntryList]:
        """List the ledger entries"""
        return PagedList(lambda place: self._request("listLedgerEntries", query={"createdFrom": created_from, "createdTo": created_to, "paymentLinkCode": payment_link_code, "sort": sort, "limit": limit, "cursor": cursor, **place}, options=options))


class ApiKeys:
    """The API keys of the company."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.ApiKey, t.ApiKeyList]:
        """List the API keys"""
        return PagedList(lambda place: self._request("listApiKeys", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def create(
        self,
        *,
        name: str | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ApiKeyWithSecret:
        """Create an API key"""
        answer: t.ApiKeyWithSecret = self._request("createApiKey", body={"name": name, "mode": mode}, options=options)
        return answer

    def roll(
        self,
        key_id: str,
        *,
        overlap_hours: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ApiKeyWithSecret:
        """Roll an API key. The old key stays valid for an overlap"""
        answer: t.ApiKeyWithSecret = self._request("rollApiKey", path={"keyId": key_id}, body={"overlapHours": overlap_hours}, options=options)
        return answer

    def revoke(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ApiKey:
        """Revoke a key at once"""
        answer: t.ApiKey = self._request("revokeApiKey", path={"keyId": key_id}, options=options)
        return answer


class ServiceKeys:
    """The service keys of the company."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.ServiceKey, t.ServiceKeyList]:
        """List the service keys"""
        return PagedList(lambda place: self._request("listServiceKeys", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def get(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ServiceKey:
        """Retrieve a service key"""
        answer: t.ServiceKey = self._request("getServiceKey", path={"keyId": key_id}, options=options)
        return answer

    def create(
        self,
        *,
        scopes: Sequence[Literal["payments", "read", "payments:create", "payments:read", "payments:update", "payments:cancel", "payments:refund", "events:read", "balances:read", "bank:read", "exports:read", "webhooks:read", "webhooks:manage", "processors:read", "company:read", "audit:read", "requests:read"]],
        name: str | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        allowed_addresses: Sequence[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ServiceKeyWithSecret:
        """Create a service key"""
        answer: t.ServiceKeyWithSecret = self._request("createServiceKey", body={"name": name, "mode": mode, "scopes": scopes, "expiresAt": expires_at, "allowedAddresses": allowed_addresses}, options=options)
        return answer

    def change(
        self,
        key_id: str,
        *,
        name: str | Omitted = OMITTED,
        allowed_addresses: Sequence[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ServiceKey:
        """Change the name or the allowed addresses of a service key"""
        answer: t.ServiceKey = self._request("changeServiceKey", path={"keyId": key_id}, body={"name": name, "allowedAddresses": allowed_addresses}, options=options)
        return answer

    def roll(
        self,
        key_id: str,
        *,
        overlap_hours: int | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ServiceKeyWithSecret:
        """Roll a service key. The old key stays valid for an overlap"""
        answer: t.ServiceKeyWithSecret = self._request("rollServiceKey", path={"keyId": key_id}, body={"overlapHours": overlap_hours, "expiresAt": expires_at}, options=options)
        return answer

    def revoke(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ServiceKey:
        """Revoke a service key at once"""
        answer: t.ServiceKey = self._request("revokeServiceKey", path={"keyId": key_id}, options=options)
        return answer


class Requests:
    """The log of the calls of the company."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        status: QueryText | Omitted = OMITTED,
        method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] | Omitted = OMITTED,
        path: QueryText | Omitted = OMITTED,
        key_id: QueryText | Omitted = OMITTED,
        request_id: QueryText | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.ApiRequest, t.ApiRequestList]:
        """List the calls of the company in this mode"""
        return PagedList(lambda place: self._request("listRequests", query={"status": status, "method": method, "path": path, "keyId": key_id, "requestId": request_id, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor, **place}, options=options))

    def get(
        self,
        request_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ApiRequestDetails:
        """Retrieve a call with its bodies"""
        answer: t.ApiRequestDetails = self._request("getRequest", path={"requestId": request_id}, options=options)
        return answer


class OwnAccount:
    """The account of this client, and its sessions."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.Account:
        """Retrieve the account of the caller"""
        answer: t.Account = self._request("getMe", options=options)
        return answer

    def change_password(
        self,
        *,
        current_password: str,
        new_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Change the password and end all other sessions of the account"""
        self._request("changePassword", body={"currentPassword": current_password, "newPassword": new_password}, options=options)

    def log_out(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Log out: end the session of this call"""
        self._request("logOut", options=options)

    def list_sessions(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.AccountSession, t.AccountSessionList]:
        """List the sessions of the account"""
        return PagedList(lambda place: self._request("listSessions", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def end_session(
        self,
        session_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End a session of the account"""
        self._request("endSession", path={"sessionId": session_id}, options=options)

    def end_other_sessions(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End all other sessions of the account"""
        self._request("endOtherSessions", options=options)


class OwnAccess:
    """What this client's credentials may do."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.Access:
        """Retrieve what the credentials of this call may do"""
        answer: t.Access = self._request("getAccess", options=options)
        return answer


class SecondFactors:
    """The account's second factors. A client that logs in by itself needs an account without any."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.SecondFactors:
        """Retrieve the second factors of the account"""
        answer: t.SecondFactors = self._request("getSecondFactors", options=options)
        return answer

    def begin_totp(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> t.TotpSecret:
        """Create a secret for an authenticator app. Logins require a code once the app is confirmed"""
        answer: t.TotpSecret = self._request("beginTotp", body={"currentPassword": current_password}, options=options)
        return answer

    def confirm_totp(
        self,
        *,
        otp: str,
        options: CallOptions | None = None,
    ) -> t.ConfirmedTotp:
        """Confirm the authenticator app with one of its codes"""
        answer: t.ConfirmedTotp = self._request("confirmTotp", body={"otp": otp}, options=options)
        return answer

    def remove_totp(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Remove the authenticator app"""
        self._request("removeTotp", body={"currentPassword": current_password}, options=options)

    def begin_passkey(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> t.PasskeyOptions:
        """Create the options for a new passkey"""
        answer: t.PasskeyOptions = self._request("beginPasskey", body={"currentPassword": current_password}, options=options)
        return answer

    def add_passkey(
        self,
        *,
        name: str,
        response: t.PasskeyRegistration,
        options: CallOptions | None = None,
    ) -> t.PasskeyWithRecoveryCodes:
        """Add a passkey"""
        answer: t.PasskeyWithRecoveryCodes = self._request("addPasskey", body={"name": name, "response": response}, options=options)
        return answer

    def remove_passkey(
        self,
        passkey_id: str,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a passkey"""
        self._request("removePasskey", path={"passkeyId": passkey_id}, body={"currentPassword": current_password}, options=options)

    def make_recovery_codes(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> t.RecoveryCodes:
        """Generate ten recovery codes, which replace all earlier ones"""
        answer: t.RecoveryCodes = self._request("makeRecoveryCodes", body={"currentPassword": current_password}, options=options)
        return answer


class Members:
    """The members of the company."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.Member, t.MemberList]:
        """List the members of the company"""
        return PagedList(lambda place: self._request("listMembers", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def invite(
        self,
        *,
        email: str,
        roles: Sequence[t.Role],
        options: CallOptions | None = None,
    ) -> t.InvitationWithLink:
        """Invite a person by email"""
        answer: t.InvitationWithLink = self._request("inviteMember", body={"email": email, "roles": roles}, options=options)
        return answer

    def change(
        self,
        account_id: str,
        *,
        roles: Sequence[t.Role],
        options: CallOptions | None = None,
    ) -> t.Member:
        """Change the roles of a member"""
        answer: t.Member = self._request("changeMember", path={"accountId": account_id}, body={"roles": roles}, options=options)
        return answer

    def remove(
        self,
        account_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a member and end their sessions"""
        self._request("removeMember", path={"accountId": account_id}, options=options)


class Invitations:
    """Invitations to the company."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.Invitation, t.InvitationList]:
        """List the open invitations"""
        return PagedList(lambda place: self._request("listInvitations", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def revoke(
        self,
        invitation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke an invitation"""
        self._request("revokeInvitation", path={"invitationId": invitation_id}, options=options)

    def accept(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> t.AcceptedInvitation:
        """Accept an invitation and create the account"""
        answer: t.AcceptedInvitation = self._request("acceptInvitation", body={"token": token, "password": password}, options=options)
        return answer


class PasswordResets:
    """Forgotten passwords. They need no credentials: this client's are not sent."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def ask(
        self,
        *,
        email: str,
        options: CallOptions | None = None,
    ) -> None:
        """Request a password reset link by email"""
        self._request("askPasswordReset", body={"email": email}, options=options)

    def accept(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Set a new password with a reset link and end all sessions of the account"""
        self._request("acceptPasswordReset", body={"token": token, "password": password}, options=options)


class OwnCompany:
    """The settings of the company."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Retrieve the company"""
        answer: t.Company = self._request("getCompany", options=options)
        return answer

    def change(
        self,
        *,
        name: str | Omitted = OMITTED,
        country: str | Omitted = OMITTED,
        branding: t.ChangeCompanyRequestBranding | Omitted = OMITTED,
        identity: t.CompanyIdentityChange | Omitted = OMITTED,
        retry_policy: t.RetryPolicy | Omitted = OMITTED,
        login_mode: t.Mode | Omitted = OMITTED,
        allowed_origins: Sequence[str] | Omitted = OMITTED,
        mail: t.ChangeCompanyRequestMail | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Change the company. Missing fields stay unchanged"""
        answer: t.Company = self._request("changeCompany", body={"name": name, "country": country, "branding": branding, "identity": identity, "retryPolicy": retry_policy, "loginMode": login_mode, "allowedOrigins": allowed_origins, "mail": mail}, options=options)
        return answer

    def upload_logo(
        self,
        file: bytes,
        *,
        content_type: Literal["image/png", "image/svg+xml"],
        variant: t.LogoVariant | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Upload the logo"""
        answer: t.Company = self._request("uploadLogo", query={"variant": variant}, body=file, content_type=content_type, options=options)
        return answer

    def delete_logo(
        self,
        *,
        variant: t.LogoVariant | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Delete the uploaded logo"""
        answer: t.Company = self._request("deleteLogo", query={"variant": variant}, options=options)
        return answer

    def preview(
        self,
        *,
        name: str | Omitted = OMITTED,
        color: str | None | Omitted = OMITTED,
        logo: str | None | Omitted = OMITTED,
        identity: t.CompanyIdentityChange | Omitted = OMITTED,
        locale: t.Locale | Omitted = OMITTED,
        status: t.PaymentStatus | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.PagePreview:
        """Preview a hosted page with a draft of the branding"""
        answer: t.PagePreview = self._request("previewPage", body={"name": name, "color": color, "logo": logo, "identity": identity, "locale": locale, "status": status}, options=options)
        return answer


class Processors:
    """Processors, and the connections to them."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> builtins.list[t.Processor]:
        """List processors"""
        page: Any = self._request("listProcessors", options=options)
        data: builtins.list[t.Processor] = page.data
        return data

    def list_connections(
        self,
        *,
        options: CallOptions | None = None,
    ) -> builtins.list[t.ProcessorConnection]:
        """List connections"""
        page: Any = self._request("listProcessorConnections", options=options)
        data: builtins.list[t.ProcessorConnection] = page.data
        return data

    def get_connection(
        self,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Retrieve a connection"""
        answer: t.ProcessorConnection = self._request("getProcessorConnection", path={"connectionId": connection_id}, options=options)
        return answer

    def connect(
        self,
        *,
        processor: str,
        name: str | Omitted = OMITTED,
        currencies: Sequence[t.Currency] | Omitted = OMITTED,
        position: int | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        credentials: Mapping[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Create a connection"""
        answer: t.ProcessorConnection = self._request("createProcessorConnection", body={"processor": processor, "name": name, "currencies": currencies, "position": position, "enabled": enabled, "credentials": credentials}, options=options)
        return answer

    def change_connection(
        self,
        connection_id: str,
        *,
        name: str | Omitted = OMITTED,
        currencies: Sequence[t.Currency] | Omitted = OMITTED,
        position: int | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        credentials: Mapping[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Update a connection"""
        answer: t.ProcessorConnection = self._request("updateProcessorConnection", path={"connectionId": connection_id}, body={"name": name, "currencies": currencies, "position": position, "enabled": enabled, "credentials": credentials}, options=options)
        return answer

    def check_connection(
        self,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Check the credentials of a connection"""
        answer: t.ProcessorConnection = self._request("checkProcessorConnection", path={"connectionId": connection_id}, options=options)
        return answer

    def order_connections(
        self,
        *,
        connection_ids: Sequence[str],
        options: CallOptions | None = None,
    ) -> builtins.list[t.ProcessorConnection]:
        """Set the order of connections"""
        page: Any = self._request("orderProcessorConnections", body={"connectionIds": connection_ids}, options=options)
        data: builtins.list[t.ProcessorConnection] = page.data
        return data

    def remove_connection(
        self,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Delete a connection and its credentials"""
        answer: t.ProcessorConnection = self._request("deleteProcessorConnection", path={"connectionId": connection_id}, options=options)
        return answer


class Bank:
    """Bank statements, bookings to resolve, and refunds to send by hand."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def import_statement(
        self,
        file: bytes,
        *,
        options: CallOptions | None = None,
    ) -> t.BankStatementImport:
        """Import a bank statement"""
        answer: t.BankStatementImport = self._request("importBankStatement", body=file, options=options)
        return answer

    def list_statements(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.BankStatement, t.BankStatementList]:
        """List bank statements"""
        return PagedList(lambda place: self._request("listBankStatements", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def get_statement(
        self,
        statement_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.BankStatement:
        """Retrieve a bank statement"""
        answer: t.BankStatement = self._request("getBankStatement", path={"statementId": statement_id}, options=options)
        return answer

    def list_lines(
        self,
        *,
        status: t.BankLineStatus | Omitted = OMITTED,
        statement_id: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.BankLine, t.BankLineList]:
        """List bank lines"""
        return PagedList(lambda place: self._request("listBankLines", query={"status": status, "statementId": statement_id, "limit": limit, "cursor": cursor, **place}, options=options))

    def resolve_line(
        self,
        line_id: str,
        *,
        action: Literal["match", "dismiss"],
        reference: str | Omitted = OMITTED,
        note: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.BankLine:
        """Resolve a bank line"""
        answer: t.BankLine = self._request("resolveBankLine", path={"lineId": line_id}, body={"action": action, "reference": reference, "note": note}, options=options)
        return answer

    def list_refunds(
        self,
        *,
        status: t.BankRefundStatus | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.BankRefund, t.BankRefundList]:
        """List refunds by bank transfer"""
        return PagedList(lambda place: self._request("listBankRefunds", query={"status": status, "limit": limit, "cursor": cursor, **place}, options=options))

    def resolve_refund(
        self,
        refund_id: str,
        *,
        outcome: Literal["sent", "not_sent"],
        note: str,
        options: CallOptions | None = None,
    ) -> t.BankRefund:
        """Resolve a refund by bank transfer"""
        answer: t.BankRefund = self._request("resolveBankRefund", path={"refundId": refund_id}, body={"outcome": outcome, "note": note}, options=options)
        return answer


class WebhookEndpoints:
    """Webhook endpoints."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.WebhookEndpoint, t.WebhookEndpointList]:
        """List webhook endpoints"""
        return PagedList(lambda place: self._request("listWebhookEndpoints", query={"limit": limit, "cursor": cursor, **place}, options=options))

    def create(
        self,
        *,
        url: str,
        events: Sequence[str],
        description: str | None | Omitted = OMITTED,
        api_version: t.ApiVersion | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpointWithSecret:
        """Create a webhook endpoint"""
        answer: t.WebhookEndpointWithSecret = self._request("createWebhookEndpoint", body={"url": url, "events": events, "description": description, "apiVersion": api_version}, options=options)
        return answer

    def get(
        self,
        endpoint_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpoint:
        """Retrieve a webhook endpoint"""
        answer: t.WebhookEndpoint = self._request("getWebhookEndpoint", path={"endpointId": endpoint_id}, options=options)
        return answer

    def update(
        self,
        endpoint_id: str,
        *,
        url: str | Omitted = OMITTED,
        events: Sequence[str] | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        api_version: t.ApiVersion | None | Omitted = OMITTED,
        status: Literal["enabled", "disabled"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpoint:
        """Update, enable or disable a webhook endpoint"""
        answer: t.WebhookEndpoint = self._request("updateWebhookEndpoint", path={"endpointId": endpoint_id}, body={"url": url, "events": events, "description": description, "apiVersion": api_version, "status": status}, options=options)
        return answer

    def remove(
        self,
        endpoint_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpoint:
        """Delete a webhook endpoint"""
        answer: t.WebhookEndpoint = self._request("deleteWebhookEndpoint", path={"endpointId": endpoint_id}, options=options)
        return answer

    def roll_secret(
        self,
        endpoint_id: str,
        *,
        overlap_hours: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpointWithSecret:
        """Roll the secret of a webhook endpoint"""
        answer: t.WebhookEndpointWithSecret = self._request("rollWebhookSecret", path={"endpointId": endpoint_id}, body={"overlapHours": overlap_hours}, options=options)
        return answer

    def test(
        self,
        endpoint_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookDelivery:
        """Send a test event to a webhook endpoint"""
        answer: t.WebhookDelivery = self._request("testWebhookEndpoint", path={"endpointId": endpoint_id}, options=options)
        return answer

    def resend_since(
        self,
        endpoint_id: str,
        *,
        created_from: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ResendResult:
        """Resend all deliveries since a time"""
        answer: t.ResendResult = self._request("resendWebhookDeliveries", path={"endpointId": endpoint_id}, body={"createdFrom": created_from}, options=options)
        return answer

    def list_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        status: t.WebhookDeliveryState | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> PagedList[t.WebhookDelivery, t.WebhookDeliveryList]:
        """List the deliveries to an endpoint"""
        return PagedList(lambda place: self._request("listWebhookDeliveries", path={"endpointId": endpoint_id}, query={"limit": limit, "cursor": cursor, "status": status, **place}, options=options))


class WebhookDeliveries:
    """Webhook deliveries."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        delivery_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookDeliveryWithAttempts:
        """Retrieve a delivery with its attempts and its request"""
        answer: t.WebhookDeliveryWithAttempts = self._request("getWebhookDelivery", path={"deliveryId": delivery_id}, options=options)
        return answer

    def resend(
        self,
        delivery_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookDelivery:
        """Resend a delivery"""
        answer: t.WebhookDelivery = self._request("resendWebhookDelivery", path={"deliveryId": delivery_id}, options=options)
        return answer

    def preview(
        self,
        event_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookMessage:
        """The webhook of an event, as an endpoint would receive it now"""
        answer: t.WebhookMessage = self._request("getEventWebhook", path={"eventId": event_id}, options=options)
        return answer


class TestClocks:
    """The time of the company in test mode."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.TestClock:
        """Retrieve the test clock"""
        answer: t.TestClock = self._request("getTestClock", options=options)
        return answer

    def advance(
        self,
        *,
        by: str,
        options: CallOptions | None = None,
    ) -> t.AdvancedTestClock:
        """Move the test clock forward"""
        answer: t.AdvancedTestClock = self._request("advanceTestClock", body={"by": by}, options=options)
        return answer


class TestPayments:
    """Brings payments of test mode into a state."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def open(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Open the link, as a customer does"""
        answer: t.TestedPayment = self._request("testOpenPayment", path={"code": code}, body={}, options=options)
        return answer

    def pay(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Pay with a test card"""
        answer: t.TestedPayment = self._request("testPayPayment", path={"code": code}, body={}, options=options)
        return answer

    def decline(
        self,
        code: str,
        *,
        decline_code: Literal["generic_decline", "insufficient_funds", "incorrect_csc", "expired_card", "processing_error"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Pay with a test card that is declined"""
        answer: t.TestedPayment = self._request("testDeclinePayment", path={"code": code}, body={"declineCode": decline_code}, options=options)
        return answer

    def process(
        self,
        code: str,
        *,
        attempt_status: Literal["processing", "requires_action", "unknown"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Begin to pay, without an outcome"""
        answer: t.TestedPayment = self._request("testProcessPayment", path={"code": code}, body={"attemptStatus": attempt_status}, options=options)
        return answer

    def settle(
        self,
        code: str,
        *,
        outcome: Literal["succeeded", "declined"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """End the live attempt, or the refund without an outcome"""
        answer: t.TestedPayment = self._request("testSettlePayment", path={"code": code}, body={"outcome": outcome}, options=options)
        return answer

    def expire(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Expire the link now"""
        answer: t.TestedPayment = self._request("testExpirePayment", path={"code": code}, body={}, options=options)
        return answer

    def cancel(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Cancel the link"""
        answer: t.TestedPayment = self._request("testCancelPayment", path={"code": code}, body={}, options=options)
        return answer

    def request_link(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Ask for a new link, as the customer of a failed or expired one"""
        answer: t.TestedPayment = self._request("testRequestPaymentLink", path={"code": code}, body={}, options=options)
        return answer

    def refund(
        self,
        code: str,
        *,
        amount: float | Decimal | Omitted = OMITTED,
        outcome: Literal["succeeded", "failed", "unknown"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Refund the payment, with an outcome"""
        answer: t.TestedPayment = self._request("testRefundPayment", path={"code": code}, body={"amount": amount, "outcome": outcome}, options=options)
        return answer

    def overpay(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Pay with a test card that is charged a wrong amount"""
        answer: t.TestedPayment = self._request("testOverpayPayment", path={"code": code}, body={}, options=options)
        return answer

    def transfer(
        self,
        code: str,
        *,
        amount: float | Decimal | Omitted = OMITTED,
        is_return: bool | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Receive a bank transfer for the payment"""
        answer: t.TestedPayment = self._request("testTransferPayment", path={"code": code}, body={"amount": amount, "isReturn": is_return}, options=options)
        return answer

    def escalate(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Make the live attempt, or the refund without an outcome, a case"""
        answer: t.TestedPayment = self._request("testEscalatePayment", path={"code": code}, body={}, options=options)
        return answer


class TestEvents:
    """Causes events in test mode."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def cause(
        self,
        type: str,
        *,
        customer_order_id: str | Omitted = OMITTED,
        email: str | Omitted = OMITTED,
        amount: float | Decimal | Omitted = OMITTED,
        currency: t.Currency | Omitted = OMITTED,
        success_url: str | Omitted = OMITTED,
        failure_url: str | Omitted = OMITTED,
        metadata: Mapping[str, str] | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.CausedEvent:
        """Cause an event"""
        answer: t.CausedEvent = self._request("causeTestEvent", path={"type": type}, body={"customerOrderId": customer_order_id, "email": email, "amount": amount, "currency": currency, "success_url": success_url, "failure_url": failure_url, "metadata": metadata}, options=options)
        return answer


class AsyncPayments:
    """Payments, their refunds, events and deliveries."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def create(
        self,
        *,
        customer_order_id: str,
        email: str,
        amount: float | Decimal,
        currency: t.Currency,
        success_url: str,
        failure_url: str,
        first_name: str | None | Omitted = OMITTED,
        last_name: str | None | Omitted = OMITTED,
        phone: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        locale: str | None | Omitted = OMITTED,
        metadata: Mapping[str, str] | None | Omitted = OMITTED,
        items: Sequence[t.PaymentItemInput] | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Process a payment transaction and obtain a payment link"""
        answer: t.Payment = await self._request("processPayment", body={"firstName": first_name, "lastName": last_name, "customerOrderId": customer_order_id, "email": email, "amount": amount, "currency": currency, "phone": phone, "success_url": success_url, "failure_url": failure_url, "description": description, "expiresAt": expires_at, "locale": locale, "metadata": metadata, "items": items}, options=options)
        return answer

    def list(
        self,
        *,
        status: t.PaymentStatus | Omitted = OMITTED,
        customer_order_id: QueryText | Omitted = OMITTED,
        email: QueryText | Omitted = OMITTED,
        min_amount: QueryText | Omitted = OMITTED,
        max_amount: QueryText | Omitted = OMITTED,
        currency: t.Currency | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        text: QueryText | Omitted = OMITTED,
        expand: QueryText | Omitted = OMITTED,
        sort: Literal["-createdAt", "createdAt", "-CreatedOn", "CreatedOn"] | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.Payment, t.PaymentList]:
        """Find payments"""
        return AsyncPagedList(lambda place: self._request("listPayments", query={"status": status, "customerOrderId": customer_order_id, "email": email, "minAmount": min_amount, "maxAmount": max_amount, "currency": currency, "mode": mode, "createdFrom": created_from, "createdTo": created_to, "text": text, "expand": expand, "sort": sort, "limit": limit, "cursor": cursor, **place}, options=options))

    async def get(
        self,
        code: str,
        *,
        expand: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Retrieve a payment"""
        answer: t.Payment = await self._request("getPayment", path={"code": code}, query={"expand": expand}, options=options)
        return answer

    async def send_link(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Email the link of an open payment to its customer"""
        answer: t.Payment = await self._request("sendPaymentLink", path={"code": code}, options=options)
        return answer

    async def update(
        self,
        code: str,
        *,
        expires_at: str | Omitted = OMITTED,
        metadata: Mapping[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Update an open payment"""
        answer: t.Payment = await self._request("updatePayment", path={"code": code}, body={"expiresAt": expires_at, "metadata": metadata}, options=options)
        return answer

    async def cancel(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.Payment:
        """Cancel an open payment"""
        answer: t.Payment = await self._request("cancelPayment", path={"code": code}, options=options)
        return answer

    async def refund(
        self,
        code: str,
        *,
        amount: float | Decimal | Omitted = OMITTED,
        expected_remaining: float | Decimal | Omitted = OMITTED,
        reason: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Refund:
        """Refund a payment, partially or in full"""
        answer: t.Refund = await self._request("refundPayment", path={"code": code}, body={"amount": amount, "expectedRemaining": expected_remaining, "reason": reason}, options=options)
        return answer

    def list_refunds(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.Refund, t.RefundList]:
        """List the refunds of a payment, oldest first"""
        return AsyncPagedList(lambda place: self._request("listRefunds", path={"code": code}, query={**place}, options=options))

    def list_events(
        self,
        code: str,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.AuditEvent, t.AuditEventList]:
        """List the events of a payment, and who caused them"""
        return AsyncPagedList(lambda place: self._request("listPaymentEvents", path={"code": code}, query={"limit": limit, "cursor": cursor, **place}, options=options))

    def list_deliveries(
        self,
        code: str,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.WebhookDelivery, t.WebhookDeliveryList]:
        """List the deliveries of a payment’s events"""
        return AsyncPagedList(lambda place: self._request("listPaymentDeliveries", path={"code": code}, query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def qr(
        self,
        code: str,
        *,
        format: Literal["svg", "png"] | Omitted = OMITTED,
        size: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Retrieve a payment link as a QR code"""
        answer: httpx.Response = await self._request("drawQrCode", path={"code": code}, query={"format": format, "size": size}, options=options)
        return answer

    async def export(
        self,
        *,
        format: Literal["csv", "ndjson"] | Omitted = OMITTED,
        status: t.PaymentStatus | Omitted = OMITTED,
        customer_order_id: QueryText | Omitted = OMITTED,
        email: QueryText | Omitted = OMITTED,
        min_amount: QueryText | Omitted = OMITTED,
        max_amount: QueryText | Omitted = OMITTED,
        currency: t.Currency | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        text: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Export the matching payments as a file, oldest first"""
        answer: httpx.Response = await self._request("exportPayments", query={"format": format, "status": status, "customerOrderId": customer_order_id, "email": email, "minAmount": min_amount, "maxAmount": max_amount, "currency": currency, "mode": mode, "createdFrom": created_from, "createdTo": created_to, "text": text}, options=options)
        return answer


class AsyncRefunds:
    """The refunds of all payments."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        payment_link_code: QueryText | Omitted = OMITTED,
        status: t.RefundStatus | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        expand: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.ExpandableRefund, t.ExpandableRefundList]:
        """List refunds, newest first"""
        return AsyncPagedList(lambda place: self._request("findRefunds", query={"paymentLinkCode": payment_link_code, "status": status, "createdFrom": created_from, "createdTo": created_to, "expand": expand, "limit": limit, "cursor": cursor, **place}, options=options))

    async def get(
        self,
        refund_id: str,
        *,
        expand: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ExpandableRefund:
        """Retrieve a refund"""
        answer: t.ExpandableRefund = await self._request("getRefund", path={"refundId": refund_id}, query={"expand": expand}, options=options)
        return answer


class AsyncOverviews:
    """The figures of the overview."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        *,
        days: Literal["1", "7", "30"] | Omitted = OMITTED,
        time_zone: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Overview:
        """Get an overview: what was created and paid in the last days, and what needs attention"""
        answer: t.Overview = await self._request("getOverview", query={"days": days, "timeZone": time_zone}, options=options)
        return answer


class AsyncCases:
    """Cases that wait for a person."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.Case, t.CaseList]:
        """List the cases that a person must resolve"""
        return AsyncPagedList(lambda place: self._request("listCases", query={**place}, options=options))

    async def close(
        self,
        code: str,
        *,
        processor_reference: str,
        note: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ClosedCase:
        """Close a case about money that Paylink cannot account for"""
        answer: t.ClosedCase = await self._request("closeCase", path={"code": code}, body={"processorReference": processor_reference, "note": note}, options=options)
        return answer


class AsyncEvents(AsyncFeedSource):
    """The event feed and the audit log."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def list(
        self,
        *,
        after: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        wait: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.EventFeed:
        """Follow the public events"""
        answer: t.EventFeed = await self._request("listEvents", query={"after": after, "limit": limit, "wait": wait}, options=options)
        return answer

    def list_audit(
        self,
        *,
        type: QueryText | Omitted = OMITTED,
        actor: QueryText | Omitted = OMITTED,
        about: Literal["company"] | Omitted = OMITTED,
        payment_link_code: QueryText | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.AuditEvent, t.AuditEventList]:
        """List all events of the company, and who caused them"""
        return AsyncPagedList(lambda place: self._request("listAuditEvents", query={"type": type, "actor": actor, "about": about, "paymentLinkCode": payment_link_code, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor, **place}, options=options))


class AsyncBalances:
    """The balances of the ledger."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.Balance, t.BalanceList]:
        """List the balances of the ledger accounts"""
        return AsyncPagedList(lambda place: self._request("listBalances", query={**place}, options=options))


class AsyncLedger:
    """The entries of the ledger."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def entries(
        self,
        *,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        payment_link_code: QueryText | Omitted = OMITTED,
        sort: Literal["createdAt", "-createdAt", "CreatedOn", "-CreatedOn"] | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.LedgerEntry, t.LedgerEntryList]:
        """List the ledger entries"""
        return AsyncPagedList(lambda place: self._request("listLedgerEntries", query={"createdFrom": created_from, "createdTo": created_to, "paymentLinkCode": payment_link_code, "sort": sort, "limit": limit, "cursor": cursor, **place}, options=options))


class AsyncApiKeys:
    """The API keys of the company."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.ApiKey, t.ApiKeyList]:
        """List the API keys"""
        return AsyncPagedList(lambda place: self._request("listApiKeys", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def create(
        self,
        *,
        name: str | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ApiKeyWithSecret:
        """Create an API key"""
        answer: t.ApiKeyWithSecret = await self._request("createApiKey", body={"name": name, "mode": mode}, options=options)
        return answer

    async def roll(
        self,
        key_id: str,
        *,
        overlap_hours: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ApiKeyWithSecret:
        """Roll an API key. The old key stays valid for an overlap"""
        answer: t.ApiKeyWithSecret = await self._request("rollApiKey", path={"keyId": key_id}, body={"overlapHours": overlap_hours}, options=options)
        return answer

    async def revoke(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ApiKey:
        """Revoke a key at once"""
        answer: t.ApiKey = await self._request("revokeApiKey", path={"keyId": key_id}, options=options)
        return answer


class AsyncServiceKeys:
    """The service keys of the company."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.ServiceKey, t.ServiceKeyList]:
        """List the service keys"""
        return AsyncPagedList(lambda place: self._request("listServiceKeys", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def get(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ServiceKey:
        """Retrieve a service key"""
        answer: t.ServiceKey = await self._request("getServiceKey", path={"keyId": key_id}, options=options)
        return answer

    async def create(
        self,
        *,
        scopes: Sequence[Literal["payments", "read", "payments:create", "payments:read", "payments:update", "payments:cancel", "payments:refund", "events:read", "balances:read", "bank:read", "exports:read", "webhooks:read", "webhooks:manage", "processors:read", "company:read", "audit:read", "requests:read"]],
        name: str | Omitted = OMITTED,
        mode: t.Mode | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        allowed_addresses: Sequence[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ServiceKeyWithSecret:
        """Create a service key"""
        answer: t.ServiceKeyWithSecret = await self._request("createServiceKey", body={"name": name, "mode": mode, "scopes": scopes, "expiresAt": expires_at, "allowedAddresses": allowed_addresses}, options=options)
        return answer

    async def change(
        self,
        key_id: str,
        *,
        name: str | Omitted = OMITTED,
        allowed_addresses: Sequence[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ServiceKey:
        """Change the name or the allowed addresses of a service key"""
        answer: t.ServiceKey = await self._request("changeServiceKey", path={"keyId": key_id}, body={"name": name, "allowedAddresses": allowed_addresses}, options=options)
        return answer

    async def roll(
        self,
        key_id: str,
        *,
        overlap_hours: int | Omitted = OMITTED,
        expires_at: str | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ServiceKeyWithSecret:
        """Roll a service key. The old key stays valid for an overlap"""
        answer: t.ServiceKeyWithSecret = await self._request("rollServiceKey", path={"keyId": key_id}, body={"overlapHours": overlap_hours, "expiresAt": expires_at}, options=options)
        return answer

    async def revoke(
        self,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ServiceKey:
        """Revoke a service key at once"""
        answer: t.ServiceKey = await self._request("revokeServiceKey", path={"keyId": key_id}, options=options)
        return answer


class AsyncRequests:
    """The log of the calls of the company."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        status: QueryText | Omitted = OMITTED,
        method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] | Omitted = OMITTED,
        path: QueryText | Omitted = OMITTED,
        key_id: QueryText | Omitted = OMITTED,
        request_id: QueryText | Omitted = OMITTED,
        created_from: QueryText | Omitted = OMITTED,
        created_to: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.ApiRequest, t.ApiRequestList]:
        """List the calls of the company in this mode"""
        return AsyncPagedList(lambda place: self._request("listRequests", query={"status": status, "method": method, "path": path, "keyId": key_id, "requestId": request_id, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor, **place}, options=options))

    async def get(
        self,
        request_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ApiRequestDetails:
        """Retrieve a call with its bodies"""
        answer: t.ApiRequestDetails = await self._request("getRequest", path={"requestId": request_id}, options=options)
        return answer


class AsyncOwnAccount:
    """The account of this client, and its sessions."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.Account:
        """Retrieve the account of the caller"""
        answer: t.Account = await self._request("getMe", options=options)
        return answer

    async def change_password(
        self,
        *,
        current_password: str,
        new_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Change the password and end all other sessions of the account"""
        await self._request("changePassword", body={"currentPassword": current_password, "newPassword": new_password}, options=options)

    async def log_out(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Log out: end the session of this call"""
        await self._request("logOut", options=options)

    def list_sessions(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.AccountSession, t.AccountSessionList]:
        """List the sessions of the account"""
        return AsyncPagedList(lambda place: self._request("listSessions", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def end_session(
        self,
        session_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End a session of the account"""
        await self._request("endSession", path={"sessionId": session_id}, options=options)

    async def end_other_sessions(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End all other sessions of the account"""
        await self._request("endOtherSessions", options=options)


class AsyncOwnAccess:
    """What this client's credentials may do."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.Access:
        """Retrieve what the credentials of this call may do"""
        answer: t.Access = await self._request("getAccess", options=options)
        return answer


class AsyncSecondFactors:
    """The account's second factors. A client that logs in by itself needs an account without any."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.SecondFactors:
        """Retrieve the second factors of the account"""
        answer: t.SecondFactors = await self._request("getSecondFactors", options=options)
        return answer

    async def begin_totp(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> t.TotpSecret:
        """Create a secret for an authenticator app. Logins require a code once the app is confirmed"""
        answer: t.TotpSecret = await self._request("beginTotp", body={"currentPassword": current_password}, options=options)
        return answer

    async def confirm_totp(
        self,
        *,
        otp: str,
        options: CallOptions | None = None,
    ) -> t.ConfirmedTotp:
        """Confirm the authenticator app with one of its codes"""
        answer: t.ConfirmedTotp = await self._request("confirmTotp", body={"otp": otp}, options=options)
        return answer

    async def remove_totp(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Remove the authenticator app"""
        await self._request("removeTotp", body={"currentPassword": current_password}, options=options)

    async def begin_passkey(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> t.PasskeyOptions:
        """Create the options for a new passkey"""
        answer: t.PasskeyOptions = await self._request("beginPasskey", body={"currentPassword": current_password}, options=options)
        return answer

    async def add_passkey(
        self,
        *,
        name: str,
        response: t.PasskeyRegistration,
        options: CallOptions | None = None,
    ) -> t.PasskeyWithRecoveryCodes:
        """Add a passkey"""
        answer: t.PasskeyWithRecoveryCodes = await self._request("addPasskey", body={"name": name, "response": response}, options=options)
        return answer

    async def remove_passkey(
        self,
        passkey_id: str,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a passkey"""
        await self._request("removePasskey", path={"passkeyId": passkey_id}, body={"currentPassword": current_password}, options=options)

    async def make_recovery_codes(
        self,
        *,
        current_password: str,
        options: CallOptions | None = None,
    ) -> t.RecoveryCodes:
        """Generate ten recovery codes, which replace all earlier ones"""
        answer: t.RecoveryCodes = await self._request("makeRecoveryCodes", body={"currentPassword": current_password}, options=options)
        return answer


class AsyncMembers:
    """The members of the company."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.Member, t.MemberList]:
        """List the members of the company"""
        return AsyncPagedList(lambda place: self._request("listMembers", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def invite(
        self,
        *,
        email: str,
        roles: Sequence[t.Role],
        options: CallOptions | None = None,
    ) -> t.InvitationWithLink:
        """Invite a person by email"""
        answer: t.InvitationWithLink = await self._request("inviteMember", body={"email": email, "roles": roles}, options=options)
        return answer

    async def change(
        self,
        account_id: str,
        *,
        roles: Sequence[t.Role],
        options: CallOptions | None = None,
    ) -> t.Member:
        """Change the roles of a member"""
        answer: t.Member = await self._request("changeMember", path={"accountId": account_id}, body={"roles": roles}, options=options)
        return answer

    async def remove(
        self,
        account_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a member and end their sessions"""
        await self._request("removeMember", path={"accountId": account_id}, options=options)


class AsyncInvitations:
    """Invitations to the company."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.Invitation, t.InvitationList]:
        """List the open invitations"""
        return AsyncPagedList(lambda place: self._request("listInvitations", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def revoke(
        self,
        invitation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke an invitation"""
        await self._request("revokeInvitation", path={"invitationId": invitation_id}, options=options)

    async def accept(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> t.AcceptedInvitation:
        """Accept an invitation and create the account"""
        answer: t.AcceptedInvitation = await self._request("acceptInvitation", body={"token": token, "password": password}, options=options)
        return answer


class AsyncPasswordResets:
    """Forgotten passwords. They need no credentials: this client's are not sent."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def ask(
        self,
        *,
        email: str,
        options: CallOptions | None = None,
    ) -> None:
        """Request a password reset link by email"""
        await self._request("askPasswordReset", body={"email": email}, options=options)

    async def accept(
        self,
        *,
        token: str,
        password: str,
        options: CallOptions | None = None,
    ) -> None:
        """Set a new password with a reset link and end all sessions of the account"""
        await self._request("acceptPasswordReset", body={"token": token, "password": password}, options=options)


class AsyncOwnCompany:
    """The settings of the company."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Retrieve the company"""
        answer: t.Company = await self._request("getCompany", options=options)
        return answer

    async def change(
        self,
        *,
        name: str | Omitted = OMITTED,
        country: str | Omitted = OMITTED,
        branding: t.ChangeCompanyRequestBranding | Omitted = OMITTED,
        identity: t.CompanyIdentityChange | Omitted = OMITTED,
        retry_policy: t.RetryPolicy | Omitted = OMITTED,
        login_mode: t.Mode | Omitted = OMITTED,
        allowed_origins: Sequence[str] | Omitted = OMITTED,
        mail: t.ChangeCompanyRequestMail | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Change the company. Missing fields stay unchanged"""
        answer: t.Company = await self._request("changeCompany", body={"name": name, "country": country, "branding": branding, "identity": identity, "retryPolicy": retry_policy, "loginMode": login_mode, "allowedOrigins": allowed_origins, "mail": mail}, options=options)
        return answer

    async def upload_logo(
        self,
        file: bytes,
        *,
        content_type: Literal["image/png", "image/svg+xml"],
        variant: t.LogoVariant | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Upload the logo"""
        answer: t.Company = await self._request("uploadLogo", query={"variant": variant}, body=file, content_type=content_type, options=options)
        return answer

    async def delete_logo(
        self,
        *,
        variant: t.LogoVariant | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.Company:
        """Delete the uploaded logo"""
        answer: t.Company = await self._request("deleteLogo", query={"variant": variant}, options=options)
        return answer

    async def preview(
        self,
        *,
        name: str | Omitted = OMITTED,
        color: str | None | Omitted = OMITTED,
        logo: str | None | Omitted = OMITTED,
        identity: t.CompanyIdentityChange | Omitted = OMITTED,
        locale: t.Locale | Omitted = OMITTED,
        status: t.PaymentStatus | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.PagePreview:
        """Preview a hosted page with a draft of the branding"""
        answer: t.PagePreview = await self._request("previewPage", body={"name": name, "color": color, "logo": logo, "identity": identity, "locale": locale, "status": status}, options=options)
        return answer


class AsyncProcessors:
    """Processors, and the connections to them."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> builtins.list[t.Processor]:
        """List processors"""
        page: Any = await self._request("listProcessors", options=options)
        data: builtins.list[t.Processor] = page.data
        return data

    async def list_connections(
        self,
        *,
        options: CallOptions | None = None,
    ) -> builtins.list[t.ProcessorConnection]:
        """List connections"""
        page: Any = await self._request("listProcessorConnections", options=options)
        data: builtins.list[t.ProcessorConnection] = page.data
        return data

    async def get_connection(
        self,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Retrieve a connection"""
        answer: t.ProcessorConnection = await self._request("getProcessorConnection", path={"connectionId": connection_id}, options=options)
        return answer

    async def connect(
        self,
        *,
        processor: str,
        name: str | Omitted = OMITTED,
        currencies: Sequence[t.Currency] | Omitted = OMITTED,
        position: int | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        credentials: Mapping[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Create a connection"""
        answer: t.ProcessorConnection = await self._request("createProcessorConnection", body={"processor": processor, "name": name, "currencies": currencies, "position": position, "enabled": enabled, "credentials": credentials}, options=options)
        return answer

    async def change_connection(
        self,
        connection_id: str,
        *,
        name: str | Omitted = OMITTED,
        currencies: Sequence[t.Currency] | Omitted = OMITTED,
        position: int | Omitted = OMITTED,
        enabled: bool | Omitted = OMITTED,
        credentials: Mapping[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Update a connection"""
        answer: t.ProcessorConnection = await self._request("updateProcessorConnection", path={"connectionId": connection_id}, body={"name": name, "currencies": currencies, "position": position, "enabled": enabled, "credentials": credentials}, options=options)
        return answer

    async def check_connection(
        self,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Check the credentials of a connection"""
        answer: t.ProcessorConnection = await self._request("checkProcessorConnection", path={"connectionId": connection_id}, options=options)
        return answer

    async def order_connections(
        self,
        *,
        connection_ids: Sequence[str],
        options: CallOptions | None = None,
    ) -> builtins.list[t.ProcessorConnection]:
        """Set the order of connections"""
        page: Any = await self._request("orderProcessorConnections", body={"connectionIds": connection_ids}, options=options)
        data: builtins.list[t.ProcessorConnection] = page.data
        return data

    async def remove_connection(
        self,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.ProcessorConnection:
        """Delete a connection and its credentials"""
        answer: t.ProcessorConnection = await self._request("deleteProcessorConnection", path={"connectionId": connection_id}, options=options)
        return answer


class AsyncBank:
    """Bank statements, bookings to resolve, and refunds to send by hand."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def import_statement(
        self,
        file: bytes,
        *,
        options: CallOptions | None = None,
    ) -> t.BankStatementImport:
        """Import a bank statement"""
        answer: t.BankStatementImport = await self._request("importBankStatement", body=file, options=options)
        return answer

    def list_statements(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.BankStatement, t.BankStatementList]:
        """List bank statements"""
        return AsyncPagedList(lambda place: self._request("listBankStatements", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def get_statement(
        self,
        statement_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.BankStatement:
        """Retrieve a bank statement"""
        answer: t.BankStatement = await self._request("getBankStatement", path={"statementId": statement_id}, options=options)
        return answer

    def list_lines(
        self,
        *,
        status: t.BankLineStatus | Omitted = OMITTED,
        statement_id: QueryText | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.BankLine, t.BankLineList]:
        """List bank lines"""
        return AsyncPagedList(lambda place: self._request("listBankLines", query={"status": status, "statementId": statement_id, "limit": limit, "cursor": cursor, **place}, options=options))

    async def resolve_line(
        self,
        line_id: str,
        *,
        action: Literal["match", "dismiss"],
        reference: str | Omitted = OMITTED,
        note: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.BankLine:
        """Resolve a bank line"""
        answer: t.BankLine = await self._request("resolveBankLine", path={"lineId": line_id}, body={"action": action, "reference": reference, "note": note}, options=options)
        return answer

    def list_refunds(
        self,
        *,
        status: t.BankRefundStatus | Omitted = OMITTED,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.BankRefund, t.BankRefundList]:
        """List refunds by bank transfer"""
        return AsyncPagedList(lambda place: self._request("listBankRefunds", query={"status": status, "limit": limit, "cursor": cursor, **place}, options=options))

    async def resolve_refund(
        self,
        refund_id: str,
        *,
        outcome: Literal["sent", "not_sent"],
        note: str,
        options: CallOptions | None = None,
    ) -> t.BankRefund:
        """Resolve a refund by bank transfer"""
        answer: t.BankRefund = await self._request("resolveBankRefund", path={"refundId": refund_id}, body={"outcome": outcome, "note": note}, options=options)
        return answer


class AsyncWebhookEndpoints:
    """Webhook endpoints."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    def list(
        self,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.WebhookEndpoint, t.WebhookEndpointList]:
        """List webhook endpoints"""
        return AsyncPagedList(lambda place: self._request("listWebhookEndpoints", query={"limit": limit, "cursor": cursor, **place}, options=options))

    async def create(
        self,
        *,
        url: str,
        events: Sequence[str],
        description: str | None | Omitted = OMITTED,
        api_version: t.ApiVersion | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpointWithSecret:
        """Create a webhook endpoint"""
        answer: t.WebhookEndpointWithSecret = await self._request("createWebhookEndpoint", body={"url": url, "events": events, "description": description, "apiVersion": api_version}, options=options)
        return answer

    async def get(
        self,
        endpoint_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpoint:
        """Retrieve a webhook endpoint"""
        answer: t.WebhookEndpoint = await self._request("getWebhookEndpoint", path={"endpointId": endpoint_id}, options=options)
        return answer

    async def update(
        self,
        endpoint_id: str,
        *,
        url: str | Omitted = OMITTED,
        events: Sequence[str] | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        api_version: t.ApiVersion | None | Omitted = OMITTED,
        status: Literal["enabled", "disabled"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpoint:
        """Update, enable or disable a webhook endpoint"""
        answer: t.WebhookEndpoint = await self._request("updateWebhookEndpoint", path={"endpointId": endpoint_id}, body={"url": url, "events": events, "description": description, "apiVersion": api_version, "status": status}, options=options)
        return answer

    async def remove(
        self,
        endpoint_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpoint:
        """Delete a webhook endpoint"""
        answer: t.WebhookEndpoint = await self._request("deleteWebhookEndpoint", path={"endpointId": endpoint_id}, options=options)
        return answer

    async def roll_secret(
        self,
        endpoint_id: str,
        *,
        overlap_hours: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.WebhookEndpointWithSecret:
        """Roll the secret of a webhook endpoint"""
        answer: t.WebhookEndpointWithSecret = await self._request("rollWebhookSecret", path={"endpointId": endpoint_id}, body={"overlapHours": overlap_hours}, options=options)
        return answer

    async def test(
        self,
        endpoint_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookDelivery:
        """Send a test event to a webhook endpoint"""
        answer: t.WebhookDelivery = await self._request("testWebhookEndpoint", path={"endpointId": endpoint_id}, options=options)
        return answer

    async def resend_since(
        self,
        endpoint_id: str,
        *,
        created_from: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.ResendResult:
        """Resend all deliveries since a time"""
        answer: t.ResendResult = await self._request("resendWebhookDeliveries", path={"endpointId": endpoint_id}, body={"createdFrom": created_from}, options=options)
        return answer

    def list_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: QueryText | Omitted = OMITTED,
        cursor: QueryText | Omitted = OMITTED,
        status: t.WebhookDeliveryState | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AsyncPagedList[t.WebhookDelivery, t.WebhookDeliveryList]:
        """List the deliveries to an endpoint"""
        return AsyncPagedList(lambda place: self._request("listWebhookDeliveries", path={"endpointId": endpoint_id}, query={"limit": limit, "cursor": cursor, "status": status, **place}, options=options))


class AsyncWebhookDeliveries:
    """Webhook deliveries."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        delivery_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookDeliveryWithAttempts:
        """Retrieve a delivery with its attempts and its request"""
        answer: t.WebhookDeliveryWithAttempts = await self._request("getWebhookDelivery", path={"deliveryId": delivery_id}, options=options)
        return answer

    async def resend(
        self,
        delivery_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookDelivery:
        """Resend a delivery"""
        answer: t.WebhookDelivery = await self._request("resendWebhookDelivery", path={"deliveryId": delivery_id}, options=options)
        return answer

    async def preview(
        self,
        event_id: str,
        *,
        options: CallOptions | None = None,
    ) -> t.WebhookMessage:
        """The webhook of an event, as an endpoint would receive it now"""
        answer: t.WebhookMessage = await self._request("getEventWebhook", path={"eventId": event_id}, options=options)
        return answer


class AsyncTestClocks:
    """The time of the company in test mode."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> t.TestClock:
        """Retrieve the test clock"""
        answer: t.TestClock = await self._request("getTestClock", options=options)
        return answer

    async def advance(
        self,
        *,
        by: str,
        options: CallOptions | None = None,
    ) -> t.AdvancedTestClock:
        """Move the test clock forward"""
        answer: t.AdvancedTestClock = await self._request("advanceTestClock", body={"by": by}, options=options)
        return answer


class AsyncTestPayments:
    """Brings payments of test mode into a state."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def open(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Open the link, as a customer does"""
        answer: t.TestedPayment = await self._request("testOpenPayment", path={"code": code}, body={}, options=options)
        return answer

    async def pay(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Pay with a test card"""
        answer: t.TestedPayment = await self._request("testPayPayment", path={"code": code}, body={}, options=options)
        return answer

    async def decline(
        self,
        code: str,
        *,
        decline_code: Literal["generic_decline", "insufficient_funds", "incorrect_csc", "expired_card", "processing_error"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Pay with a test card that is declined"""
        answer: t.TestedPayment = await self._request("testDeclinePayment", path={"code": code}, body={"declineCode": decline_code}, options=options)
        return answer

    async def process(
        self,
        code: str,
        *,
        attempt_status: Literal["processing", "requires_action", "unknown"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Begin to pay, without an outcome"""
        answer: t.TestedPayment = await self._request("testProcessPayment", path={"code": code}, body={"attemptStatus": attempt_status}, options=options)
        return answer

    async def settle(
        self,
        code: str,
        *,
        outcome: Literal["succeeded", "declined"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """End the live attempt, or the refund without an outcome"""
        answer: t.TestedPayment = await self._request("testSettlePayment", path={"code": code}, body={"outcome": outcome}, options=options)
        return answer

    async def expire(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Expire the link now"""
        answer: t.TestedPayment = await self._request("testExpirePayment", path={"code": code}, body={}, options=options)
        return answer

    async def cancel(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Cancel the link"""
        answer: t.TestedPayment = await self._request("testCancelPayment", path={"code": code}, body={}, options=options)
        return answer

    async def request_link(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Ask for a new link, as the customer of a failed or expired one"""
        answer: t.TestedPayment = await self._request("testRequestPaymentLink", path={"code": code}, body={}, options=options)
        return answer

    async def refund(
        self,
        code: str,
        *,
        amount: float | Decimal | Omitted = OMITTED,
        outcome: Literal["succeeded", "failed", "unknown"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Refund the payment, with an outcome"""
        answer: t.TestedPayment = await self._request("testRefundPayment", path={"code": code}, body={"amount": amount, "outcome": outcome}, options=options)
        return answer

    async def overpay(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Pay with a test card that is charged a wrong amount"""
        answer: t.TestedPayment = await self._request("testOverpayPayment", path={"code": code}, body={}, options=options)
        return answer

    async def transfer(
        self,
        code: str,
        *,
        amount: float | Decimal | Omitted = OMITTED,
        is_return: bool | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Receive a bank transfer for the payment"""
        answer: t.TestedPayment = await self._request("testTransferPayment", path={"code": code}, body={"amount": amount, "isReturn": is_return}, options=options)
        return answer

    async def escalate(
        self,
        code: str,
        *,
        options: CallOptions | None = None,
    ) -> t.TestedPayment:
        """Make the live attempt, or the refund without an outcome, a case"""
        answer: t.TestedPayment = await self._request("testEscalatePayment", path={"code": code}, body={}, options=options)
        return answer


class AsyncTestEvents:
    """Causes events in test mode."""

    def __init__(self, request: AsyncRequest) -> None:
        self._request = request

    async def cause(
        self,
        type: str,
        *,
        customer_order_id: str | Omitted = OMITTED,
        email: str | Omitted = OMITTED,
        amount: float | Decimal | Omitted = OMITTED,
        currency: t.Currency | Omitted = OMITTED,
        success_url: str | Omitted = OMITTED,
        failure_url: str | Omitted = OMITTED,
        metadata: Mapping[str, str] | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> t.CausedEvent:
        """Cause an event"""
        answer: t.CausedEvent = await self._request("causeTestEvent", path={"type": type}, body={"customerOrderId": customer_order_id, "email": email, "amount": amount, "currency": currency, "success_url": success_url, "failure_url": failure_url, "metadata": metadata}, options=options)
        return answer


class Resources:
    payments: Payments
    refunds: Refunds
    overview: Overviews
    cases: Cases
    events: Events
    balances: Balances
    ledger: Ledger
    api_keys: ApiKeys
    service_keys: ServiceKeys
    requests: Requests
    me: OwnAccount
    access: OwnAccess
    second_factors: SecondFactors
    members: Members
    invitations: Invitations
    password_resets: PasswordResets
    company: OwnCompany
    processors: Processors
    bank: Bank
    webhook_endpoints: WebhookEndpoints
    webhook_deliveries: WebhookDeliveries
    test_clock: TestClocks
    test_payments: TestPayments
    test_events: TestEvents

    def _add_resources(self, request: Request) -> None:
        self.payments = Payments(request)
        self.refunds = Refunds(request)
        self.overview = Overviews(request)
        self.cases = Cases(request)
        self.events = Events(request)
        self.balances = Balances(request)
        self.ledger = Ledger(request)
        self.api_keys = ApiKeys(request)
        self.service_keys = ServiceKeys(request)
        self.requests = Requests(request)
        self.me = OwnAccount(request)
        self.access = OwnAccess(request)
        self.second_factors = SecondFactors(request)
        self.members = Members(request)
        self.invitations = Invitations(request)
        self.password_resets = PasswordResets(request)
        self.company = OwnCompany(request)
        self.processors = Processors(request)
        self.bank = Bank(request)
        self.webhook_endpoints = WebhookEndpoints(request)
        self.webhook_deliveries = WebhookDeliveries(request)
        self.test_clock = TestClocks(request)
        self.test_payments = TestPayments(request)
        self.test_events = TestEvents(request)


class AsyncResources:
    payments: AsyncPayments
    refunds: AsyncRefunds
    overview: AsyncOverviews
    cases: AsyncCases
    events: AsyncEvents
    balances: AsyncBalances
    ledger: AsyncLedger
    api_keys: AsyncApiKeys
    service_keys: AsyncServiceKeys
    requests: AsyncRequests
    me: AsyncOwnAccount
    access: AsyncOwnAccess
    second_factors: AsyncSecondFactors
    members: AsyncMembers
    invitations: AsyncInvitations
    password_resets: AsyncPasswordResets
    company: AsyncOwnCompany
    processors: AsyncProcessors
    bank: AsyncBank
    webhook_endpoints: AsyncWebhookEndpoints
    webhook_deliveries: AsyncWebhookDeliveries
    test_clock: AsyncTestClocks
    test_payments: AsyncTestPayments
    test_events: AsyncTestEvents

    def _add_resources(self, request: AsyncRequest) -> None:
        self.payments = AsyncPayments(request)
        self.refunds = AsyncRefunds(request)
        self.overview = AsyncOverviews(request)
        self.cases = AsyncCases(request)
        self.events = AsyncEvents(request)
        self.balances = AsyncBalances(request)
        self.ledger = AsyncLedger(request)
        self.api_keys = AsyncApiKeys(request)
        self.service_keys = AsyncServiceKeys(request)
        self.requests = AsyncRequests(request)
        self.me = AsyncOwnAccount(request)
        self.access = AsyncOwnAccess(request)
        self.second_factors = AsyncSecondFactors(request)
        self.members = AsyncMembers(request)
        self.invitations = AsyncInvitations(request)
        self.password_resets = AsyncPasswordResets(request)
        self.company = AsyncOwnCompany(request)
        self.processors = AsyncProcessors(request)
        self.bank = AsyncBank(request)
        self.webhook_endpoints = AsyncWebhookEndpoints(request)
        self.webhook_deliveries = AsyncWebhookDeliveries(request)
        self.test_clock = AsyncTestClocks(request)
        self.test_payments = AsyncTestPayments(request)
        self.test_events = AsyncTestEvents(request)
