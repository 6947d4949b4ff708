// The API shapes of second factors.

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
      { description: 'The authenticator app; null if there is none' },
    ),
    passkeys: Type.Array(PasskeySummary, { description: 'The passkeys, oldest first' }),
    recoveryCodesLeft: Type.Integer({ description: 'Number of unused recovery codes' }),
  },
  {
    title: 'SecondFactors',
    description: 'The second factors of the account',
    examples: [{ totp: { confirmedAt: '2026-11-20T12:54:58.330Z' }, passkeys: [], recoveryCodesLeft: 9 }],
  },
);

export const TotpResponse = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base 32 (RFC 4648), to type into an app' }),
    uri: Type.String({ description: 'The secret as a URI, for a QR code' }),
  },
  {
    title: 'TotpSecret',
    description: 'The secret, shown only once. Logins require a code once the app is confirmed',
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
    description: 'The app is active: logins now require a code',
    examples: [{ recoveryCodes: exampleCodes }],
  },
);

export const RecoveryCodesResponse = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), { description: 'Ten codes, shown only once, each valid once' }),
  },
  {
    title: 'RecoveryCodes',
    description: 'The new codes. Earlier codes no longer work',
    examples: [{ recoveryCodes: exampleCodes }],
  },
);
