// The schemas of processors and connections: validation, types, response filtering and OpenAPI all use them.
// No response schema has a field for a secret.

import { type Static, Type } from 'typebox';
import { currencies } from '../base/money.ts';
import { visibleHint, visiblePattern } from '../base/visible-text.ts';
import { listSchema } from '../http/page-query.ts';
import { moment, momentOrNull, oneOf } from '../http/schema-parts.ts';

const modes = ['test', 'live'] as const;
export const exampleConnectionId = 'con_3f7k2m9qyt5wp0hyx8c4bn2d';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visiblePattern,
  'x-hint': visibleHint,
  description: 'What your own people call it',
});
const offered = Type.Array(oneOf(currencies), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'In which currencies customers are offered it',
  examples: [['EUR']],
});
const position = Type.Integer({
  minimum: 0,
  maximum: 1000,
  description: 'Where it stands among what customers are offered; the least first',
});
const enabled = Type.Boolean({ description: 'Whether customers are offered it' });
const credentials = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 4096 }), {
  title: 'ProcessorCredentials',
  maxProperties: 20,
  description: 'By the names that `GET /v1/processors` lists for it. A secret is never shown again',
  examples: [{ secretKey: 'the key that the processor shows you' }],
});

export const ConnectionRequest = Type.Object(
  {
    processor: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'A name of `GET /v1/processors`',
      examples: ['sandbox'],
    }),
    name: Type.Optional(name),
    currencies: Type.Optional(offered),
    position: Type.Optional(position),
    enabled: Type.Optional(enabled),
    credentials: Type.Optional(credentials),
  },
  { additionalProperties: false, examples: [{ processor: 'sandbox', enabled: false }] },
);
export type ConnectionRequest = Static<typeof ConnectionRequest>;

export const ConnectionChange = Type.Object(
  {
    name: Type.Optional(name),
    currencies: Type.Optional(offered),
    position: Type.Optional(position),
    enabled: Type.Optional(enabled),
    credentials: Type.Optional(credentials),
  },
  { additionalProperties: false, examples: [{ enabled: true, currencies: ['EUR'] }] },
);
export type ConnectionChange = Static<typeof ConnectionChange>;

export const ConnectionOrder = Type.Object(
  {
    connectionIds: Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 200,
      uniqueItems: true,
      description: 'All connections of the mode, in the order in which customers are offered them',
    }),
  },
  {
    title: 'ReorderProcessorConnectionsRequest',
    additionalProperties: false,
    examples: [{ connectionIds: [exampleConnectionId] }],
  },
);

const Field = Type.Object(
  {
    name: Type.String(),
    label: Type.String({ description: 'For people' }),
    isSecret: Type.Boolean({ description: 'Whether it is never shown again' }),
    isRequired: Type.Boolean(),
    help: Type.String({ description: 'Where it is found' }),
  },
  { title: 'ProcessorField' },
);

export const ProcessorList = listSchema(
  Type.Object(
    {
      processor: Type.String({ description: 'Its name in settings and addresses' }),
      title: Type.String({ description: 'Its name for people' }),
      takes: oneOf(
        ['card', 'page', 'transfer'],
        'How a customer pays: a card on our page, on its own page, or a transfer from their bank',
      ),
      modes: Type.Array(oneOf(modes)),
      currencies: Type.Array(Type.String()),
      fields: Type.Array(Field, { description: 'What a connection to it needs' }),
    },
    { title: 'Processor' },
  ),
  {
    description: 'Every processor that a company may be connected with',
    examples: [
      {
        data: [
          {
            processor: 'sandbox',
            title: 'Sandbox',
            takes: 'card',
            modes: ['test'],
            currencies: ['USD', 'EUR'],
            fields: [],
          },
        ],
        nextCursor: null,
      },
    ],
  },
);

const connectionExample = {
  id: exampleConnectionId,
  processor: 'sandbox',
  title: 'Sandbox',
  mode: 'test' as const,
  name: 'Sandbox',
  holder: 'No money moves',
  currencies: ['EUR'],
  position: 0,
  enabled: true,
  credentials: [],
  webhookUrl: null,
  health: { isUp: true, downUntil: null },
  notices: { accepted: 0, irrelevant: 0, replayed: 0, mismatched: 0, forged: 0, lastAt: null },
  createdAt: '2026-11-20T12:54:58.330Z',
  createdBy: 'acc_01m7wf3wswavyweszg1v4e9mnn',
};
const count = (description: string) => Type.Integer({ description });

export const ConnectionResponse = Type.Object(
  {
    id: Type.String({ description: 'Identification of the connection' }),
    processor: Type.String(),
    title: Type.String({ description: 'The processor’s name for people' }),
    mode: oneOf(modes, 'That of the API key it was made with: payments of this mode may use it'),
    name: Type.String(),
    holder: Type.String({ description: 'Whose account it is, by the processor’s word' }),
    currencies: Type.Array(Type.String()),
    position: Type.Integer(),
    enabled: Type.Boolean(),
    credentials: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          isSecret: Type.Boolean(),
          isSet: Type.Boolean(),
          value: Type.Union([Type.String(), Type.Null()], { description: 'Null for a secret' }),
        },
        { title: 'ProcessorCredential' },
      ),
    ),
    webhookUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'The address to enter at the processor for its webhooks; null where it sends none',
    }),
    health: Type.Object(
      { isUp: Type.Boolean(), downUntil: momentOrNull('Until when it is offered last') },
      { title: 'ProcessorHealth', description: 'Whether it answered when it was last asked for a payment' },
    ),
    notices: Type.Object(
      {
        accepted: count('Checked against the payment, and the processor was asked'),
        irrelevant: count('About nothing of ours'),
        replayed: count('Sent again'),
        mismatched: count('Another amount, currency, account or attempt than ours; nothing was changed'),
        forged: count('Not signed with the secret of this connection; nothing was changed'),
        lastAt: momentOrNull('When the last one came'),
      },
      { title: 'ProcessorWebhookCounts', description: 'What became of the processor’s webhooks' },
    ),
    createdAt: moment('When it was made'),
    createdBy: Type.String({ description: 'Account that made it' }),
  },
  { title: 'ProcessorConnection', description: 'The connection', examples: [connectionExample] },
);
export type ConnectionResponse = Static<typeof ConnectionResponse>;

export const ConnectionList = listSchema(ConnectionResponse, {
  description:
    'The connections of the mode of your API key, in the order in which customers are offered them',
  examples: [{ data: [connectionExample], nextCursor: null }],
});
