// Every type of public event, with the schema of its message: the one declaration for the API description, the check of
// an endpoint's types and the tests.

import { type TObject, Type } from 'typebox';
import { formerName } from '../http/schema-parts.ts';
import { AttemptObject } from '../payments/attempt-schema.ts';
import { RefundResponse } from '../payments/refund-schema.ts';
import { PaymentResponse } from '../payments/schema.ts';

const endpointId = Type.String({ description: 'ID of the endpoint' });
const EndpointObject = Type.Object(
  {
    endpointId,
    id: formerName(endpointId, 'endpointId'),
    url: Type.String(),
    mode: Type.String({ enum: ['test', 'live'] }),
    reason: Type.Union([Type.String({ enum: ['switched_off', 'gone', 'failing'] }), Type.Null()], {
      description: 'Why it is disabled; null while it is enabled',
    }),
  },
  {
    title: 'WebhookEndpointSummary',
    examples: [
      {
        endpointId: 'whe_01m7wf3wswavyweszg1v4e9mnn',
        id: 'whe_01m7wf3wswavyweszg1v4e9mnn',
        url: 'https://shop.example/hooks',
        mode: 'test',
        reason: 'gone',
      },
    ],
  },
);

const payment = { payment: PaymentResponse };
const attempt = { payment: PaymentResponse, attempt: AttemptObject };
const refund = { payment: PaymentResponse, refund: RefundResponse };
const endpoint = { endpoint: EndpointObject };

type EventDefinition = { summary: string; data: Record<string, TObject> };

export const eventTypes = {
  'payment.created': { summary: 'A payment link was created', data: payment },
  'payment.opened': { summary: 'A customer opened the link for the first time', data: payment },
  'payment.processing': { summary: 'A customer has started to pay', data: payment },
  'payment.paid': { summary: 'The payment is paid', data: payment },
  'payment.failed': { summary: 'The payment has failed', data: payment },
  'payment.expired': { summary: 'The link has expired', data: payment },
  'payment.cancelled': { summary: 'The link was cancelled', data: payment },
  'payment.link_requested': {
    summary: 'A customer asks for a new link, because this one has expired or failed',
    data: payment,
  },
  'payment.partly_paid': { summary: 'A bank transfer was paid partially', data: attempt },
  'payment.transfer_review': { summary: 'A line of a bank statement needs a review', data: attempt },
  'payment.late': { summary: 'An overpayment was received and is being refunded', data: attempt },
  'refund.created': { summary: 'A refund was created', data: refund },
  'refund.succeeded': { summary: 'A refund succeeded', data: refund },
  'refund.failed': { summary: 'The processor refused a refund', data: refund },
  'refund.escalated': { summary: 'A refund needs a review', data: refund },
  'attempt.unknown': {
    summary: 'The processor did not respond; the attempt will be checked again',
    data: attempt,
  },
  'attempt.resolved': { summary: 'The outcome of an unknown attempt is known', data: attempt },
  'attempt.escalated': { summary: 'An attempt needs a review', data: attempt },
  'mail.failed': { summary: 'An email about the payment could not be delivered', data: payment },
  'webhook_endpoint.disabled': { summary: 'Another endpoint was disabled', data: endpoint },
} as const satisfies Record<string, EventDefinition>;

/** Sent to the tested endpoint, whatever its event types. It is in no feed. */
export const testEventType = 'webhook_endpoint.test';
const definitions: Readonly<Record<string, EventDefinition>> = {
  ...eventTypes,
  [testEventType]: { summary: 'A test event, sent on request', data: endpoint },
};

/**
 * The names of the fields in a message of a type. During an upgrade, a process of the version before may deliver events
 * whose types it does not know: those about a payment have the payment.
 */
export function dataFieldsOf(type: string): readonly string[] {
  const unknown = type.startsWith('payment.') ? payment : {};
  return Object.keys(definitions[type]?.data ?? unknown);
}

/** The types that an endpoint may choose. */
export const knownTypes: readonly string[] = Object.keys(eventTypes);

/** The first example of a schema. The schema's type does not declare examples. */
export function exampleOf(schema: object): unknown {
  return 'examples' in schema && Array.isArray(schema.examples) ? schema.examples[0] : undefined;
}

/** `payment.partly_paid` becomes `PaymentPartlyPaid`. */
const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of a message's data, after its last member. */
function dataTitleOf(data: object): string {
  const shown = Object.keys(data).at(-1) ?? '';
  return `${pascalCase(shown === 'endpoint' ? 'webhook_endpoint' : shown)}Data`;
}

function messageOf(type: string, kind: EventDefinition) {
  const data = Object.fromEntries(Object.entries(kind.data).map(([name, shown]) => [name, exampleOf(shown)]));
  const isAboutPayment = 'payment' in kind.data;
  return Type.Object(
    {
      id: Type.String({ description: 'Identification of the event; the same each time it is sent' }),
      type: Type.String({ enum: [type] }),
      timestamp: Type.String({ description: 'When it happened; RFC 3339, UTC' }),
      version: Type.Union([Type.Integer(), Type.Null()], {
        description:
          'The version of the payment that it made; null when it left the payment as it was. What data.payment shows is that version or a later one',
      }),
      data: Type.Object(kind.data, { title: dataTitleOf(kind.data), additionalProperties: false }),
    },
    {
      title: `${pascalCase(type)}Message`,
      additionalProperties: false,
      examples: [
        {
          id: 'evt_01m7wf3wswavyweszg1v4e9mnn',
          type,
          timestamp: '2026-11-20T12:54:58.330Z',
          version: isAboutPayment ? 1 : null,
          data,
        },
      ],
    },
  );
}

/** The schema of each type's message, including the test. */
export const messages: Readonly<Record<string, ReturnType<typeof messageOf>>> = Object.fromEntries(
  Object.entries(definitions).map(([type, kind]) => [type, messageOf(type, kind)]),
);

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  required: true,
  schema: { type: 'string' },
  description,
});

/** The messages for the part `webhooks` of the API description. */
export function describeMessages(): Record<string, object> {
  const parameters = [
    header('webhook-id', 'ID of the event; the same for each attempt'),
    header('webhook-timestamp', 'Time of sending, in seconds since 1970'),
    header(
      'webhook-signature',
      'v1: HMAC-SHA256 with each active secret; v1a: Ed25519 with the published key; see docs/webhooks.md',
    ),
  ];
  return Object.fromEntries(
    Object.entries(messages).map(([type, schema]) => {
      const { examples: _, ...rest } = schema as { examples?: unknown };
      return [
        type,
        {
          post: {
            operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary: definitions[type]?.summary,
            description: `${definitions[type]?.summary}. The data is current at the time of sending.`,
            // Messages are signed instead.
            security: [],
            tags: ['webhook-messages'],
            parameters,
            requestBody: {
              required: true,
              content: { 'application/json': { schema: rest, example: exampleOf(schema) } },
            },
            responses: {
              '2XX': { description: 'Received. Any other status is a failure and is retried' },
              '410': { description: 'No longer accepted: the endpoint is disabled' },
            },
          },
        },
      ];
    }),
  );
}
