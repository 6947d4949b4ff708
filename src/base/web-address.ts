// The form of merchants' web addresses. Pure.

import type { FieldError } from './errors.ts';

/** A name or an IPv4 address: in a Content-Security-Policy other characters have a meaning. */
export function isPlainHost(hostname: string): boolean {
  return /^[a-z0-9._-]+$/.test(hostname);
}

/** Why a text is not an absolute web address of a merchant; null if it is one. */
export function webAddressError(text: string, mode: 'test' | 'live'): Omit<FieldError, 'field'> | null {
  if (/[\p{Cc}\p{Zs}\\]/u.test(text))
    return {
      code: 'wrong_format',
      detail: 'This must not contain spaces, backslashes or control characters.',
    };
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url)
    return {
      code: 'wrong_format',
      detail: 'This must be an absolute URL that starts with https:// or http://.',
    };
  if (!isPlainHost(url.hostname))
    return { code: 'wrong_format', detail: 'The host must be a host name or an IPv4 address.' };
  if (url.username || url.password)
    return { code: 'not_allowed', detail: 'This must not contain a user name or a password.' };
  if (mode === 'live' && url.protocol !== 'https:')
    return { code: 'not_allowed', detail: 'In live mode this must start with https://.' };
  return null;
}
