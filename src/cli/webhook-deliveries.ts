// `paylink webhooks deliveries …` and `paylink webhooks resend`: what was sent to endpoints, and what they responded.

import type { ListedDelivery, WebhookDelivery } from '../../sdk/src/index.ts';
import { type ClientCall, clientCommand, collect } from './client.ts';
import { type Command, type ParsedArguments, readCount } from './command.ts';
import { usageError } from './command-error.ts';
import { type Column, formatFields, formatTable } from './table.ts';

const deliveryId = { name: 'DELIVERY_ID', help: 'the ID of the delivery, whd_…' };
const exampleId = 'whd_01m7wf3wswavyweszg1v4e9mnn';
const states = ['pending', 'delivered', 'failed'] as const;

const resultOf = (status: number | null, fault: string | null) => String(status ?? fault ?? '');

const columns: readonly Column<ListedDelivery>[] = [
  { title: 'CREATED', text: ({ createdAt }) => createdAt.slice(0, 19).replace('T', ' ') },
  { title: 'TYPE', text: ({ type }) => type },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'TRIES', isRight: true, text: ({ tries }) => String(tries) },
  { title: 'LAST', text: ({ lastStatus, lastFault }) => resultOf(lastStatus, lastFault) },
  { title: 'URL', isShrinkable: true, text: ({ url }) => url },
  { title: 'DELIVERY_ID', text: (delivery) => delivery.deliveryId },
];

const readLimit = (given: ParsedArguments) => readCount(given, 'limit', { min: 1, max: 999_999 }) ?? 25;

function checkList(given: ParsedArguments): void {
  readLimit(given);
  if (given.has('endpoint') === given.has('payment'))
    throw usageError('Give the endpoint with --endpoint, or the payment with --payment.');
  if (given.has('payment') && given.has('state')) throw usageError('--state needs --endpoint.');
}

async function collectDeliveries({ client, given }: ClientCall) {
  const endpoint = given.text('endpoint');
  const state = states.find((one) => one === given.text('state'));
  const range = { max: readLimit(given), cursor: given.text('cursor') };
  if (endpoint === undefined)
    return await collect(
      (page) => client.payments.listDeliveries(given.required('payment'), page).page(),
      range,
    );
  return await collect(
    (page) => client.webhookEndpoints.listDeliveries(endpoint, { ...page, state }).page(),
    range,
  );
}

const list = clientCommand({
  name: 'webhooks deliveries list',
  summary: 'List the deliveries to an endpoint, or those about a payment, newest first',
  options: [
    { name: 'endpoint', value: 'ENDPOINT_ID', help: 'the endpoint, whe_…' },
    { name: 'payment', value: 'CODE', help: 'the PaymentLinkCode of the payment' },
    { name: 'state', value: 'STATE', help: 'with --endpoint: only in this state', choices: states },
    { name: 'limit', value: 'COUNT', help: 'the number of deliveries; default: 25' },
    { name: 'cursor', value: 'CURSOR', help: 'continue where an earlier list ended' },
  ],
  examples: [
    'webhooks deliveries list --endpoint whe_01m7wf3wswavyweszg1v4e9mnn --state failed',
    'webhooks deliveries list --payment yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE',
  ],
  check: checkList,
  run: async (call) => {
    const page = await collectDeliveries(call);
    const lines = await formatTable(page.data, columns, call.terminal.width);
    return {
      json: page,
      lines: page.data.length > 0 ? lines : ['No deliveries.'],
      notes: page.nextCursor ? [`There are more: --cursor ${page.nextCursor}`] : [],
    };
  },
});

const attemptColumns: readonly Column<WebhookDelivery['history'][number]>[] = [
  { title: 'SENT', text: ({ at }) => at },
  { title: 'MS', isRight: true, text: ({ durationMs }) => String(durationMs) },
  { title: 'RESULT', text: ({ status, fault }) => resultOf(status, fault) },
  { title: 'RESPONSE', isShrinkable: true, text: ({ answer }) => answer ?? '' },
];

const get = clientCommand({
  name: 'webhooks deliveries get',
  summary: 'Show a delivery with its attempts, and the start of each response',
  arguments: [deliveryId],
  examples: [`webhooks deliveries get ${exampleId}`, `webhooks deliveries get ${exampleId} --json`],
  run: async ({ client, given, terminal }) => {
    const delivery = await client.webhookDeliveries.get(given.argument('DELIVERY_ID'));
    const fields = await formatFields([
      ['Delivery', delivery.deliveryId],
      ['Endpoint', delivery.endpointId],
      ['URL', delivery.url],
      ['Event', `${delivery.type} ${delivery.eventId}`],
      ['State', delivery.state],
      ['Next attempt', delivery.nextTryAt],
      ['Ended', delivery.endedAt],
    ]);
    const attempts = await formatTable(delivery.history, attemptColumns, terminal.width);
    return { json: delivery, lines: delivery.history.length > 0 ? [...fields, '', ...attempts] : fields };
  },
});

const resend = clientCommand({
  name: 'webhooks resend',
  summary: 'Send a delivery again',
  arguments: [deliveryId],
  examples: [`webhooks resend ${exampleId}`],
  run: async ({ client, given }) => {
    const delivery = await client.webhookDeliveries.resend(given.argument('DELIVERY_ID'));
    return { json: delivery, lines: [`Sending ${delivery.deliveryId} again.`] };
  },
});

export const deliveryCommands: readonly Command[] = [list, get, resend];
