// Checks of a company's identity that a schema can't express, and the form in which it is stored.

import type { FieldError } from '../base/errors.ts';
import { hasHiddenCharacters, isBlank, visibleHint } from '../base/visible-text.ts';
import { webAddressError } from '../base/web-address.ts';
import { type IdentityChange, maxPostalAddressLines } from './identity-schema.ts';
import type { CompanyIdentity } from './store.ts';

type FieldErrorDetails = Omit<FieldError, 'field'>;

/** Its lines, without blanks at their ends and without empty lines around them. */
function linesOf(address: string): string[] {
  return address
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
}

function postalAddressError(address: string): FieldErrorDetails | null {
  const lines = linesOf(address);
  if (lines.length > maxPostalAddressLines)
    return { code: 'too_many', detail: `This may have at most ${maxPostalAddressLines} lines.` };
  if (lines.some(hasHiddenCharacters) || isBlank(address))
    return { code: 'not_printable', detail: visibleHint };
  return null;
}

/** An identity has no mode, and live pages show it: its URLs are https in test mode as well. */
function urlError(url: string): FieldErrorDetails | null {
  if (hasHiddenCharacters(url)) return { code: 'not_printable', detail: visibleHint };
  if (!/^https:\/\//i.test(url))
    return { code: 'wrong_format', detail: 'This must be an absolute URL that starts with https://.' };
  return webAddressError(url, 'live');
}

const urlFields = ['website', 'imprintUrl', 'termsUrl', 'privacyUrl'] as const;

/** The errors of an identity that its schema has accepted. */
export function identityErrors(
  identity: IdentityChange,
): [field: keyof IdentityChange, fault: FieldErrorDetails | null][] {
  const { postalAddress } = identity;
  return [
    ['postalAddress', postalAddress ? postalAddressError(postalAddress) : null],
    ...urlFields.map((name): [typeof name, FieldErrorDetails | null] => {
      const url = identity[name];
      return [name, url ? urlError(url) : null];
    }),
  ];
}

/** The identity after a change. Missing fields keep their value. */
export function applyIdentity(before: CompanyIdentity, change: IdentityChange): CompanyIdentity {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after: CompanyIdentity = { ...before, ...given };
  return { ...after, postalAddress: after.postalAddress && linesOf(after.postalAddress).join('\n') };
}

/** The identity as a part of the company. */
export function identityOf(company: CompanyIdentity): CompanyIdentity {
  const { supportEmail, supportPhone, website, postalAddress, vatId } = company;
  const { imprintUrl, termsUrl, privacyUrl, statementDescriptor } = company;
  return {
    ...{ supportEmail, supportPhone, website, postalAddress, vatId },
    ...{ imprintUrl, termsUrl, privacyUrl, statementDescriptor },
  };
}
