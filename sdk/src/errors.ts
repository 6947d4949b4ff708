// Every error of the SDK, each with a `code` to branch on. Must not: contain a password, a token or a key.

import type { Problem } from './api-types.ts';

/** The codes of the API's catalogue that this version of the SDK knows. */
export type ErrorCode = Problem['code'];

/** A newer service may have more codes. A response without a problem document has `unreadable_answer`. */
export type ApiErrorCode = ErrorCode | 'unreadable_answer' | (string & {});

/** The base class of all SDK errors. After an abort, calls throw the reason that you gave. */
export class PaylinkError<Code extends string = string> extends Error {
  override readonly name: string = 'PaylinkError';
  readonly code: Code;

  constructor(code: Code, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The service responded with an error. */
export class PaylinkApiError extends PaylinkError<ApiErrorCode> {
  override readonly name: string = 'PaylinkApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The invalid fields or headers. */
  readonly errors: Problem['errors'];
  /** The request ID in the service's log. */
  readonly requestId: string | null;
  /** How long the service asks to wait, if it does. */
  readonly retryAfterSeconds: number | null;

  constructor(facts: {
    status: number;
    code: string;
    message: string;
    errors: Problem['errors'];
    requestId: string | null;
    retryAfterSeconds: number | null;
  }) {
    super(facts.code, facts.message);
    this.status = facts.status;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** No response came in time: the request may or may not have been carried out. */
export class PaylinkTimeoutError extends PaylinkError<'timeout'> {
  override readonly name: string = 'PaylinkTimeoutError';

  constructor(message: string) {
    super('timeout', message);
  }
}

/** The connection failed: the request may or may not have been carried out. */
export class PaylinkConnectionError extends PaylinkError<'connection'> {
  override readonly name: string = 'PaylinkConnectionError';

  constructor(message: string, options?: { cause?: unknown }) {
    super('connection', message, options);
  }
}

export type SignatureFault =
  /** The value is malformed or missing. */
  | 'malformed'
  /** Someone else signed it, or it was changed. */
  | 'wrong_signature'
  /** The key set has no key with its ID. */
  | 'unknown_key'
  /** It has expired. */
  | 'expired'
  /** It is not valid yet. */
  | 'too_early'
  /** It was signed for something else: another service, another company, another purpose. */
  | 'not_for_you'
  /** It is genuine, but differs from what you expect. */
  | 'differs';

/** A message does not come from Paylink, is not for you, or is not valid now: do not act on it. */
export class SignatureError extends PaylinkError<SignatureFault> {
  override readonly name: string = 'SignatureError';
}
