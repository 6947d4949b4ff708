// The API shapes of passkeys. WebAuthn defines most names.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { base64urlPattern } from '../base/base64url.ts';
import { visibleHint, visiblePattern } from '../base/visible-text.ts';
import { idParameter, moment, momentOrNull } from '../http/schema-parts.ts';
import { recoveryCodesOrNull } from './schema-parts.ts';

const base64url = (description: string, maxLength = 8_192) =>
  Type.String({ maxLength, pattern: base64urlPattern, 'x-hint': 'This must be base64url.', description });

const credentialFields = {
  id: base64url('ID of the credential', 1_400),
  rawId: base64url('Same as id', 1_400),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { title: 'PasskeyExtensionResults' }),
  ),
  authenticatorAttachment: Type.Optional(Type.Union([Type.String({ maxLength: 32 }), Type.Null()])),
};

const exampleId = 'y3n1Jg8nQeW5m7mQpW3T0Q';
const exampleCredential = { id: exampleId, rawId: exampleId, type: 'public-key', clientExtensionResults: {} };

const Attestation = Type.Object(
  {
    clientDataJSON: base64url('Data from the browser'),
    attestationObject: base64url('Data from the device', 32_768),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    authenticatorData: Type.Optional(base64url('Part of attestationObject')),
    publicKey: Type.Optional(base64url('Part of attestationObject')),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
  },
  { title: 'PasskeyAttestation' },
);

const Assertion = Type.Object(
  {
    clientDataJSON: base64url('Data from the browser'),
    authenticatorData: base64url('Data from the device'),
    signature: base64url('Signature of the device'),
    userHandle: Type.Optional(base64url('User handle of the account', 200)),
  },
  { title: 'PasskeyAssertion' },
);

const Registration = Type.Object(
  { ...credentialFields, response: Attestation },
  { title: 'PasskeyRegistration' },
);

const Authentication = Type.Object(
  { ...credentialFields, response: Assertion },
  { title: 'PasskeyAuthentication' },
);

export const PasskeyOptions = Type.Object(
  {
    options: Type.Unsafe<object>({
      title: 'WebAuthnOptions',
      type: 'object',
      additionalProperties: true,
      description:
        'For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON. Valid for 5 minutes',
    }),
  },
  {
    title: 'PasskeyOptions',
    description: 'The options for the browser',
    examples: [
      { options: { challenge: 'v0Z5b1kqk1lH2j8m4oQ4m8m4r0m6vX3Yq2l0Jx4cYbA', rpId: 'pay.example.com' } },
    ],
  },
);

export const PasskeyRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: visiblePattern,
      'x-hint': visibleHint,
      description: 'Name of the passkey',
      examples: ['Laptop'],
    }),
    response: Type.Unsafe<RegistrationResponseJSON>({
      ...Registration,
      description: 'toJSON() of the result of navigator.credentials.create',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        name: 'Laptop',
        response: { ...exampleCredential, response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
      },
    ],
  },
);

export const PasskeySignIn = Type.Object(
  {
    response: Type.Unsafe<AuthenticationResponseJSON>({
      ...Authentication,
      description: 'toJSON() of the result of navigator.credentials.get',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        response: {
          ...exampleCredential,
          response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'MEUCIQ' },
        },
      },
    ],
  },
);

export const PasskeyParams = Type.Object({
  passkeyId: idParameter('ID of the passkey', 'psk_01m7wf3wswavyweszg1v4e9mnt'),
});

const passkeyFields = {
  passkeyId: Type.String({ description: 'ID of the passkey' }),
  name: Type.String({ description: 'Name of the passkey' }),
  createdAt: moment('When it was added'),
};

export const PasskeySummary = Type.Object(
  {
    ...passkeyFields,
    lastUsedAt: momentOrNull('When it was last used'),
  },
  { title: 'Passkey' },
);

export const PasskeyResponse = Type.Object(
  { ...passkeyFields, recoveryCodes: recoveryCodesOrNull },
  {
    title: 'PasskeyWithRecoveryCodes',
    description: 'The passkey. You can now sign in with it',
    examples: [
      {
        passkeyId: 'psk_01m7wf3wswavyweszg1v4e9mnt',
        name: 'Laptop',
        createdAt: '2026-11-20T12:54:58.330Z',
        recoveryCodes: ['3f7k-2m9q-4f1f-0c9e', 'b7a5-d883-6e1c-4b90'],
      },
    ],
  },
);
