// Every error of the SDK. Each has a `code` to branch on. None may hold a password, a token or a key.

import type { Problem } from './api-types.ts';

/** The codes of the API's catalogue that this version of the SDK knows. */
export type ErrorCode = Problem['code'];

/** A newer service may know more codes; an answer that is no problem document has `unreadable_answer`. */
export type ApiErrorCode = ErrorCode | 'unreadable_answer' | (string & {});

/** The root of all errors that the SDK makes; an abort is thrown as the reason that you gave for it. */
export class PaylinkError<Code extends string = string> extends Error {
  override readonly name: string = 'PaylinkError';
  readonly code: Code;

  constructor(code: Code, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The service answered, and refused. */
export class PaylinkApiError extends PaylinkError<ApiErrorCode> {
  override readonly name: string = 'PaylinkApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The fields or headers that do not pass. */
  readonly errors: Problem['errors'];
  /** The request, as the service's log knows it. */
  readonly requestId: string | null;
  /** How long the service asks to wait, when it does. */
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

/** No answer came in time: the request may have been carried out, or not. */
export class PaylinkTimeoutError extends PaylinkError<'timeout'> {
  override readonly name: string = 'PaylinkTimeoutError';

  constructor(message: string) {
    super('timeout', message);
  }
}

/** The connection failed: the request may have been carried out, or not. */
export class PaylinkConnectionError extends PaylinkError<'connection'> {
  override readonly name: string = 'PaylinkConnectionError';

  constructor(message: string, options?: { cause?: unknown }) {
    super('connection', message, options);
  }
}

export type SignatureFault =
  /** The value has not the form it should have, or is missing. */
  | 'malformed'
  /** It was signed by somebody else, or changed since. */
  | 'wrong_signature'
  /** No key of the key set has its name. */
  | 'unknown_key'
  /** Its time is over. */
  | 'expired'
  /** Its time is still to come. */
  | 'too_early'
  /** It was signed for something else: another service, another company, another purpose. */
  | 'not_for_you'
  /** It is genuine and speaks of something else than you expect. */
  | 'differs';

/** What claims to come from Paylink does not, or not for you, or not now: do not act on it. */
export class SignatureError extends PaylinkError<SignatureFault> {
  override readonly name: string = 'SignatureError';
}
