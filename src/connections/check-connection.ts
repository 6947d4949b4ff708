// What has to hold of a connection before it is kept: first its form, then the word of the processor, who is
// asked with no transaction open. It finds every fault of the form at once, and changes nothing.

import { errors, type FieldError } from '../base/errors.ts';
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

/** How long a processor may take to say whether credentials hold. */
const checkTimeoutMs = 10_000;

/** The processor of a name, if it works in a mode. Throws `invalid_fields`. */
export function requireKind(processors: ProcessorRegistry, name: string, mode: Mode): ProcessorKind {
  const known = processors.kinds.filter(({ modes }) => modes.includes(mode));
  const kind = known.find((candidate) => candidate.name === name);
  if (kind) return kind;
  const names = known.map((candidate) => candidate.name);
  const nearest = closestName(name, names);
  const hint = nearest ? `Did you mean ${nearest}?` : `Known: ${names.join(', ')}.`;
  const detail = `There is no processor of this name in ${mode} mode. ${hint}`;
  throw errors.invalidFields({ errors: [{ field: 'processor', code: 'not_allowed', detail }] });
}

function credentialFieldError(
  field: CredentialField,
  value: string | undefined,
): Omit<FieldError, 'field'> | null {
  if (value === undefined)
    return field.isRequired ? { code: 'missing', detail: `${field.label} is required. ${field.help}` } : null;
  if (value.length > field.maxLength)
    return { code: 'too_long', detail: `This may have at most ${field.maxLength} characters.` };
  if (/\p{Cc}/u.test(value))
    return { code: 'not_printable', detail: 'This must have printable characters only.' };
  return null;
}

/**
 * Credentials with those of the same name in their place that are given. One that is given empty is taken away;
 * what is pasted often has blanks around it, and no credential has.
 */
export function mergeCredentials(
  existing: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const trimmed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.trim()]));
  const merged = { ...existing, ...trimmed };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}

/** What is wrong with the form of credentials, all of it: those that are given, and what they come to. */
export function checkCredentials(
  { fields }: Pick<ProcessorKind, 'fields'>,
  { given, merged }: Readonly<Record<'given' | 'merged', Readonly<Record<string, string>>>>,
): FieldError[] {
  const names = fields.map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const strange = unknown.map((name) => {
    const nearest = closestName(name, names);
    const hint = nearest ? `Did you mean ${nearest}?` : `Known: ${names.join(', ') || 'none'}.`;
    return {
      field: `credentials.${name}`.slice(0, 200),
      code: 'unknown_field',
      detail: `This field is not known. ${hint}`,
    };
  });
  const faulty = fields.flatMap((field) => {
    const fault = credentialFieldError(field, merged[field.name]);
    return fault ? [{ field: `credentials.${field.name}`, ...fault }] : [];
  });
  return [...strange, ...faulty];
}

/** What is wrong with the currencies that a connection is to be offered in. */
export function checkCurrencies(
  kind: Pick<ProcessorKind, 'title' | 'currencies'>,
  wanted: readonly Currency[],
): FieldError[] {
  const foreign = wanted.filter((currency) => !kind.currencies.includes(currency));
  if (foreign.length === 0) return [];
  const detail = `${kind.title} takes ${kind.currencies.join(', ')}, and not ${foreign.join(', ')}.`;
  return [{ field: 'currencies', code: 'not_allowed', detail }];
}

/** The word of the processor on credentials. Rejects when it gives none in time, also when it heeds no signal. */
export async function checkWithTimeout(
  kind: Pick<ProcessorKind, 'check'>,
  connection: ProcessorConnection,
  timeoutMs = checkTimeoutMs,
): Promise<CredentialCheck> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([kind.check(connection, signal), timeout]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Whose account credentials open: for people, and by the name that it has for ever. */
export type VerifiedAccount = { holder: string; account: string };

/**
 * Asks the processor whether the credentials hold; says whose account they open. Throws `invalid_fields` when
 * it says no, and `processor_unreachable` when it says nothing.
 */
export async function verifyCredentials(
  kind: ProcessorKind,
  connection: ProcessorConnection,
): Promise<VerifiedAccount> {
  const checked = await checkWithTimeout(kind, connection).catch((cause: unknown) => {
    throw errors.processorUnreachable({
      detail: `${kind.title} gives no answer, so the credentials could not be checked. Nothing was changed; try again in a minute.`,
      cause,
    });
  });
  if (checked.kind === 'good')
    return { holder: checked.holder.slice(0, 200), account: checked.account.slice(0, 200) };
  throw errors.invalidFields({
    errors: checked.faults.map((fault) => ({ ...fault, field: `credentials.${fault.field}` })),
  });
}
