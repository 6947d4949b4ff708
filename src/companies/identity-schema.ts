// The API shape of a company's identity: how customers recognise and reach it.

import {
  type Static,
  type TNull,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from 'typebox';
import { plainEmailAddress } from '../base/email-address.ts';

/** Longer addresses would not fit on a receipt. */
export const maxPostalAddressLength = 300;
export const maxPostalAddressLines = 5;

const onPages = 'Shown at the foot of the hosted pages';
const webAddress = { minLength: 1, maxLength: 2048 };

/** The rules and the description of each field. Each may also be null: not given. */
const fields = {
  supportEmail: {
    rules: {
      minLength: 3,
      maxLength: 254,
      pattern: plainEmailAddress.source,
      'x-hint': 'This must be an email address.',
    },
    description: `Email address for questions of customers. ${onPages}. Replies to emails go there unless mail.replyTo is set`,
    example: 'help@shop.example',
  },
  supportPhone: {
    rules: {
      minLength: 3,
      maxLength: 32,
      pattern: '^[+(]{0,2}[0-9][0-9 ().+/-]*[0-9)]$',
      'x-hint': 'This must be a phone number: digits, spaces and + - ( ) . / only, such as +49 30 1234567.',
    },
    description: `Phone number for questions of customers. ${onPages}`,
    example: '+49 30 1234567',
  },
  website: {
    rules: webAddress,
    description: `URL of the website, which starts with https:// as do the other URLs. ${onPages}`,
    example: 'https://shop.example',
  },
  postalAddress: {
    rules: { minLength: 1, maxLength: maxPostalAddressLength },
    description: `Postal address without the name, at most ${maxPostalAddressLines} lines. Shown on receipts and in emails`,
    example: 'Hauptstraße 1\n10115 Berlin\nGermany',
  },
  vatId: {
    rules: {
      minLength: 4,
      maxLength: 32,
      pattern: '^[A-Za-z0-9](?:[A-Za-z0-9 ./-]*[A-Za-z0-9])?$',
      'x-hint': 'This must be letters, digits, spaces and . / - only, such as DE123456789.',
    },
    description: 'VAT identification number or tax number. Shown on receipts and in emails',
    example: 'DE123456789',
  },
  imprintUrl: {
    rules: webAddress,
    description: `URL of the imprint (legal notice). ${onPages}`,
    example: 'https://shop.example/imprint',
  },
  termsUrl: {
    rules: webAddress,
    description: `URL of the terms and conditions. ${onPages}`,
    example: 'https://shop.example/terms',
  },
  privacyUrl: {
    rules: webAddress,
    description: `URL of the privacy policy. ${onPages}`,
    example: 'https://shop.example/privacy',
  },
  statementDescriptor: {
    rules: {
      minLength: 5,
      maxLength: 22,
      pattern: '^(?! )(?=.*[A-Za-z])[A-Za-z0-9 .*-]*(?<! )$',
      'x-hint':
        'This must be Latin letters, digits, spaces and . - * only, with at least one letter, and no space at its ends.',
    },
    description:
      'What a card statement shows, if the processor takes it from Paylink; docs/processors.md says which does',
    example: 'SHOP LTD',
  },
} as const;

type FieldName = keyof typeof fields;
const names = Object.keys(fields) as FieldName[];

const toShape = <Schema extends TSchema>(shape: (name: FieldName) => Schema) =>
  Object.fromEntries(names.map((name) => [name, shape(name)])) as Record<FieldName, Schema>;

type NullableText = TUnion<[TString, TNull]>;

/** The identity in a request: a missing field stays unchanged, null removes it. */
export const IdentityChange: TObject<Record<FieldName, TOptional<NullableText>>> = Type.Object(
  toShape((name) => {
    const { rules, description, example } = fields[name];
    return Type.Optional(Type.Union([Type.String(rules), Type.Null()], { description, examples: [example] }));
  }),
  { additionalProperties: false, title: 'CompanyIdentityChange' },
);
export type IdentityChange = Static<typeof IdentityChange>;

export const identityExample = Object.fromEntries(names.map((name) => [name, fields[name].example]));

export const IdentityResponse: TObject<Record<FieldName, NullableText>> = Type.Object(
  toShape((name) =>
    Type.Union([Type.String(), Type.Null()], { description: `${fields[name].description}; null: not given` }),
  ),
  { title: 'CompanyIdentity' },
);
