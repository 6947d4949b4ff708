// The API shapes of the company.

import { type Static, Type } from 'typebox';
import { plainEmailAddress } from '../base/email-address.ts';
import { querySchema } from '../http/page-query.ts';
import { ids, oneOf } from '../http/schema-parts.ts';
import { IdentityChange, IdentityResponse, identityExample } from './identity-schema.ts';
import type { LogoVariant } from './logo-store.ts';

const companyName = 'What customers see as the payee';
const countryCode = 'ISO 3166-1 alpha-2. Used for phone numbers without a country code';
const retryPolicy = oneOf(
  ['none', 'fixable', 'all'],
  'After which declines a customer may try again on the same link',
);
const loginMode = oneOf(
  ['test', 'live'],
  'Mode of the API key that a login returns by default. live requires a live key',
);
const originList = 'Allowed origins of success_url and failure_url; empty: any';
const brandColor = 'Colour of the buttons on the hosted pages; null: the default colour';
const logoUrl = 'URL of the logo on the hosted pages: the uploaded file, else branding.logo; null: none';
const darkLogoUrl = 'URL of the variant on dark pages; null: the logo itself is shown';
const brandLogo = 'A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none';

const receipts = 'Whether customers get a receipt by email after a payment or a refund';
const attachReceipts = 'Whether these emails have the receipt attached as a PDF. They link to it in any case';
const notices =
  'Whether the company gets an email about each payment, and when a customer asks for a new link';
const noticeAddress =
  'Address for these emails, and for emails about disabled webhook endpoints; null: the owner with the oldest account';
const replyTo = 'Reply-To address of emails to customers; null: none';
const reminderHours =
  'How many hours before an unpaid link expires the customer gets a reminder; null: never';

const mailAddress = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String({
          minLength: 3,
          maxLength: 254,
          pattern: plainEmailAddress.source,
          'x-hint': 'This must be an email address.',
        }),
        Type.Null(),
      ],
      { description, examples: ['orders@shop.example'] },
    ),
  );
const MailChange = Type.Object(
  {
    receipts: Type.Optional(Type.Boolean({ description: receipts, examples: [true] })),
    attachReceipts: Type.Optional(Type.Boolean({ description: attachReceipts, examples: [false] })),
    notices: Type.Optional(Type.Boolean({ description: notices, examples: [true] })),
    noticeAddress: mailAddress(noticeAddress),
    replyTo: mailAddress(replyTo),
    reminderHours: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 168 }), Type.Null()], {
        description: reminderHours,
        examples: [24],
      }),
    ),
  },
  { additionalProperties: false },
);

export const CompanyResponse = Type.Object(
  {
    companyId: Type.String({ description: 'Company identifier' }),
    name: Type.String({ description: companyName }),
    country: Type.String({ description: countryCode }),
    branding: Type.Object(
      {
        color: Type.Union([Type.String(), Type.Null()], { description: brandColor }),
        logo: Type.Union([Type.String(), Type.Null()], { description: brandLogo }),
      },
      { title: 'Branding' },
    ),
    logo: Type.Object(
      {
        url: Type.Union([Type.String(), Type.Null()], { description: logoUrl }),
        darkUrl: Type.Union([Type.String(), Type.Null()], { description: darkLogoUrl }),
      },
      { title: 'LogoUrls' },
    ),
    identity: IdentityResponse,
    retryPolicy,
    loginMode,
    allowedOrigins: Type.Array(Type.String(), { description: originList }),
    mail: Type.Object(
      {
        receipts: Type.Boolean({ description: receipts }),
        attachReceipts: Type.Boolean({ description: attachReceipts }),
        notices: Type.Boolean({ description: notices }),
        noticeAddress: Type.Union([Type.String(), Type.Null()], { description: noticeAddress }),
        replyTo: Type.Union([Type.String(), Type.Null()], { description: replyTo }),
        reminderHours: Type.Union([Type.Integer(), Type.Null()], { description: reminderHours }),
      },
      { title: 'EmailSettings' },
    ),
  },
  {
    title: 'Company',
    description: 'The company',
    examples: [
      {
        companyId: ids.company,
        name: 'Shop Ltd',
        country: 'DE',
        branding: { color: '#1849a9', logo: null },
        logo: { url: `https://pay.example/assets/logos/${ids.company}/3fa9c1d2b4e5f607.svg`, darkUrl: null },
        identity: identityExample,
        retryPolicy: 'fixable',
        loginMode: 'test',
        allowedOrigins: ['https://shop.example'],
        mail: {
          receipts: true,
          attachReceipts: false,
          notices: true,
          noticeAddress: 'orders@shop.example',
          replyTo: 'help@shop.example',
          reminderHours: null,
        },
      },
    ],
  },
);

export const brandingFields = {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: companyName, examples: ['Shop Ltd'] }),
  ),
  color: Type.Optional(
    Type.Union(
      [
        Type.String({
          pattern: '^#[0-9a-f]{6}$',
          'x-hint': 'This must be a colour like #1849a9, in lower case.',
        }),
        Type.Null(),
      ],
      { description: `${brandColor}. White text on it needs a contrast of 4.5`, examples: ['#1849a9'] },
    ),
  ),
  logo: Type.Optional(
    Type.Union([Type.String({ maxLength: 60_000 }), Type.Null()], {
      description: brandLogo,
      examples: [
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      ],
    }),
  ),
};

export const LogoQuery = querySchema({
  variant: Type.Optional(
    Type.Unsafe<LogoVariant>({
      type: 'string',
      enum: ['light', 'dark'],
      description: 'light is the logo; dark is its variant on dark pages. Default: light',
    }),
  ),
});

export const CompanyChange = Type.Object(
  {
    name: brandingFields.name,
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        'x-hint': 'This must be two capital letters, such as DE.',
        description: countryCode,
        examples: ['DE'],
      }),
    ),
    branding: Type.Optional(
      Type.Object(
        { color: brandingFields.color, logo: brandingFields.logo },
        { additionalProperties: false },
      ),
    ),
    identity: Type.Optional(IdentityChange),
    retryPolicy: Type.Optional(retryPolicy),
    loginMode: Type.Optional(loginMode),
    allowedOrigins: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 20,
        description: originList,
        examples: [['https://shop.example']],
      }),
    ),
    mail: Type.Optional(MailChange),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'Shop Ltd', branding: { color: '#1849a9' } }],
  },
);
export type CompanyChange = Static<typeof CompanyChange>;
