// The shapes of API keys, declared once: validation, types, filtering of the response and OpenAPI.

import Type from 'typebox';
import { visibleHint, visiblePattern } from '../base/visible-text.ts';
import { listSchema } from '../http/page-query.ts';
import { idParameter, ids, moment, momentOrNull, oneOf } from '../http/schema-parts.ts';

// Keys ------------------------------------------------------------------------------------------------

export const KeyParams = Type.Object({ keyId: idParameter('Identification of the key', ids.key) });

export const KeyRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: visiblePattern,
        'x-hint': visibleHint,
        description: 'What people call it',
        examples: ['Shop, production'],
      }),
    ),
    mode: Type.Optional(
      oneOf(['test', 'live'], 'Without it: that of the key of this call. live is for owners and admins'),
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
        description: 'How long the old key stays good beside the new one; 24 without it, 0 ends it at once',
        examples: [24],
      }),
    ),
  },
  { additionalProperties: false, examples: [{ overlapHours: 24 }] },
);

const keyFields = {
  keyId: Type.String({ description: 'Identification of the key; no secret' }),
  name: Type.String({ description: 'What people call it' }),
  mode: Type.String({ enum: ['test', 'live'], description: 'Whether it moves real money' }),
  status: Type.String({
    enum: ['active', 'expiring', 'expired', 'revoked'],
    description: 'expiring: it was rolled and is good until expiresAt. Expired and revoked keys are refused',
  }),
  createdAt: moment('When it was created'),
  createdBy: Type.String({ description: 'The account that created it, or system' }),
  expiresAt: momentOrNull('When a key that was rolled ends'),
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
    description: 'The new key; this answer and the login show it',
    examples: [{ ...keyExample, key: `plk_test_${ids.key}_d7cfcdaf98…` }],
  },
);

export const KeyList = listSchema(KeyResponse, {
  description: 'The keys, the newest first',
  examples: [{ data: [keyExample], nextCursor: null }],
});
