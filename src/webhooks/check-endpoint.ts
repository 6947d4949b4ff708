// Checks of an endpoint that its schema can't express: whether its URL is allowed, and whether its event
// types exist.

import { errors, type FieldError } from '../base/errors.ts';
import { closestName } from '../http/validation.ts';
import { knownTypes } from './event-types.ts';
import { checkEndpointUrl, rulesFor } from './outbound-target.ts';

function checkTypes(events: readonly string[]): FieldError[] {
  const unknown = events.filter((type) => type !== '*' && !knownTypes.includes(type));
  const faults = unknown.map((type) => {
    const nearest = closestName(type, knownTypes);
    const hint = nearest ? `Did you mean ${nearest}?` : `Known: ${knownTypes.join(', ')}.`;
    const detail = `The event type ${type} does not exist. ${hint}`;
    return { field: `events.${events.indexOf(type)}`, code: 'not_allowed', detail };
  });
  const isMixed = events.includes('*') && events.length > 1;
  const detail = 'This must be ["*"] or a list of types, not both.';
  return isMixed ? [...faults, { field: 'events', code: 'not_allowed', detail }] : faults;
}

/** Throws `invalid_fields` unless the request is allowed for an endpoint of this mode. */
export function checkEndpoint(
  wanted: { mode: 'test' | 'live'; url?: string | undefined; events?: readonly string[] | undefined },
  settings: { webhooksAllowLoopback: boolean },
): void {
  const refusal =
    wanted.url === undefined ? null : checkEndpointUrl(wanted.url, rulesFor(wanted.mode, settings));
  const faults = [...(refusal ? [{ field: 'url', ...refusal }] : []), ...checkTypes(wanted.events ?? [])];
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
}
