// The API shapes of passwords.

import Type from 'typebox';
import { minPasswordLength } from './password-policy.ts';

export const password = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Account password',
  examples: ['a small boat on still water'],
});

export const newPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: 1024,
  description: `At least ${minPasswordLength} characters, 5 of them different. Must not be the email address or a common password`,
  examples: ['four quiet rivers at dawn'],
});
