// The shapes of second factors, declared once: validation, types, filtering of the response and OpenAPI use them.

import { Type } from 'typebox';
import { moment } from '../http/schema-parts.ts';
import { password } from '../passwords/schema-parts.ts';
import { PasskeySummary } from './passkey-schema.ts';
import { otp, recoveryCodesOrNull } from './schema-parts.ts';

export const ConfirmationRequest = Type.Object(
  { currentPassword: password },
  {
    title: 'PasswordConfirmation',
    additionalProperties: false,
    examples: [{ currentPassword: 'correct horse battery' }],
  },
);

export const OtpRequest = Type.Object(
  { otp },
  { additionalProperties: false, examples: [{ otp: '287082' }] },
);

export const SecondFactors = Type.Object(
  {
    totp: Type.Union(
      [
        Type.Object({ confirmedAt: moment('When the app was added') }, { title: 'AuthenticatorApp' }),
        Type.Null(),
      ],
      { description: 'The authenticator app; null: there is none' },
    ),
    passkeys: Type.Array(PasskeySummary, { description: 'The passkeys, the oldest first' }),
    recoveryCodesLeft: Type.Integer({ description: 'How many recovery codes were not used yet' }),
  },
  {
    title: 'SecondFactors',
    description: 'What the account has beside its password',
    examples: [{ totp: { confirmedAt: '2026-11-20T12:54:58.330Z' }, passkeys: [], recoveryCodesLeft: 9 }],
  },
);

export const TotpResponse = Type.Object(
  {
    secret: Type.String({ description: 'For an app that it is typed into: base 32 (RFC 4648)' }),
    uri: Type.String({ description: 'For an app that reads it from a QR code' }),
  },
  {
    title: 'TotpSecret',
    description: 'The secret, which is not shown again; it counts once it is confirmed',
    examples: [
      {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Paylink%3Aowner%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Paylink',
      },
    ],
  },
);

const exampleCodes = ['3f7k-2m9q-4f1f-0c9e', 'b7a5-d883-6e1c-4b90'];

export const ConfirmedResponse = Type.Object(
  { recoveryCodes: recoveryCodesOrNull },
  {
    title: 'ConfirmedTotp',
    description: 'Sign-in now asks for a code of the app',
    examples: [{ recoveryCodes: exampleCodes }],
  },
);

export const RecoveryCodesResponse = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Ten, shown this once; each is good once' }) },
  {
    title: 'RecoveryCodes',
    description: 'The new codes; earlier ones no longer work',
    examples: [{ recoveryCodes: exampleCodes }],
  },
);
