// Checks a connection before it is stored: first its form, then with the processor, which is asked with no
// transaction open. It finds every fault of the form at once, and changes nothing.

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

/** How long a processor may take to check credentials. */
const checkTimeoutMs = 10_000;

/** The processor with this name, if it works in a mode. Throws `invalid_fields`. */
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
 * Replaces credentials by given ones of the same name. An empty one is removed. Trims blanks, which pasted
 * texts often have and no credential contains.
 */
export function mergeCredentials(
  existing: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const trimmed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.trim()]));
  const merged = { ...existing, ...trimmed };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}

/** All faults in the form of credentials: of the given ones, and of the complete set. */
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

/** Faults in the currencies of a connection. */
export function checkCurrencies(
  kind: Pick<ProcessorKind, 'title' | 'currencies'>,
  wanted: readonly Currency[],
): FieldError[] {
  const foreign = wanted.filter((currency) => !kind.currencies.includes(currency));
  if (foreign.length === 0) return [];
  const detail = `${kind.title} takes ${kind.currencies.join(', ')}, and not ${foreign.join(', ')}.`;
  return [{ field: 'currencies', code: 'not_allowed', detail }];
}

/**
 * Asks the processor about credentials. Rejects without a timely response, even if the processor ignores the
 * signal.
 */
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

/** The account that credentials belong to: a name for people, and a permanent identifier. */
export type VerifiedAccount = { holder: string; account: string };

/**
 * Asks the processor whether the credentials are valid. Returns the account they belong to. Throws
 * `invalid_fields` when they are not, and `processor_unreachable` without a response.
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
