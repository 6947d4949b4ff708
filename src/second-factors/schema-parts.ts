// The API shapes that logins and second factors share.

import Type from 'typebox';

export const otp = Type.String({
  pattern: '^[0-9]{6}$',
  'x-hint': 'This must be six digits.',
  description: 'Current code of the authenticator app',
  examples: ['287082'],
});

/** The fields of a login for an account with a second factor. */
export const factorFields = {
  otp: Type.Optional(otp),
  recoveryCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A recovery code, instead of otp',
      examples: ['3f7k-2m9q-4f1f-0c9e'],
    }),
  ),
};

export const recoveryCodesOrNull = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description:
    'Ten recovery codes, shown only once, with the first factor; null if the account already has some',
});
