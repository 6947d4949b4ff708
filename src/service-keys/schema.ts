// The API shapes of service keys.

import Type, { type Static } from 'typebox';
import { errors, type FieldError, maxFieldErrors } from '../base/errors.ts';
import { parseTimestamp } from '../base/timestamp.ts';
import { visibleHint, visiblePattern } from '../base/visible-text.ts';
import { listSchema } from '../http/page-query.ts';
import { serviceKeyScopes } from '../http/roles.ts';
import { idParameter, ids, moment, momentOrNull, oneOf } from '../http/schema-parts.ts';
import { isAddressRange } from './allowed-addresses.ts';
import { scopeNames } from './scopes.ts';

export const ServiceKeyParams = Type.Object({ keyId: idParameter('ID of the service key', ids.key) });

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visiblePattern,
  'x-hint': visibleHint,
  description: 'Name of the key',
  examples: ['Shop, production'],
});

export const maxAllowedAddresses = 32;

const allowedAddresses = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
  maxItems: maxAllowedAddresses,
  description:
    'IPv4 and IPv6 addresses, or ranges such as 203.0.113.0/24, from which the key may be used. Empty: from anywhere',
  examples: [['203.0.113.7', '2001:db8:7::/48']],
});

const expiresAt = Type.Union([Type.String(), Type.Null()], {
  description: 'When the key expires; RFC 3339. null or left out: it is valid until it is revoked',
  examples: ['2027-11-20T00:00:00Z'],
});

export const ServiceKeyRequest = Type.Object(
  {
    name: Type.Optional(name),
    mode: Type.Optional(
      oneOf(
        ['test', 'live'],
        'Default: the mode of this call. live requires the role owner or admin, who hold keys:live',
      ),
    ),
    scopes: Type.Array(oneOf(scopeNames), {
      minItems: 1,
      maxItems: scopeNames.length,
      uniqueItems: true,
      description:
        'What the key may do: rights that your own role has. payments stands for all rights on payments, read for ' +
        'all rights to read',
      examples: [['payments', 'webhooks:manage']],
    }),
    expiresAt: Type.Optional(expiresAt),
    allowedAddresses: Type.Optional(allowedAddresses),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'Shop, production', scopes: ['payments:create', 'payments:read'] }],
  },
);
export type ServiceKeyRequest = Static<typeof ServiceKeyRequest>;

export const ServiceKeyChange = Type.Object(
  { name: Type.Optional(name), allowedAddresses: Type.Optional(allowedAddresses) },
  { additionalProperties: false, examples: [{ allowedAddresses: ['203.0.113.7'] }] },
);
export type ServiceKeyChange = Static<typeof ServiceKeyChange>;

export const ServiceKeyRoll = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long the old key stays valid. Default: 24; 0 ends it at once',
        examples: [24],
      }),
    ),
    expiresAt: Type.Optional({
      ...expiresAt,
      description:
        'When the new key expires; RFC 3339. Left out: it gets the lifetime of the old one; null: it does not expire',
    }),
  },
  { additionalProperties: false, examples: [{ overlapHours: 24 }] },
);
export type ServiceKeyRoll = Static<typeof ServiceKeyRoll>;

const keyFields = {
  keyId: Type.String({ description: 'ID of the key. It is not secret' }),
  name: Type.String({ description: 'Name of the key' }),
  mode: oneOf(['test', 'live'], 'Whether it moves real money'),
  status: oneOf(
    ['active', 'expiring', 'expired', 'revoked'],
    'expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused',
  ),
  scopes: Type.Array(oneOf(serviceKeyScopes), { description: 'What the key may do' }),
  allowedAddresses: Type.Array(Type.String(), {
    description: 'Addresses and ranges from which it may be used; empty: from anywhere',
  }),
  createdAt: moment('When it was created'),
  createdBy: Type.String({ description: 'The account that created it' }),
  expiresAt: momentOrNull('When it expires'),
  replacedByKeyId: Type.Union([Type.String(), Type.Null()], {
    description: 'ID of the key that a roll created in its place',
  }),
  revokedAt: momentOrNull('When it was revoked'),
  lastUsedAt: momentOrNull('When it was last used, to the minute'),
};

const keyExample = {
  keyId: ids.key,
  name: 'Shop, production',
  mode: 'test',
  status: 'active',
  scopes: ['payments:create', 'payments:read'],
  allowedAddresses: ['203.0.113.7'],
  createdAt: '2026-11-20T12:54:58.330Z',
  createdBy: ids.account,
  expiresAt: '2027-11-20T00:00:00.000Z',
  replacedByKeyId: null,
  revokedAt: null,
  lastUsedAt: '2026-11-20T12:58:02.114Z',
};

export const ServiceKeyResponse = Type.Object(keyFields, {
  title: 'ServiceKey',
  description: 'The service key, without its secret',
  examples: [keyExample],
});

export const NewServiceKeyResponse = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself, for Authorization: Bearer' }) },
  {
    title: 'ServiceKeyWithSecret',
    description: 'The new service key. Only this response contains the key itself',
    examples: [{ ...keyExample, lastUsedAt: null, key: `pls_test_${ids.key}_d7cfcdaf98…` }],
  },
);

export const ServiceKeyList = listSchema(ServiceKeyResponse, {
  description: 'The service keys, newest first',
  examples: [{ data: [keyExample], nextCursor: null }],
});

function checkExpiry(text: string, now: Date, faults: FieldError[]): Date | null {
  const at = parseTimestamp(text);
  if (!(at instanceof Date)) faults.push({ field: 'expiresAt', ...at });
  else if (at > now) return at;
  else faults.push({ field: 'expiresAt', code: 'out_of_range', detail: 'This must be in the future.' });
  return null;
}

/**
 * What a schema cannot express. Returns the expiry: undefined if none was named, null for none. Throws `invalid_fields`
 * with every fault.
 */
export function checkServiceKeyFields(
  fields: { expiresAt?: string | null | undefined; allowedAddresses?: readonly string[] | undefined },
  now: Date,
): Date | null | undefined {
  const faults: FieldError[] = [];
  const { expiresAt: text } = fields;
  const expiresAt = typeof text === 'string' ? checkExpiry(text, now, faults) : text;
  for (const [index, range] of (fields.allowedAddresses ?? []).entries())
    if (!isAddressRange(range))
      faults.push({
        field: `allowedAddresses.${index}`,
        code: 'wrong_format',
        detail: 'This must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24 or 2001:db8::/48.',
      });
  if (faults.length > 0) throw errors.invalidFields({ errors: faults.slice(0, maxFieldErrors) });
  return expiresAt;
}
