// Checks a connection before it is stored: first the form of its fields, with all errors at once, then with the
// processor, outside any transaction.

import { raceWithAbort } from '../base/abort.ts';
import { errors, type FieldError, invalidField } from '../base/errors.ts';
import type { Currency } from '../base/money.ts';
import { closestName } from '../http/validation.ts';
import type {
  CredentialCheck,
  CredentialField,
  Mode,
  ProcessorConnection,
  ProcessorKind,
  ProcessorRegistry,
} from '../processors/processor.ts';

/** How long a processor may take to check credentials. */
const checkTimeoutMs = 10_000;

/** The known name that the caller probably meant, or all of them. */
function nameHint(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest ? `Did you mean ${closest}?` : `Known: ${known.join(', ') || 'none'}.`;
}

/** The processor with this name, if it works in a mode. Throws `invalid_fields`. */
export function requireKind(processors: ProcessorRegistry, name: string, mode: Mode): ProcessorKind {
  const known = processors.kinds.filter(({ modes }) => modes.includes(mode));
  const kind = known.find((candidate) => candidate.name === name);
  if (kind) return kind;
  const hint = nameHint(
    name,
    known.map((candidate) => candidate.name),
  );
  const detail = `No processor has this name in ${mode} mode. ${hint}`;
  throw invalidField('processor', 'not_allowed', detail);
}

function credentialFieldError(
  field: CredentialField,
  value: string | undefined,
): Omit<FieldError, 'field'> | null {
  if (value === undefined)
    return field.isRequired ? { code: 'missing', detail: `${field.label} is required. ${field.help}` } : null;
  if (value.length > field.maxLength)
    return { code: 'too_long', detail: `Use at most ${field.maxLength} characters.` };
  if (/\p{Cc}/u.test(value)) return { code: 'not_printable', detail: 'Use printable characters only.' };
  return null;
}

/** An empty credential is removed. Trims blanks, which pasted texts often have and no credential contains. */
export function mergeCredentials(
  existing: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const trimmed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.trim()]));
  const merged = { ...existing, ...trimmed };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}

/** All errors in the form of credentials: of the given ones, and of the complete set. */
export function checkCredentials(
  { fields }: Pick<ProcessorKind, 'fields'>,
  { given, merged }: Readonly<Record<'given' | 'merged', Readonly<Record<string, string>>>>,
): FieldError[] {
  const names = fields.map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const unknownErrors = unknown.map((name) => ({
    field: `credentials.${name}`.slice(0, 200),
    code: 'unknown_field',
    detail: `Unknown field. ${nameHint(name, names)}`,
  }));
  const formErrors = fields.flatMap((field) => {
    const fault = credentialFieldError(field, merged[field.name]);
    return fault ? [{ field: `credentials.${field.name}`, ...fault }] : [];
  });
  return [...unknownErrors, ...formErrors];
}

export function checkCurrencies(
  kind: Pick<ProcessorKind, 'title' | 'currencies'>,
  wanted: readonly Currency[],
): FieldError[] {
  const unsupported = wanted.filter((currency) => !kind.currencies.includes(currency));
  if (unsupported.length === 0) return [];
  const detail = `${kind.title} does not support ${unsupported.join(', ')}. Supported: ${kind.currencies.join(', ')}.`;
  return [{ field: 'currencies', code: 'not_allowed', detail }];
}

/** Rejects without a timely response, even if the processor ignores the signal. */
export async function checkWithTimeout(
  kind: Pick<ProcessorKind, 'check'>,
  connection: ProcessorConnection,
  timeoutMs = checkTimeoutMs,
): Promise<CredentialCheck> {
  const signal = AbortSignal.timeout(timeoutMs);
  return await raceWithAbort(kind.check(connection, signal), signal);
}

/** A page shows no more of what a processor offers. */
const maxOffers = 8;
const maxOfferLength = 40;

/** The account that credentials belong to: a name for people, a permanent identifier, and what customers can use there. */
export type VerifiedAccount = { holder: string; account: string; offers: string[] };

/** Throws `invalid_fields` for invalid credentials, and `processor_unreachable` without a response. */
export async function verifyCredentials(
  kind: ProcessorKind,
  connection: ProcessorConnection,
): Promise<VerifiedAccount> {
  const checked = await checkWithTimeout(kind, connection).catch((cause: unknown) => {
    throw errors.processorUnreachable({
      detail: `${kind.title} does not respond, so the credentials could not be checked. Nothing was changed. Try again in a minute.`,
      cause,
    });
  });
  if (checked.kind === 'good')
    return {
      holder: checked.holder.slice(0, 200),
      account: checked.account.slice(0, 200),
      offers: (checked.offers ?? []).map((offer) => offer.slice(0, maxOfferLength)).slice(0, maxOffers),
    };
  throw errors.invalidFields({
    errors: checked.faults.map((fault) => ({ ...fault, field: `credentials.${fault.field}` })),
  });
}
