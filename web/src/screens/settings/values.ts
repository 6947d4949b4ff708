// Converts between the API's company and the values of its forms: a form has texts, and an empty one for none. Each
// section has its own values and its own change request, which contains only changed fields. Pure.

import type { Input, OperationResponse } from '../../api/call.ts';
import { isReadable, readColor } from '../../base/contrast.ts';

export type Company = OperationResponse<'getCompany'>;
export type Change = Input<'changeCompany'>['body'];

/** Errors of a value that are found before the request. The texts have a sentence for each. */
type Fault = 'color' | 'contrast' | 'origin' | 'repeated' | 'hours';
export type Faults = Readonly<Record<string, Fault>>;

/** Undefined omits a field of a change. */
const noneIfEmpty = (text: string | undefined): string | null | undefined =>
  text === undefined ? undefined : text.trim() || null;

/** Removes undefined fields, so that they are not sent. */
function withoutUndefined<T extends object>(value: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

export type Branding = { name: string; color: string };

export const brandingOf = ({ name, branding }: Company): Branding => ({
  ...{ name, color: branding.color ?? '' },
});

export function changeOfBranding({ name, color }: Partial<Branding>): Change {
  const given = noneIfEmpty(color);
  const branding = withoutUndefined<NonNullable<Change['branding']>>({
    color: typeof given === 'string' ? (readColor(given) ?? given) : given,
  });
  return withoutUndefined<Change>({
    name,
    branding: Object.keys(branding).length > 0 ? branding : undefined,
  });
}

export function validateBranding({ color }: Branding): Faults {
  if (color.trim() === '') return {};
  const read = readColor(color);
  if (!read) return { 'branding.color': 'color' };
  return isReadable(read) ? {} : { 'branding.color': 'contrast' };
}

export type Paying = Pick<Company, 'country' | 'retryPolicy' | 'loginMode'>;

export const payingOf = ({ country, retryPolicy, loginMode }: Company): Paying => ({
  ...{ country, retryPolicy, loginMode },
});

type Origins = { allowedOrigins: string[] };

export const originsOf = ({ allowedOrigins }: Company): Origins => ({ allowedOrigins });

/** The origin of a typed or pasted text, which may be a whole URL or a bare host; unchanged if it has none. */
export function toOrigin(text: string): string {
  const bare = text.trim();
  // Browsers accept blanks in a host, each in its own way.
  if (/\s/.test(bare)) return bare;
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(bare) && !/^[^/]*:\d/.test(bare) ? bare : `https://${bare}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  return bare !== '' && url && /^https?:$/.test(url.protocol) ? url.origin : bare;
}

/** Removes empty lines, and turns each line into an origin if possible. */
export const normaliseOrigins = ({ allowedOrigins }: Origins): Origins => ({
  allowedOrigins: allowedOrigins.map(toOrigin).filter((origin) => origin !== ''),
});

export function validateOrigins({ allowedOrigins }: Origins): Faults {
  const faults = allowedOrigins.flatMap((origin, index): [string, Fault][] => {
    const field = `allowedOrigins.${index}`;
    if (!/^https?:\/\/[^/\s%]+$/.test(origin)) return [[field, 'origin']];
    return allowedOrigins.indexOf(origin) < index ? [[field, 'repeated']] : [];
  });
  return Object.fromEntries(faults);
}

export const emailSettingsOf = ({ mail }: Company) => ({
  ...mail,
  noticeAddress: mail.noticeAddress ?? '',
  replyTo: mail.replyTo ?? '',
  reminderHours: mail.reminderHours === null ? '' : String(mail.reminderHours),
});

type EmailSettings = ReturnType<typeof emailSettingsOf>;

export function changeOfEmailSettings(values: Partial<EmailSettings>): Change {
  const { receipts, attachReceipts, notices, noticeAddress, replyTo, reminderHours } = values;
  const hours = noneIfEmpty(reminderHours);
  const mail = withoutUndefined<NonNullable<Change['mail']>>({
    ...{ receipts, attachReceipts, notices },
    noticeAddress: noneIfEmpty(noticeAddress),
    replyTo: noneIfEmpty(replyTo),
    reminderHours: typeof hours === 'string' ? Number(hours) : hours,
  });
  return { mail };
}

const maxHours = 168;

export function validateEmailSettings({ reminderHours }: EmailSettings): Faults {
  const text = reminderHours.trim();
  const isValid = text === '' || (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxHours);
  return isValid ? {} : { 'mail.reminderHours': 'hours' };
}

export const identityNames = [
  ...(['supportEmail', 'supportPhone', 'website', 'postalAddress', 'vatId'] as const),
  ...(['imprintUrl', 'termsUrl', 'privacyUrl', 'statementDescriptor'] as const),
];
type Identity = Record<(typeof identityNames)[number], string>;

/** During an upgrade the service may still be an older one, whose company has no identity and no logo. */
export type AnyCompany = Omit<Company, 'identity' | 'logo'> & Partial<Pick<Company, 'identity' | 'logo'>>;

export const identityOf = ({ identity }: Pick<AnyCompany, 'identity'>): Identity =>
  Object.fromEntries(identityNames.map((name) => [name, identity?.[name] ?? ''])) as Identity;

export const logoUrlsOf = ({
  logo,
}: Pick<AnyCompany, 'logo'>): { light: string | null; dark: string | null } => ({
  light: logo?.url ?? null,
  dark: logo?.darkUrl ?? null,
});

export function changeOfIdentity(values: Partial<Identity>): Change {
  const given = identityNames.map((name) => [name, noneIfEmpty(values[name])] as const);
  return { identity: withoutUndefined<NonNullable<Change['identity']>>(Object.fromEntries(given)) };
}
