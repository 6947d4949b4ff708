// The API shapes of API keys.

import Type from 'typebox';
import { visibleHint, visiblePattern } from '../base/visible-text.ts';
import { listSchema } from '../http/page-query.ts';
import { idParameter, ids, moment, momentOrNull, oneOf } from '../http/schema-parts.ts';

export const KeyParams = Type.Object({ keyId: idParameter('ID of the key', ids.key) });

export const KeyRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: visiblePattern,
        'x-hint': visibleHint,
        description: 'Name of the key',
        examples: ['Shop, production'],
      }),
    ),
    mode: Type.Optional(
      oneOf(
        ['test', 'live'],
        'Default: the mode of the key of this call. live requires the role owner or admin',
      ),
    ),
  },
  { additionalProperties: false, examples: [{ name: 'Shop, production' }] },
);

export const RollRequest = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long the old key stays valid. Default: 24; 0 ends it at once',
        examples: [24],
      }),
    ),
  },
  { additionalProperties: false, examples: [{ overlapHours: 24 }] },
);

const keyFields = {
  keyId: Type.String({ description: 'ID of the key. It is not secret' }),
  name: Type.String({ description: 'Name of the key' }),
  mode: Type.String({ enum: ['test', 'live'], description: 'Whether it moves real money' }),
  status: Type.String({
    enum: ['active', 'expiring', 'expired', 'revoked'],
    description: 'expiring: rolled, and valid until expiresAt. Expired and revoked keys are refused',
  }),
  createdAt: moment('When it was created'),
  createdBy: Type.String({ description: 'The account that created it, or system' }),
  expiresAt: momentOrNull('When a rolled key expires'),
  revokedAt: momentOrNull('When it was revoked'),
};

const keyExample = {
  keyId: ids.key,
  name: 'Shop, production',
  mode: 'test',
  status: 'active',
  createdAt: '2026-11-20T12:54:58.330Z',
  createdBy: ids.account,
  expiresAt: null,
  revokedAt: null,
};

export const KeyResponse = Type.Object(keyFields, {
  title: 'ApiKey',
  description: 'The key, without its secret',
  examples: [{ ...keyExample, status: 'revoked', revokedAt: '2026-11-21T09:12:44.108Z' }],
});

export const NewKeyResponse = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself, for X-API-KEY' }) },
  {
    title: 'ApiKeyWithSecret',
    description: 'The new key. Only this response and logins contain it',
    examples: [{ ...keyExample, key: `plk_test_${ids.key}_d7cfcdaf98…` }],
  },
);

export const KeyList = listSchema(KeyResponse, {
  description: 'The keys, newest first',
  examples: [{ data: [keyExample], nextCursor: null }],
});
