// Checks of a company change that a schema can't express. Reports every error at once.

import { isSupportedCountry } from 'libphonenumber-js/min';
import { contrastRatio } from '../base/colour.ts';
import { errors, type FieldError } from '../base/errors.ts';
import { hasHiddenCharacters, isBlank, visibleHint } from '../base/visible-text.ts';
import { isPlainHost } from '../base/web-address.ts';
import { identityErrors } from './check-identity.ts';
import type { IdentityChange } from './identity-schema.ts';
import { readPngSize } from './png.ts';
import type { CompanyChange } from './schema.ts';

/** WCAG 2.2, level AA, for text: white on the company's colour. */
const minContrast = 4.5;
/** Keeps the payment page under 30 kB. */
export const maxLogoBytes = 8_000;
const maxLogoPixels = 512;

type FieldErrorDetails = Omit<FieldError, 'field'>;

function nameError(name: string): FieldErrorDetails | null {
  if (!hasHiddenCharacters(name) && !isBlank(name)) return null;
  return { code: 'not_printable', detail: visibleHint };
}

function countryError(country: string): FieldErrorDetails | null {
  if (isSupportedCountry(country)) return null;
  return { code: 'not_allowed', detail: 'This must be a country code such as DE (ISO 3166-1 alpha-2).' };
}

/** The contrast of white text on a colour, to two decimals, and whether it is enough. */
export function measureContrast(color: string): { contrast: number; isReadable: boolean } {
  const contrast = contrastRatio(color, '#ffffff');
  // Rounded down, so that no refused colour shows the required ratio.
  return { contrast: Math.floor(contrast * 100) / 100, isReadable: contrast >= minContrast };
}

function colorError(color: string): FieldErrorDetails | null {
  const { contrast, isReadable } = measureContrast(color);
  if (isReadable) return null;
  return {
    code: 'too_little_contrast',
    detail: `White text on this colour has a contrast of ${contrast}, but needs ${minContrast}. Choose a darker colour.`,
  };
}

/** The bytes of a base64 text; null if it is not canonical base64. */
export function readBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null;
}

function logoError(logo: string): FieldErrorDetails | null {
  const bytes = readBase64(logo);
  const size = bytes && readPngSize(bytes);
  if (!bytes || !size) return { code: 'wrong_format', detail: 'This must be a complete PNG file in base64.' };
  if (bytes.length > maxLogoBytes)
    return {
      code: 'too_large',
      detail: `The file has ${bytes.length} bytes. The maximum is ${maxLogoBytes}.`,
    };
  const { width, height } = size;
  const isGoodSize = Math.min(width, height) >= 1 && Math.max(width, height) <= maxLogoPixels;
  if (isGoodSize) return null;
  return {
    code: 'too_large',
    detail: `The picture has ${width} × ${height} pixels. The maximum is ${maxLogoPixels} × ${maxLogoPixels}.`,
  };
}

function originError(text: string, mode: 'test' | 'live'): FieldErrorDetails | null {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url || !isPlainHost(url.hostname) || text !== url.origin)
    return {
      code: 'wrong_format',
      detail: 'This must be an origin: a scheme, a host and optionally a port, such as https://shop.example.',
    };
  if (mode === 'live' && url.protocol !== 'https:')
    return { code: 'not_allowed', detail: 'In live mode an origin must start with https://.' };
  return null;
}

type FieldCheck = readonly [field: string, fault: FieldErrorDetails | null];

function throwFieldErrors(found: readonly FieldCheck[]): void {
  const faults = found.flatMap(([field, fault]) => (fault ? [{ field, ...fault }] : []));
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
}

const checkIdentity = (identity: IdentityChange) =>
  identityErrors(identity).map(([field, fault]): FieldCheck => [`identity.${field}`, fault]);

const checkName = (name: string | undefined) => (name === undefined ? null : nameError(name));

/** Throws `invalid_fields` with every error of a change that its schema has accepted. */
export function checkCompanyChange(change: CompanyChange, mode: 'test' | 'live'): void {
  const { name, country, branding, identity, allowedOrigins } = change;
  throwFieldErrors([
    ['name', checkName(name)],
    ['country', country === undefined ? null : countryError(country)],
    ['branding.color', branding?.color ? colorError(branding.color) : null],
    ['branding.logo', branding?.logo ? logoError(branding.logo) : null],
    ...checkIdentity(identity ?? {}),
    ...(allowedOrigins ?? []).map(
      (origin, index): FieldCheck => [`allowedOrigins.${index}`, originError(origin, mode)],
    ),
  ]);
}

type Draft = { name?: string; logo?: string | null; identity?: IdentityChange };

/** The same for a preview, without the contrast. */
export function checkDraft({ name, logo, identity = {} }: Draft): void {
  throwFieldErrors([
    ['name', checkName(name)],
    ['logo', logo ? logoError(logo) : null],
    ...checkIdentity(identity),
  ]);
}
