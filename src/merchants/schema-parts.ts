// What the schemas of merchants are made of: fields that several of them have, and the ids of their examples.

import { Type } from 'typebox';
import { mailAddressHint, mailAddressPattern } from '../base/mail-address.ts';
import { minPasswordLength } from './password-policy.ts';
import { roles } from './roles.ts';

/** One of the given texts, which its type knows too. */
export const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description ? { description } : {}) });

export const moment = (description: string) => Type.String({ description: `${description}; RFC 3339, UTC` });
export const momentOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description}; RFC 3339, UTC` });

export const email = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: mailAddressPattern,
    'x-hint': mailAddressHint,
    description,
    examples: ['owner@example.com'],
  });
export const password = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Account password',
  examples: ['a small boat on still water'],
});
export const otp = Type.String({
  pattern: '^[0-9]{6}$',
  'x-hint': 'This must be six digits.',
  description: 'What the authenticator app shows',
  examples: ['287082'],
});
/** What a login has beside the password where the account has a second factor. */
export const factorFields = {
  otp: Type.Optional(otp),
  recoveryCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A recovery code, in place of otp',
      examples: ['3f7k-2m9q-4f1f-0c9e'],
    }),
  ),
};
export const recoveryCodesOrNull = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'Ten, shown this once, with the first factor; null: the account has some',
});
export const newPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: 1024,
  description: `At least ${minPasswordLength} characters, 5 of them different; not the e-mail address, and none of the most common passwords`,
  examples: ['four quiet rivers at dawn'],
});
export const rolesOf = (description: string) =>
  Type.Array(oneOf(roles), {
    minItems: 1,
    maxItems: roles.length,
    uniqueItems: true,
    description,
    examples: [['developer']],
  });
export const shownRoles = Type.Array(Type.String(), { description: 'Roles of the account' });
export const accountId = Type.String({ description: 'Account identifier' });

export const ids = {
  account: 'acc_01m7wf3wswavyweszg1v4e9mnn',
  company: 'co_3f7k2m9q',
  key: '3f7k2m9qyt5wp0hy',
  session: 'ses_01m7wf3wswavyweszg1v4e9mnr',
  invitation: 'inv_01m7wf3wswavyweszg1v4e9mns',
} as const;
export const idParameter = (name: string, example: string) =>
  Type.String({ description: name, examples: [example] });

/** The answer of what has nothing to say. */
export const Done = Type.Null({ description: 'Done; there is no body' });
