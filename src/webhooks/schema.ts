// The shapes of endpoints and deliveries, declared once: validation, types, filtering of the response and OpenAPI use
// them.

import { type Static, Type } from 'typebox';
import { apiVersions, newestVersion } from '../http/api-versions.ts';
import { listSchema, pageParameters, querySchema } from '../http/page-query.ts';
import { formerName, moment, momentOrNull, oneOf, textOrNull } from '../http/schema-parts.ts';

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'URL that receives POST requests: a public host, https in live mode',
  examples: ['https://shop.example/hooks/paylink'],
});
const events = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 64,
  uniqueItems: true,
  description: 'Event types, or ["*"] for all types, including future ones',
  examples: [['payment.paid', 'refund.succeeded']],
});
const description = Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
  description: 'For your records',
});

const messageVersion =
  'Version of the API in which messages are sent; null: the newest at the time of sending';
const versionOf = (description: string) =>
  Type.Union([oneOf(apiVersions.map(({ date }) => date)), Type.Null()], { description });

export const EndpointRequest = Type.Object(
  {
    url,
    events,
    description: Type.Optional(description),
    apiVersion: Type.Optional(versionOf(`${messageVersion}. Default: the version of this request`)),
  },
  {
    additionalProperties: false,
    examples: [{ url: 'https://shop.example/hooks/paylink', events: ['payment.paid', 'payment.failed'] }],
  },
);

export type EndpointRequest = Static<typeof EndpointRequest>;

export const EndpointChangeRequest = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    apiVersion: Type.Optional(versionOf(messageVersion)),
    status: Type.Optional(
      oneOf(
        ['enabled', 'disabled'],
        'disabled: nothing is sent, and what happens is kept until it is on again',
      ),
    ),
  },
  { additionalProperties: false, examples: [{ status: 'disabled' }] },
);
export type EndpointChangeRequest = Static<typeof EndpointChangeRequest>;

export const RollSecretRequest = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long messages are also signed with the old secret; 24 by default',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ overlapHours: 24 }] },
);

const endpointId = Type.String({ description: 'Identification of the endpoint' });
const firstFailedAt = momentOrNull('First failure since the last success');
const previousSecretExpiresAt = momentOrNull('Until when messages are also signed with the previous secret');
const endpointFields = {
  endpointId,
  id: formerName(endpointId, 'endpointId'),
  mode: oneOf(['test', 'live'], 'Mode of the API key that created it. It receives events of this mode'),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: textOrNull('For your records'),
  apiVersion: textOrNull(messageVersion),
  status: oneOf(['enabled', 'disabled', 'deleted'], 'Whether messages are sent'),
  disabledReason: textOrNull(
    'switched_off, gone (it answered 410) or failing (for 5 days); null while it is on',
  ),
  firstFailedAt,
  failingSince: formerName(firstFailedAt, 'firstFailedAt'),
  previousSecretExpiresAt,
  previousSecretUntil: formerName(previousSecretExpiresAt, 'previousSecretExpiresAt'),
  createdAt: moment('When it was created'),
  createdBy: Type.String({ description: 'The account that created it, or key: and the ID of a service key' }),
};
const endpointExample = {
  endpointId: 'whe_01m7wf3wswavyweszg1v4e9mnn',
  id: 'whe_01m7wf3wswavyweszg1v4e9mnn',
  mode: 'test' as const,
  url: 'https://shop.example/hooks/paylink',
  events: ['payment.paid', 'payment.failed'],
  description: null,
  apiVersion: newestVersion,
  status: 'enabled' as const,
  disabledReason: null,
  firstFailedAt: null,
  failingSince: null,
  previousSecretExpiresAt: null,
  previousSecretUntil: null,
  createdAt: '2026-11-20T12:54:58.330Z',
  createdBy: 'acc_01m7wf3wswavyweszg1v4e9mnn',
};

export const EndpointResponse = Type.Object(endpointFields, {
  title: 'WebhookEndpoint',
  description: 'The endpoint',
  examples: [endpointExample],
});
export type EndpointResponse = Static<typeof EndpointResponse>;
export const NewSecretResponse = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({ description: 'Signing secret. Only this response contains it' }),
  },
  {
    title: 'WebhookEndpointWithSecret',
    description: 'The endpoint with its new secret',
    examples: [{ ...endpointExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
  },
);
export const EndpointList = listSchema(EndpointResponse, {
  description: 'The endpoints, newest first',
  examples: [{ data: [endpointExample], nextCursor: null }],
});

const deliveryStates = ['pending', 'delivered', 'failed'] as const;

const wantedStatus = oneOf(deliveryStates, 'Only deliveries with this status');
export const DeliveryQuery = querySchema({
  ...pageParameters,
  status: Type.Optional(wantedStatus),
  state: Type.Optional(formerName(wantedStatus, 'status')),
});

const deliveryStatus = oneOf(deliveryStates, 'pending: not delivered yet; failed: the last attempt failed');
const deliveryFields = {
  deliveryId: Type.String({ description: 'Identification of the delivery' }),
  endpointId: Type.String({ description: 'Endpoint that receives it' }),
  url: Type.String({ description: 'Current URL of the endpoint' }),
  eventId: Type.String({ description: 'Event that it delivers; also the ID of the message' }),
  type: Type.String({ description: 'Type of the event' }),
  createdAt: moment('When the event happened'),
  status: deliveryStatus,
  state: formerName(deliveryStatus, 'status'),
  tries: Type.Integer({ description: 'Number of attempts' }),
  nextTryAt: momentOrNull('Time of the next attempt, if its endpoint is enabled; null if it has ended'),
  endedAt: momentOrNull('When it was delivered or failed'),
  lastStatus: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last attempt' }),
  lastFault: textOrNull('Why the last attempt got no response'),
};
const deliveryExample = {
  deliveryId: 'whd_01m7wf3wswavyweszg1v4e9mnn',
  endpointId: endpointExample.endpointId,
  url: endpointExample.url,
  eventId: 'evt_01m7wf3wswavyweszg1v4e9mnn',
  type: 'payment.paid',
  createdAt: '2026-11-20T12:56:02.540Z',
  status: 'delivered' as const,
  state: 'delivered' as const,
  tries: 1,
  nextTryAt: null,
  endedAt: '2026-11-20T12:56:02.601Z',
  lastStatus: 204,
  lastFault: null,
};

export const DeliveryResponse = Type.Object(deliveryFields, {
  title: 'WebhookDelivery',
  description: 'The delivery',
  examples: [deliveryExample],
});
export const DeliveryList = listSchema(DeliveryResponse, {
  description: 'Deliveries, newest event first',
  examples: [{ data: [deliveryExample], nextCursor: null }],
});
export const DeliveryRequest = Type.Object(
  {
    method: Type.String({ enum: ['POST'] }),
    url: Type.String({ description: 'URL that it is sent to' }),
    headers: Type.Record(Type.String(), Type.String(), {
      title: 'WebhookHeaders',
      description:
        'All headers except webhook-timestamp and webhook-signature, which differ for each attempt',
    }),
    body: Type.String({ description: 'The exact body' }),
  },
  {
    title: 'WebhookRequest',
    description: 'The request as it would be sent now. Its data is current at the time of sending',
  },
);
export type DeliveryRequest = Static<typeof DeliveryRequest>;
const requestExample: DeliveryRequest = {
  method: 'POST',
  url: endpointExample.url,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Paylink-Webhooks/1',
    'webhook-id': deliveryExample.eventId,
  },
  body: '{"id":"evt_01m7wf3wswavyweszg1v4e9mnn","type":"payment.paid"}',
};

export const WebhookMessage = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String(), {
      title: 'WebhookHeaders',
      description: 'The headers. webhook-signature contains only v1a, the signature with the published key',
    }),
    body: Type.String({ description: 'The exact body' }),
  },
  {
    title: 'WebhookMessage',
    description: 'The webhook of an event as it would be sent now',
    examples: [
      {
        headers: {
          ...requestExample.headers,
          'webhook-timestamp': '1795180562',
          'webhook-signature':
            'v1a,hnO3f9T8cJ0eYcDyJUoYA2cHbn1xvvzuY1eBXgE0gU8nVqo2Yx1S4zHoFSPeK8S1J6m0lJbbjNfCMGGGoFQrDQ==',
        },
        body: requestExample.body,
      },
    ],
  },
);

export const DeliveryWithAttempts = Type.Object(
  {
    ...deliveryFields,
    history: Type.Array(
      Type.Object(
        {
          at: moment('When it was sent'),
          durationMs: Type.Integer({ description: 'From the DNS lookup to the end of the response' }),
          status: Type.Union([Type.Integer(), Type.Null()], {
            description: 'HTTP status; null without a response',
          }),
          fault: textOrNull(
            'refused_url, blocked_address, dns_failed, connect_failed, tls_failed, timed_out, reset, answer_too_large or invalid_answer; null with an answer',
          ),
          answer: textOrNull('First 4 kB of the response'),
        },
        { title: 'WebhookDeliveryAttempt' },
      ),
      { description: 'All attempts, oldest first' },
    ),
    request: DeliveryRequest,
  },
  {
    title: 'WebhookDeliveryWithAttempts',
    description: 'The delivery with its attempts and its request',
    examples: [
      {
        ...deliveryExample,
        history: [{ at: '2026-11-20T12:56:02.561Z', durationMs: 38, status: 204, fault: null, answer: '' }],
        request: requestExample,
      },
    ],
  },
);

const createdFrom = Type.String({
  description: 'Events at or after this time; RFC 3339. Required',
  examples: ['2026-11-20T00:00:00Z'],
});
export const ResendRequest = Type.Object(
  {
    createdFrom: Type.Optional(createdFrom),
    since: Type.Optional(formerName(createdFrom, 'createdFrom')),
  },
  { additionalProperties: false, examples: [{ createdFrom: '2026-11-20T00:00:00Z' }] },
);
export type ResendRequest = Static<typeof ResendRequest>;
export const ResendResponse = Type.Object(
  { count: Type.Integer({ description: 'Number of deliveries that are sent again' }) },
  {
    title: 'ResendResult',
    description: 'Number of deliveries that are sent again',
    examples: [{ count: 12 }],
  },
);
