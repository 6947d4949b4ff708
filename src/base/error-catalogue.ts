// The catalogue of all API errors: by status and code, the title and what the caller can do. Codes are part of the
// API and never change their meaning.

export type ErrorCatalogueEntry = { code: string; status: number; title: string; detail: string };

type CamelCase<Code extends string> = Code extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Code;

/** The entries under the names of their constructors: `bad_request` is `errors.badRequest`. */
function withStatus<Code extends string>(
  status: number,
  texts: Readonly<Record<Code, readonly [title: string, detail: string]>>,
) {
  const entries = Object.entries<readonly [string, string]>(texts).map(([code, [title, detail]]) => [
    code.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    { code, status, title, detail },
  ]);
  return Object.fromEntries(entries) as Record<CamelCase<Code>, ErrorCatalogueEntry>;
}

export const catalogue = {
  ...withStatus(400, {
    bad_request: ['The request is malformed', 'Send a well-formed HTTP/1.1 request.'],
    unknown_version: [
      'The version in Paylink-Version is unknown',
      'Send the date of a version, such as 2026-12-01, or leave the header out for the newest.',
    ],
    malformed_json: ['The body is not valid JSON', 'Send one JSON object, encoded in UTF-8.'],
    service_key_not_alone: [
      'A service key was sent together with other credentials',
      'Send the service key alone, as Authorization: Bearer pls_…, without X-API-KEY and X-COMPANY-ID.',
    ],
    invalid_notice: [
      'The signature of the webhook is not valid',
      'Check the signing secret of the connection. No proxy between the processor and this service may change the body.',
    ],
  }),
  ...withStatus(401, {
    missing_credentials: [
      'Credentials are missing',
      'Send Authorization: Bearer <token>, X-API-KEY and X-COMPANY-ID, all as the login returned them, or a service key alone as Authorization: Bearer pls_….',
    ],
    invalid_token: [
      'The bearer token in Authorization is not valid',
      'Log in again at POST /v1/auth/login and send the token from the body.',
    ],
    expired_token: [
      'The bearer token in Authorization has expired',
      'Log in again at POST /v1/auth/login and send the new token.',
    ],
    invalid_api_key: [
      'The key in X-API-KEY is not valid',
      'Send the key that the login returned in its X-API-KEY header.',
    ],
    invalid_company_id: [
      'The identifier in X-COMPANY-ID is not valid',
      'Send the identifier that the login returned in its X-COMPANY-ID header.',
    ],
    invalid_service_key: [
      'The service key in Authorization is not valid',
      'Send an active service key of the company. Create one in the dashboard or with POST /v1/service-keys.',
    ],
    session_ended: ['The session has ended', 'Sign in again with POST /v1/session.'],
    wrong_login: ['The email address or the password is wrong', 'Check both and try again.'],
    second_factor_required: [
      'A second factor is required',
      'Send the password together with one of the fields in `errors`.',
    ],
    wrong_second_factor: [
      'The second factor is wrong',
      'Send an unused code. The app shows a new one every 30 seconds.',
    ],
  }),
  ...withStatus(403, {
    credentials_mismatch: [
      'The credentials belong to different companies',
      'Send the token, X-API-KEY and X-COMPANY-ID of the same login.',
    ],
    mode_not_allowed: [
      'The credentials belong to the other mode',
      'Omit the parameter mode, or use credentials of the mode that it names.',
    ],
    csrf_refused: [
      'The CSRF check failed',
      'Send X-Paylink-Csrf with the csrfToken of GET /v1/session, from a page of this service.',
    ],
    role_not_allowed: [
      'Your role does not allow this',
      'Ask an owner of the company for a role that allows it.',
    ],
    scope_not_allowed: [
      'The scopes of this service key do not allow this',
      'Use a service key with the scope that the call needs. Create one in the dashboard or with POST /v1/service-keys.',
    ],
    service_key_not_allowed: [
      'No service key can call this',
      'Log in with an account: what is about people, keys, processors or the company itself is not for service keys.',
    ],
    address_not_allowed: [
      'This service key does not allow calls from your address',
      'Call from an allowed address of the key, or change the allowed addresses of the key.',
    ],
    test_mode_only: [
      'This works in test mode only',
      'Use credentials of test mode. Live payments have no test clock, and only a customer moves them.',
    ],
    operator_only: [
      'This is for operators of the service',
      'Whoever runs the service names the accounts of operators in the setting OPERATOR_EMAILS.',
    ],
  }),
  ...withStatus(429, {
    too_many_attempts: [
      'Too many payment attempts for this link',
      'The link accepts no more attempts. Ask the merchant for a new link.',
    ],
  }),
  ...withStatus(404, {
    not_found: ['Not found', 'Check the path; /openapi.json lists every endpoint.'],
    payment_not_found: [
      'Payment not found',
      'Send the PaymentLinkCode as POST /v1/payment/process returned it, with credentials of the same company.',
    ],
    case_not_found: [
      'Case not found',
      'Send the processorReference of a case about money, as GET /v1/cases returned it. Other cases cannot be closed: they end when the processor reports the outcome.',
    ],
    invalid_invitation: [
      'The invitation is invalid or has expired',
      'An invitation is valid for 7 days and can be used once. Ask for a new invitation.',
    ],
    invalid_password_reset: [
      'The password reset link is invalid or has expired',
      'A link is valid for 30 minutes and can be used once. Request a new link.',
    ],
  }),
  ...withStatus(405, {
    method_not_allowed: ['Method not allowed', 'The Allow header lists the supported methods.'],
  }),
  ...withStatus(408, {
    request_timeout: [
      'The request did not arrive in time',
      'Send the headers within 10 seconds and the whole request within 30.',
    ],
  }),
  ...withStatus(409, {
    order_conflict: [
      'This customerOrderId already has a link with other details',
      'Send the same details again to get the same link, or use a new customerOrderId.',
    ],
    payment_in_progress: [
      'The customer is paying right now',
      'Wait until the current attempt has ended, then get the payment again.',
    ],
    payment_ended: [
      'The payment has ended',
      'Only an open payment can be changed, sent or cancelled. To return the money of a paid payment, refund it.',
    ],
    not_refundable: ['The payment cannot be refunded', 'Only a paid payment can be refunded.'],
    refund_too_large: [
      'The refund exceeds the remaining amount',
      'Refund at most the paid amount, less completed refunds and refunds in progress.',
    ],
    state_not_reachable: [
      'The payment cannot get into this state',
      'Get the payment: its status shows which test routes can follow.',
    ],
    key_not_active: ['The key is not active', 'Only an active key can be rolled. Create a new one instead.'],
    last_key: [
      'This is the last active key',
      'Create another key first, or roll this key and then revoke it.',
    ],
    live_not_possible: [
      'This service is not configured for live mode',
      'Ask the operator to fix the problems listed in `errors`.',
    ],
    no_key_of_mode: [
      'The company has no active API key of this mode',
      'First create a key of this mode with POST /v1/api-keys.',
    ],
    last_owner: ['A company needs an owner', 'Make another member an owner first.'],
    too_many_endpoints: [
      'A company can have at most 16 webhook endpoints',
      'Delete an endpoint that you no longer need, or send several event types to one endpoint.',
    ],
    too_many_connections: [
      'A company can have at most 20 connections per mode',
      'Delete a connection that you no longer need.',
    ],
    connection_in_use: [
      'The connection is in use',
      'Disable it, wait until its payments and refunds have ended, then delete it.',
    ],
    connection_changed: [
      'The connection has changed in the meantime',
      'Get the connection again, then repeat the change.',
    ],
    second_factor_on: [
      'The account already has an authenticator app',
      'Remove the app first, or keep using it.',
    ],
    no_second_factor: [
      'The account does not have this second factor',
      'First add a second factor with POST /v1/me/totp or POST /v1/me/passkeys/options.',
    ],
    endpoint_disabled: ['The webhook endpoint is disabled', 'Enable the endpoint first.'],
    email_taken: ['This email address already has an account', 'Log in with it, or use another address.'],
    line_not_waiting: [
      'The booking is already resolved',
      'Get the booking: it shows how it was resolved and by whom.',
    ],
    bank_refund_ended: ['The refund is already resolved', 'Get the refund: it shows whether it was sent.'],
    idempotency_in_progress: [
      'A request with this Idempotency-Key is still in progress',
      'Wait for the number of seconds in Retry-After, then repeat the request with the same key.',
    ],
  }),
  ...withStatus(412, {
    stale_remaining: [
      'The refundable amount differs from the expected one',
      'Get the payment and its refunds again, then send the amount that can still be refunded.',
    ],
  }),
  ...withStatus(413, {
    body_too_large: ['The body is too large', 'Send at most 64 KiB.'],
  }),
  ...withStatus(415, {
    unsupported_media_type: [
      'The content type of the body is not supported',
      'Send Content-Type: application/json.',
    ],
  }),
  ...withStatus(422, {
    invalid_fields: ['Validation failed', 'Correct the fields in `errors` and send the request again.'],
    email_not_deliverable: [
      'The email address of this payment cannot receive mail',
      'Send the PaymentLink to the customer in another way.',
    ],
    statement_refused: [
      'The bank statement could not be read, and nothing was imported',
      'Send the unchanged camt.052, camt.053 or camt.054 file from the bank.',
    ],
    invalid_idempotency_key: [
      'The Idempotency-Key is not valid',
      'Send one Idempotency-Key of 1 to 255 printable ASCII characters; a UUID is a good choice.',
    ],
    idempotency_key_reused: [
      'The Idempotency-Key was used with a different request',
      'Repeat the original request with this key, or send this request with a new key.',
    ],
  }),
  ...withStatus(429, {
    rate_limited: ['Too many requests', 'Wait for the number of seconds in Retry-After, then try again.'],
    login_paused: [
      'Too many failed logins for this account',
      'Wait for the number of seconds in Retry-After, then try again.',
    ],
  }),
  ...withStatus(431, {
    headers_too_large: ['The headers are too large', 'Send at most 16 KiB of headers.'],
  }),
  ...withStatus(500, {
    internal_error: [
      'Something went wrong on our side',
      'No partial change was made. Repeat the request with the same Idempotency-Key. If you sent no key, first check whether the request took effect. If the error persists, report the requestId.',
    ],
  }),
  ...withStatus(503, {
    unavailable: [
      'The service is temporarily unavailable',
      'Wait for the number of seconds in Retry-After, then repeat the request with the same Idempotency-Key. If you sent no key, first check whether the request took effect.',
    ],
    import_in_progress: [
      'Another statement import is in progress',
      'Wait for the number of seconds in Retry-After, then send the file again.',
    ],
    processor_unreachable: [
      'The processor does not respond',
      'Nothing was changed. Send the same request again in a minute.',
    ],
  }),
};
