// What has to hold of a connection before it is kept: first its form, then the word of the processor, who is
// asked with no transaction open. It finds every fault of the form at once, and changes nothing.

import { errors, type FieldFault } from '../base/errors.ts';
import type { Currency } from '../base/money.ts';
import { nearestName } from '../http/validation.ts';
import type {
  Connection,
  CredentialField,
  Mode,
  ProcessorKind,
  Processors,
} from '../processors/processor.ts';

/** How long a processor may take to say whether credentials hold. */
const checkTimeoutMs = 10_000;

/** The processor of a name, if it works in a mode. Throws `invalid_fields`. */
export function requireKind(processors: Processors, name: string, mode: Mode): ProcessorKind {
  const known = processors.kinds.filter(({ modes }) => modes.includes(mode));
  const kind = known.find((candidate) => candidate.name === name);
  if (kind) return kind;
  const names = known.map((candidate) => candidate.name);
  const nearest = nearestName(name, names);
  const hint = nearest ? `Did you mean ${nearest}?` : `Known: ${names.join(', ')}.`;
  const detail = `There is no processor of this name in ${mode} mode. ${hint}`;
  throw errors.invalidFields({ errors: [{ field: 'processor', code: 'not_allowed', detail }] });
}

function faultOfField(field: CredentialField, value: string | undefined): Omit<FieldFault, 'field'> | null {
  if (value === undefined || value.trim() === '')
    return field.isRequired ? { code: 'missing', detail: `${field.label} is required. ${field.help}` } : null;
  if (value.length > field.maxLength)
    return { code: 'too_long', detail: `This may have at most ${field.maxLength} characters.` };
  if (/\p{Cc}/u.test(value))
    return { code: 'not_printable', detail: 'This must have printable characters only.' };
  return null;
}

function faultsOfCredentials(
  fields: readonly CredentialField[],
  credentials: Readonly<Record<string, string>>,
): FieldFault[] {
  const names = fields.map(({ name }) => name);
  const unknown = Object.keys(credentials).filter((name) => !names.includes(name));
  const strange = unknown.map((name) => {
    const nearest = nearestName(name, names);
    const hint = nearest ? `Did you mean ${nearest}?` : `Known: ${names.join(', ') || 'none'}.`;
    return {
      field: `credentials.${name}`.slice(0, 200),
      code: 'unknown_field',
      detail: `This field is not known. ${hint}`,
    };
  });
  const faulty = fields.flatMap((field) => {
    const fault = faultOfField(field, credentials[field.name]);
    return fault ? [{ field: `credentials.${field.name}`, ...fault }] : [];
  });
  return [...strange, ...faulty];
}

/** Checks the form of what a connection is to be. Throws `invalid_fields` with every fault. */
export function checkForm(
  kind: ProcessorKind,
  wanted: { currencies: readonly Currency[]; credentials: Readonly<Record<string, string>> },
): void {
  const faults = faultsOfCredentials(kind.fields, wanted.credentials);
  const foreign = wanted.currencies.filter((currency) => !kind.currencies.includes(currency));
  if (foreign.length > 0)
    faults.push({
      field: 'currencies',
      code: 'not_allowed',
      detail: `${kind.title} takes ${kind.currencies.join(', ')}, and not ${foreign.join(', ')}.`,
    });
  if (faults.length > 0) throw errors.invalidFields({ errors: faults.slice(0, 20) });
}

/**
 * Asks the processor whether the credentials hold; says whose account they open. Throws `invalid_fields` when
 * it says no, and `processor_unreachable` when it says nothing.
 */
export async function askProcessor(kind: ProcessorKind, connection: Connection): Promise<string> {
  const signal = AbortSignal.timeout(checkTimeoutMs);
  const checked = await kind.check(connection, signal).catch((cause: unknown) => {
    throw errors.processorUnreachable({
      detail: `${kind.title} gives no answer, so the credentials could not be checked. Nothing was changed; try again in a minute.`,
      cause,
    });
  });
  if (checked.kind === 'good') return checked.holder.slice(0, 200);
  throw errors.invalidFields({
    errors: checked.faults.map((fault) => ({ ...fault, field: `credentials.${fault.field}` })),
  });
}
