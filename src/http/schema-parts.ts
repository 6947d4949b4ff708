// Parts of the merchants' schemas: shared fields, and the IDs of examples.

import { type TSchema, Type } from 'typebox';
import { emailAddressHint, emailAddressPattern } from '../base/email-address.ts';
import { roles } from './roles.ts';

/** One of the given texts, also in its TypeScript type. */
export const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description ? { description } : {}) });

export const moment = (description: string) => Type.String({ description: `${description}; RFC 3339, UTC` });
export const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const momentOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description}; RFC 3339, UTC` });

/**
 * A field or parameter under its former name. It stays as long as `/v1` does, beside the one that its description names.
 * `Type.Optional` goes around it: a copy of a schema is not optional.
 */
export const formerName = <T extends TSchema>(schema: T, name: string): T => ({
  ...schema,
  deprecated: true,
  description: `Deprecated. Use ${name}`,
});

export const email = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: emailAddressPattern,
    'x-hint': emailAddressHint,
    description,
    examples: ['owner@example.com'],
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

export const Done = Type.Null({ description: 'Done; there is no body' });

export const exampleCode = '3f7k2m9qVb8Xn4Tq1LwZ6yRc0HdPs5';

export const LinkCodeParams = Type.Object({
  code: Type.String({ description: 'The PaymentLinkCode of the payment', examples: [exampleCode] }),
});
