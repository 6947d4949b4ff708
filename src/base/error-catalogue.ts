// The catalogue of all API errors: code, status, title and what the caller can do. Codes are part of the API
// and never change their meaning.

/** One error, the same for every caller. */
export type ErrorCatalogueEntry = { code: string; status: number; title: string; detail: string };

export const catalogue = {
  badRequest: {
    code: 'bad_request',
    status: 400,
    title: 'The request could not be read',
    detail: 'Send a well-formed HTTP/1.1 request.',
  },
  malformedJson: {
    code: 'malformed_json',
    status: 400,
    title: 'The body is not valid JSON',
    detail: 'Send one JSON object, encoded in UTF-8.',
  },
  invalidNotice: {
    code: 'invalid_notice',
    status: 400,
    title: 'This webhook is not of the processor that the address names',
    detail: 'Check the signing secret of the connection and what stands between the processor and here.',
  },
  missingCredentials: {
    code: 'missing_credentials',
    status: 401,
    title: 'Credentials are missing',
    detail: 'Send Authorization: Bearer <token>, X-API-KEY and X-COMPANY-ID, all as the login returned them.',
  },
  invalidToken: {
    code: 'invalid_token',
    status: 401,
    title: 'The bearer token in Authorization is not valid',
    detail: 'Log in again at POST /v1/auth/login and send the token from the body.',
  },
  expiredToken: {
    code: 'expired_token',
    status: 401,
    title: 'The bearer token in Authorization has expired',
    detail: 'Log in again at POST /v1/auth/login and send the new token.',
  },
  invalidApiKey: {
    code: 'invalid_api_key',
    status: 401,
    title: 'The key in X-API-KEY is not valid',
    detail: 'Send the key that the login returned in its X-API-KEY header.',
  },
  invalidCompanyId: {
    code: 'invalid_company_id',
    status: 401,
    title: 'The identifier in X-COMPANY-ID is not valid',
    detail: 'Send the identifier that the login returned in its X-COMPANY-ID header.',
  },
  sessionEnded: {
    code: 'session_ended',
    status: 401,
    title: 'You are not signed in any more',
    detail: 'Sign in again by POST /v1/session.',
  },
  wrongLogin: {
    code: 'wrong_login',
    status: 401,
    title: 'The e-mail address or the password is wrong',
    detail: 'Check both and try again.',
  },
  secondFactorRequired: {
    code: 'second_factor_required',
    status: 401,
    title: 'The account has a second factor',
    detail: 'Send what `errors` names beside the password.',
  },
  wrongSecondFactor: {
    code: 'wrong_second_factor',
    status: 401,
    title: 'The second factor is not right',
    detail: 'Send a code that was not used before; the app shows a new one every 30 seconds.',
  },
  credentialsMismatch: {
    code: 'credentials_mismatch',
    status: 403,
    title: 'The credentials belong to different companies',
    detail: 'Send the token, the X-API-KEY and the X-COMPANY-ID of one and the same login.',
  },
  modeNotAllowed: {
    code: 'mode_not_allowed',
    status: 403,
    title: 'The credentials are of the other mode',
    detail:
      'Credentials see the rows of their own mode. Leave mode out, or call with credentials of that mode.',
  },
  csrfRefused: {
    code: 'csrf_refused',
    status: 403,
    title: 'The request is not shown to come from a page of this service',
    detail: 'Send X-Paylink-Csrf with the csrfToken of GET /v1/session, from a page of this service.',
  },
  roleNotAllowed: {
    code: 'role_not_allowed',
    status: 403,
    title: 'Your role may not do this',
    detail: 'Ask the owner of the company for a role that may.',
  },
  tooManyAttempts: {
    code: 'too_many_attempts',
    status: 429,
    title: 'This link has been tried too often',
    detail: 'No more attempts are taken for it. Ask the merchant for a new link.',
  },
  notFound: {
    code: 'not_found',
    status: 404,
    title: 'There is nothing at this address',
    detail: 'Check the path; /openapi.json lists every endpoint.',
  },
  paymentNotFound: {
    code: 'payment_not_found',
    status: 404,
    title: 'There is no payment with this code',
    detail:
      'Send the PaymentLinkCode as POST /v1/payment/process returned it, with credentials of the same company.',
  },
  invalidInvitation: {
    code: 'invalid_invitation',
    status: 404,
    title: 'This invitation is not good, or not any more',
    detail: 'An invitation is good for 7 days and for one use. Ask whoever invited you for a new one.',
  },
  invalidPasswordReset: {
    code: 'invalid_password_reset',
    status: 404,
    title: 'This link to a new password is not good, or not any more',
    detail: 'A link is good for 30 minutes and for one use. Ask for a new one.',
  },
  methodNotAllowed: {
    code: 'method_not_allowed',
    status: 405,
    title: 'This address does not take this method',
    detail: 'The Allow header lists the methods that it takes.',
  },
  requestTimeout: {
    code: 'request_timeout',
    status: 408,
    title: 'The request did not arrive in time',
    detail: 'Send the headers within 10 seconds and the whole request within 30.',
  },
  orderConflict: {
    code: 'order_conflict',
    status: 409,
    title: 'This customerOrderId already has a link with other details',
    detail: 'Send the same details again to get the same link, or use a new customerOrderId.',
  },
  paymentInProgress: {
    code: 'payment_in_progress',
    status: 409,
    title: 'The customer is paying right now',
    detail: 'Wait until the attempt under way has ended, then look at the payment again.',
  },
  paymentEnded: {
    code: 'payment_ended',
    status: 409,
    title: 'The payment has ended',
    detail: 'Only an open payment can be cancelled; a paid one can be given back by a refund.',
  },
  notRefundable: {
    code: 'not_refundable',
    status: 409,
    title: 'The payment cannot be given back',
    detail: 'Only a paid payment can be given back.',
  },
  refundTooLarge: {
    code: 'refund_too_large',
    status: 409,
    title: 'That is more than can still be given back',
    detail: 'Ask for at most what was paid less what was and is being given back.',
  },
  keyNotActive: {
    code: 'key_not_active',
    status: 409,
    title: 'The key is not active',
    detail: 'Only an active key can be rolled. Create a new one instead.',
  },
  lastKey: {
    code: 'last_key',
    status: 409,
    title: 'This is the last key that stays good',
    detail: 'Create another key, or roll this one and revoke it then.',
  },
  liveNotPossible: {
    code: 'live_not_possible',
    status: 409,
    title: 'This service cannot take real money as it is set up',
    detail: 'Ask whoever runs it to mend what `errors` names.',
  },
  noKeyOfMode: {
    code: 'no_key_of_mode',
    status: 409,
    title: 'The company has no API key of this mode that stays good',
    detail: 'Create one first, by POST /v1/api-keys with this mode.',
  },
  lastOwner: {
    code: 'last_owner',
    status: 409,
    title: 'A company needs an owner',
    detail: 'Make another member an owner first.',
  },
  tooManyEndpoints: {
    code: 'too_many_endpoints',
    status: 409,
    title: 'A company has at most 16 webhook endpoints',
    detail: 'Delete one that is not needed any more, or let one receiver take the events of several.',
  },
  tooManyConnections: {
    code: 'too_many_connections',
    status: 409,
    title: 'A company has at most 20 connections in a mode',
    detail: 'Delete one that is not needed any more.',
  },
  connectionInUse: {
    code: 'connection_in_use',
    status: 409,
    title: 'Something is under way through this connection',
    detail:
      'Switch it off, so that nothing new begins, and delete it when its payments and refunds have ended.',
  },
  connectionChanged: {
    code: 'connection_changed',
    status: 409,
    title: 'Somebody else has changed this connection meanwhile',
    detail: 'Look at the connection again, and send the change once more.',
  },
  secondFactorOn: {
    code: 'second_factor_on',
    status: 409,
    title: 'The account has an authenticator app already',
    detail: 'Remove it first, or go on with it.',
  },
  noSecondFactor: {
    code: 'no_second_factor',
    status: 409,
    title: 'The account has no second factor that this is about',
    detail: 'Add one first, by POST /v1/me/totp or POST /v1/me/passkeys/options.',
  },
  endpointDisabled: {
    code: 'endpoint_disabled',
    status: 409,
    title: 'The webhook endpoint is switched off',
    detail: 'Switch it on first.',
  },
  emailTaken: {
    code: 'email_taken',
    status: 409,
    title: 'This e-mail address already has an account',
    detail: 'Log in with it, or use another address.',
  },
  lineNotWaiting: {
    code: 'line_not_waiting',
    status: 409,
    title: 'The line of the statement waits for nobody',
    detail: 'Look at the line: it says what became of it, and who said so.',
  },
  bankRefundEnded: {
    code: 'bank_refund_ended',
    status: 409,
    title: 'What became of this refund is known',
    detail: 'Look at the refund: it says whether it was sent.',
  },
  idempotencyInProgress: {
    code: 'idempotency_in_progress',
    status: 409,
    title: 'A request with this Idempotency-Key is still being worked on',
    detail:
      'Wait for as many seconds as Retry-After says, then send the same request with the same key again.',
  },
  staleRemaining: {
    code: 'stale_remaining',
    status: 412,
    title: 'Another amount than expected can still be given back',
    detail: 'Look at the payment again, then ask with the amount it shows.',
  },
  bodyTooLarge: {
    code: 'body_too_large',
    status: 413,
    title: 'The body is too large',
    detail: 'A body may have at most 64 KiB.',
  },
  unsupportedMediaType: {
    code: 'unsupported_media_type',
    status: 415,
    title: 'The body has a content type that this address does not take',
    detail: 'Send Content-Type: application/json.',
  },
  invalidFields: {
    code: 'invalid_fields',
    status: 422,
    title: 'Some fields do not pass',
    detail: 'Correct the fields in `errors` and send the request again.',
  },
  emailNotDeliverable: {
    code: 'email_not_deliverable',
    status: 422,
    title: 'No mail can be sent to the e-mail address of this payment',
    detail: 'Send the customer the PaymentLink in another way.',
  },
  statementRefused: {
    code: 'statement_refused',
    status: 422,
    title: 'The file is no bank statement that can be read; nothing of it was imported',
    detail: 'Send the camt.053 or camt.054 file as the bank gave it.',
  },
  invalidIdempotencyKey: {
    code: 'invalid_idempotency_key',
    status: 422,
    title: 'The Idempotency-Key cannot be used',
    detail: 'Send one Idempotency-Key of 1 to 255 printable ASCII characters; a UUID is a good choice.',
  },
  idempotencyKeyReused: {
    code: 'idempotency_key_reused',
    status: 422,
    title: 'This Idempotency-Key came with another request before',
    detail: 'Repeat a request as it was with its key, or send this one with a key of its own.',
  },
  rateLimited: {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    detail: 'Wait for as many seconds as Retry-After says, then try again.',
  },
  loginPaused: {
    code: 'login_paused',
    status: 429,
    title: 'Too many failed logins for this account',
    detail: 'Wait for as many seconds as Retry-After says, then try again.',
  },
  headersTooLarge: {
    code: 'headers_too_large',
    status: 431,
    title: 'The headers are too large',
    detail: 'Send at most 16 KiB of headers.',
  },
  internal: {
    code: 'internal_error',
    status: 500,
    title: 'Something went wrong on our side',
    detail:
      'No partial change was made. Repeat the request with the same Idempotency-Key, or look first whether it took effect. If the error persists, report the requestId.',
  },
  unavailable: {
    code: 'unavailable',
    status: 503,
    title: 'The service cannot answer right now',
    detail:
      'Wait for as many seconds as Retry-After says. Then repeat the request with the same Idempotency-Key, or look first whether it took effect.',
  },
  importInProgress: {
    code: 'import_in_progress',
    status: 503,
    title: 'Another statement of the company is being imported',
    detail: 'Wait for as many seconds as Retry-After says, then send the file again.',
  },
  processorUnreachable: {
    code: 'processor_unreachable',
    status: 503,
    title: 'The processor gives no answer',
    detail: 'Nothing was changed. Send the same request again in a minute.',
  },
} as const satisfies Record<string, ErrorCatalogueEntry>;
