// Tools that read events, webhooks, balances and the request log.

import { Type } from 'typebox';
import { apiRequest, balance, deliveryStatuses, event, webhookDelivery, webhookEndpoint } from './shapes.ts';
import {
  argumentsOf,
  limit,
  listed,
  oneOf,
  optionalText,
  pageArguments,
  pageOf,
  paymentLinkCode,
  readingTool,
  type Tool,
  time,
} from './tool.ts';

const listEvents = readingTool({
  name: 'list_events',
  title: 'Read the event feed',
  description:
    'Returns the events of all payments, oldest first. nextCursor is always present: pass it as after to continue. For ' +
    'what happens from now on, begin with after: "latest". For one payment, use list_payment_events.',
  scope: 'events:read',
  input: argumentsOf({ after: optionalText('The nextCursor of the previous result, or latest', 200), limit }),
  output: pageOf(event, 'The events'),
  read: async ({ paylink, options }, given) => await paylink.events.list(listed(given), options),
});

const endpointId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The endpointId, as list_webhook_endpoints returns it',
});

const status = Type.Optional(oneOf(deliveryStatuses, 'Only deliveries with this status'));

const webhookTools: readonly Tool[] = [
  readingTool({
    name: 'list_webhook_endpoints',
    title: 'List the webhook endpoints',
    description: 'Returns the addresses to which Paylink sends events. Signing secrets are never shown.',
    scope: 'webhooks:read',
    input: argumentsOf(pageArguments),
    output: pageOf(webhookEndpoint, 'The endpoints'),
    read: async ({ paylink, options }, given) =>
      await paylink.webhookEndpoints.list(listed(given), options).page(),
  }),
  readingTool({
    name: 'get_webhook_endpoint',
    title: 'Retrieve a webhook endpoint',
    description: 'Returns an endpoint, with the time since which it fails and why it is off.',
    scope: 'webhooks:read',
    input: argumentsOf({ endpointId }),
    output: webhookEndpoint,
    read: async ({ paylink, options }, given) =>
      await paylink.webhookEndpoints.get(given.endpointId, options),
  }),
  readingTool({
    name: 'list_webhook_deliveries',
    title: 'List the deliveries to an endpoint',
    description: 'Returns the deliveries of events to a webhook endpoint, newest first.',
    scope: 'webhooks:read',
    input: argumentsOf({ endpointId, status, ...pageArguments }),
    output: pageOf(webhookDelivery, 'The deliveries'),
    read: async ({ paylink, options }, { endpointId: id, ...given }) =>
      await paylink.webhookEndpoints.listDeliveries(id, listed(given), options).page(),
  }),
  readingTool({
    name: 'list_payment_deliveries',
    title: 'List the deliveries of a payment',
    description:
      'Returns the webhook deliveries of the events of a payment, newest first, including those that are due.',
    scope: 'webhooks:read',
    input: argumentsOf({ paymentLinkCode, ...pageArguments }),
    // An event whose deliveries are not created yet has no deliveryId.
    output: pageOf(Type.Object({}), 'The deliveries'),
    read: async ({ paylink, options }, { paymentLinkCode: code, ...page }) =>
      await paylink.payments.listDeliveries(code, listed(page), options).page(),
  }),
  readingTool({
    name: 'get_webhook_delivery',
    title: 'Retrieve a delivery',
    description:
      'Returns a delivery with its attempts, the message that was sent, and the responses of the receiver. Use it to find out ' +
      'why a webhook does not arrive.',
    scope: 'webhooks:read',
    input: argumentsOf({
      deliveryId: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The deliveryId, as list_webhook_deliveries returns it',
      }),
    }),
    output: webhookDelivery,
    read: async ({ paylink, options }, { deliveryId }) =>
      await paylink.webhookDeliveries.get(deliveryId, options),
  }),
];

const listBalances = readingTool({
  name: 'list_balances',
  title: 'List the balances',
  description:
    'Returns the balance of each account of the ledger in each currency, such as what the processors owe the merchant.',
  scope: 'balances:read',
  input: argumentsOf({}),
  output: pageOf(balance, 'The balances'),
  read: async ({ paylink, options }) => await paylink.balances.list(options).page(),
});

const requestId = Type.String({
  pattern: '^[\\w.~:+/=@-]{1,128}$',
  description: 'The request ID, such as that of an error or of list_requests',
});

const requestTools: readonly Tool[] = [
  readingTool({
    name: 'list_requests',
    title: 'Search the request log',
    description:
      'Lists the calls of the API of the last 7 days that match all arguments, newest first. A call appears within two ' +
      'seconds. The calls of this server are among them.',
    scope: 'requests:read',
    input: argumentsOf({
      status: Type.Optional(
        Type.String({
          pattern: '^[1-5]([0-9][0-9]|xx)$',
          description: 'The HTTP status, or a class such as 4xx',
        }),
      ),
      method: Type.Optional(
        oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], 'Only calls with this HTTP method'),
      ),
      path: Type.Optional(
        Type.String({
          pattern: '^/[\\w/.-]{0,199}$',
          description: 'The beginning of the path, such as /v1/payments',
        }),
      ),
      keyId: Type.Optional(
        Type.String({ pattern: '^[\\w-]{1,64}$', description: 'The ID of a key, not the key itself' }),
      ),
      requestId: Type.Optional(requestId),
      createdFrom: time('Calls at this time or later'),
      createdTo: time('Calls before this time'),
      ...pageArguments,
    }),
    output: pageOf(apiRequest, 'The calls'),
    read: async ({ paylink, options }, given) => await paylink.requests.list(listed(given), options).page(),
  }),
  readingTool({
    name: 'get_request',
    title: 'Retrieve a call',
    description:
      'Returns a call of the API with its bodies, as far as the log shows them. Use it to find out why a call failed.',
    scope: 'requests:read',
    input: argumentsOf({ requestId }),
    output: apiRequest,
    read: async ({ paylink, options }, given) => await paylink.requests.get(given.requestId, options),
  }),
];

export const recordTools: readonly Tool[] = [listEvents, ...webhookTools, listBalances, ...requestTools];
