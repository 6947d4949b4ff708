// API errors, a constructor for each entry of the catalogue. Must not: show a `cause` to the caller.

import { catalogue, type ErrorCatalogueEntry } from './error-catalogue.ts';

export type FieldError = { field: string; code: string; detail: string };

/** The largest number of invalid fields in one error: more than the known fields of any request. */
export const maxFieldErrors = 50;

export type ErrorName = keyof typeof catalogue;

/** Every entry of the catalogue, for the docs and the API description. */
export const errorCatalogue: Readonly<Record<ErrorName, ErrorCatalogueEntry>> = catalogue;

export type ErrorOptions = {
  /** What is wrong in this case, and what to do. Replaces the general sentence of the catalogue. */
  detail?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** The name of the exceeded limit, for metrics only. */
  limit?: string;
  /** For the log only. */
  cause?: unknown;
};

/** An API error. It may be thrown anywhere; http/problem.ts turns it into an RFC 9457 problem document. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: FieldError[];
  readonly headers: Record<string, string>;
  readonly limit: string | null;

  constructor(entry: ErrorCatalogueEntry, options: ErrorOptions) {
    super(entry.title, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = entry.code;
    this.status = entry.status;
    this.title = entry.title;
    this.detail = options.detail ?? entry.detail;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.limit = options.limit ?? null;
  }
}

/** One constructor for each entry: `throw errors.orderConflict({ errors: [...] })`. */
export const errors = Object.fromEntries(
  Object.entries(catalogue).map(([name, entry]) => [
    name,
    (options: ErrorOptions = {}) => new ApiError(entry, options),
  ]),
) as Record<ErrorName, (options?: ErrorOptions) => ApiError>;

/** `invalid_fields` with one field. */
export const invalidField = (field: string, code: string, detail: string): ApiError =>
  errors.invalidFields({ errors: [{ field, code, detail }] });
