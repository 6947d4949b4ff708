// The schemas of processors and connections. No response schema has a field for a secret.

import { type Static, Type } from 'typebox';
import { currencies } from '../base/money.ts';
import { visibleHint, visiblePattern } from '../base/visible-text.ts';
import { listSchema } from '../http/page-query.ts';
import { formerName, moment, momentOrNull, oneOf } from '../http/schema-parts.ts';

const modes = ['test', 'live'] as const;
export const exampleConnectionId = 'con_3f7k2m9qyt5wp0hyx8c4bn2d';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visiblePattern,
  'x-hint': visibleHint,
  description:
    'Your name for the connection. Customers read it if the page offers another connection to the same processor',
});
const offered = Type.Array(oneOf(currencies), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Currencies in which customers are offered the connection',
  examples: [['EUR']],
});
const position = Type.Integer({
  minimum: 0,
  maximum: 1000,
  description: 'Position among the methods that customers are offered, lowest first',
});
const enabled = Type.Boolean({ description: 'Whether customers are offered the connection' });
const credentials = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 4096 }), {
  title: 'ProcessorCredentials',
  maxProperties: 20,
  description: 'Credentials by field name, as `GET /v1/processors` lists them. Secrets are never returned',
  examples: [{ secretKey: 'the key from the processor' }],
});

const changeableFields = {
  name: Type.Optional(name),
  currencies: Type.Optional(offered),
  position: Type.Optional(position),
  enabled: Type.Optional(enabled),
  credentials: Type.Optional(credentials),
};

export const ConnectionRequest = Type.Object(
  {
    processor: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Name of the processor, from `GET /v1/processors`',
      examples: ['sandbox'],
    }),
    ...changeableFields,
  },
  { additionalProperties: false, examples: [{ processor: 'sandbox', enabled: false }] },
);
export type ConnectionRequest = Static<typeof ConnectionRequest>;

export const ConnectionChange = Type.Object(changeableFields, {
  additionalProperties: false,
  examples: [{ enabled: true, currencies: ['EUR'] }],
});
export type ConnectionChange = Static<typeof ConnectionChange>;

export const ConnectionOrder = Type.Object(
  {
    connectionIds: Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 200,
      uniqueItems: true,
      description: 'IDs of all connections in the mode, in the order in which customers are offered them',
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
    label: Type.String({ description: 'Display name' }),
    isSecret: Type.Boolean({ description: 'Whether its value is never returned' }),
    isRequired: Type.Boolean(),
    help: Type.String({ description: 'Where to find it' }),
  },
  { title: 'ProcessorField' },
);

export const ProcessorList = listSchema(
  Type.Object(
    {
      processor: Type.String({ description: 'Name in settings and addresses' }),
      title: Type.String({ description: 'Display name' }),
      takes: oneOf(
        ['card', 'page', 'transfer'],
        'How a customer pays: by card on Paylink’s page, on the processor’s page, or by bank transfer',
      ),
      modes: Type.Array(oneOf(modes)),
      currencies: Type.Array(Type.String()),
      fields: Type.Array(Field, { description: 'Credentials and settings that a connection requires' }),
    },
    { title: 'Processor' },
  ),
  {
    description: 'All processors',
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
  connectionId: exampleConnectionId,
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
  health: { isUp: true, recoversAt: null, downUntil: null },
  notices: { accepted: 0, irrelevant: 0, replayed: 0, mismatched: 0, forged: 0, lastAt: null },
  createdAt: '2026-11-20T12:54:58.330Z',
  createdBy: 'acc_01m7wf3wswavyweszg1v4e9mnn',
};
const count = (description: string) => Type.Integer({ description });

const connectionId = Type.String({ description: 'ID of the connection' });
const recoversAt = momentOrNull('Until when the connection is offered only if no other method is up');

export const ConnectionResponse = Type.Object(
  {
    connectionId,
    id: formerName(connectionId, 'connectionId'),
    processor: Type.String(),
    title: Type.String({ description: 'Display name of the processor' }),
    mode: oneOf(modes, 'Mode of the connection. Only payments in this mode use it'),
    name: Type.String(),
    holder: Type.String({ description: 'Holder of the account, as the processor reports it' }),
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
      description: 'Webhook URL to enter at the processor; null if the processor sends no webhooks',
    }),
    health: Type.Object(
      { isUp: Type.Boolean(), recoversAt, downUntil: formerName(recoversAt, 'recoversAt') },
      { title: 'ProcessorHealth', description: 'Whether the processor responded to the last calls' },
    ),
    notices: Type.Object(
      {
        accepted: count('Matched a payment and triggered a query'),
        irrelevant: count('Unrelated to Paylink’s payments'),
        replayed: count('Repeated'),
        mismatched: count(
          'Differed from the payment in amount, currency, account or attempt; nothing was changed',
        ),
        forged: count('Not signed with the secret of this connection; nothing was changed'),
        lastAt: momentOrNull('When the last webhook arrived'),
      },
      { title: 'ProcessorWebhookCounts', description: 'Results of the processor’s webhooks' },
    ),
    createdAt: moment('When the connection was created'),
    createdBy: Type.String({ description: 'The account that created the connection' }),
  },
  { title: 'ProcessorConnection', description: 'The connection', examples: [connectionExample] },
);
export type ConnectionResponse = Static<typeof ConnectionResponse>;

export const ConnectionList = listSchema(ConnectionResponse, {
  description:
    'The connections in the mode of your API key, in the order in which customers are offered them',
  examples: [{ data: [connectionExample], nextCursor: null }],
});
