// `paylink webhooks endpoints …`: the endpoints of the company. A signing secret is printed once, when it is created.

import type { NewWebhookEndpoint, WebhookEndpoint } from '../../sdk/src/index.ts';
import { type CommandResult, clientCommand, collect } from './client.ts';
import { type Command, fieldsOf, type OptionSpec, type ParsedArguments, readCount } from './command.ts';
import { usageError } from './command-error.ts';
import { confirm, requireConfirmable, yesOption } from './confirm.ts';
import { type Column, formatFields, formatTable } from './table.ts';
import { deliveryCommands } from './webhook-deliveries.ts';

const maxEndpoints = 1000;

const endpointId = { name: 'ENDPOINT_ID', help: 'the ID of the endpoint, whe_…' };
const exampleId = 'whe_01m7wf3wswavyweszg1v4e9mnn';

const columns: readonly Column<WebhookEndpoint>[] = [
  { title: 'ENDPOINT_ID', text: ({ id }) => id },
  { title: 'MODE', text: ({ mode }) => mode },
  { title: 'STATUS', text: ({ status, failingSince }) => (failingSince ? `${status}, failing` : status) },
  { title: 'EVENTS', isShrinkable: true, text: ({ events }) => events.join(' ') },
  { title: 'URL', isShrinkable: true, text: ({ url }) => url },
];

const urlHelp = 'the URL that receives the webhooks';
const fieldOptions: readonly OptionSpec[] = [
  { name: 'event', value: 'TYPE', help: 'an event type to send; * is every type', isRepeatable: true },
  { name: 'description', value: 'TEXT', help: 'for your own records' },
];

const readFields = (given: ParsedArguments) => ({
  ...fieldsOf(given, { url: 'url', description: 'description' }),
  ...(given.has('event') ? { events: [...given.texts('event')] } : {}),
});

function readChange(given: ParsedArguments) {
  if (given.has('on') && given.has('off')) throw usageError('Give --on or --off, not both.');
  const status = given.has('on') ? ('enabled' as const) : ('disabled' as const);
  const change = {
    ...readFields(given),
    ...(given.has('on') || given.has('off') ? { status } : {}),
  };
  if (Object.keys(change).length === 0)
    throw usageError('Give what to change: --url, --event, --description, --on or --off.');
  return change;
}

const showEndpoint = async (endpoint: WebhookEndpoint): Promise<CommandResult> => ({
  json: endpoint,
  lines: await formatFields([
    ['Endpoint', endpoint.id],
    ['URL', endpoint.url],
    ['Mode', endpoint.mode],
    ['Status', endpoint.status],
    ['Disabled because', endpoint.disabledReason],
    ['Failing since', endpoint.failingSince],
    ['Events', endpoint.events.join(' ')],
    ['Description', endpoint.description],
    ['Old secret until', endpoint.previousSecretUntil],
    ['Created', endpoint.createdAt],
  ]),
});

/** Prints only the secret on standard output, so that it can be piped. */
const newSecret = (endpoint: NewWebhookEndpoint, note: string): CommandResult => ({
  json: endpoint,
  lines: [endpoint.secret],
  notes: [note, 'This is its signing secret. It is not shown again.'],
});

const list = clientCommand({
  name: 'webhooks endpoints list',
  summary: 'List the webhook endpoints, newest first',
  examples: ['webhooks endpoints list', 'webhooks endpoints list --json'],
  run: async ({ client, terminal }) => {
    const page = await collect((page) => client.webhookEndpoints.list(page).page(), { max: maxEndpoints });
    const lines = await formatTable(page.data, columns, terminal.width);
    return { json: page, lines: page.data.length > 0 ? lines : ['No endpoints.'] };
  },
});

const create = clientCommand({
  name: 'webhooks endpoints create',
  summary: 'Create a webhook endpoint, and print its signing secret; it is not shown again',
  options: [{ name: 'url', value: 'URL', help: urlHelp, isRequired: true }, ...fieldOptions],
  details: 'Without --event it gets every event. Only the secret goes to standard output.',
  examples: [
    'webhooks endpoints create --url https://shop.example/hooks/paylink',
    'webhooks endpoints create --url https://shop.example/hooks/paylink --event payment.paid --event payment.failed',
  ],
  run: async ({ client, given }) => {
    const created = await client.webhookEndpoints.create({
      events: ['*'],
      ...readFields(given),
      url: given.required('url'),
    });
    return newSecret(created, `Created the endpoint ${created.id}.`);
  },
});

const get = clientCommand({
  name: 'webhooks endpoints get',
  summary: 'Show a webhook endpoint',
  arguments: [endpointId],
  examples: [`webhooks endpoints get ${exampleId}`],
  run: async ({ client, given }) =>
    await showEndpoint(await client.webhookEndpoints.get(given.argument('ENDPOINT_ID'))),
});

const update = clientCommand({
  name: 'webhooks endpoints update',
  summary: 'Change a webhook endpoint, or switch it on or off',
  details: 'Everything else stays the same. The events of --event replace the earlier ones.',
  arguments: [endpointId],
  options: [
    { name: 'url', value: 'URL', help: urlHelp },
    ...fieldOptions,
    { name: 'on', help: 'send webhooks, also those that were kept while it was off' },
    { name: 'off', help: 'send no webhooks, and keep them' },
  ],
  examples: [
    `webhooks endpoints update ${exampleId} --off`,
    `webhooks endpoints update ${exampleId} --event payment.paid --event refund.succeeded`,
  ],
  check: (given) => void readChange(given),
  run: async ({ client, given }) =>
    await showEndpoint(
      await client.webhookEndpoints.update(given.argument('ENDPOINT_ID'), readChange(given)),
    ),
});

const remove = clientCommand({
  name: 'webhooks endpoints delete',
  summary: 'Delete a webhook endpoint; what was not delivered yet is not sent',
  details: 'On a terminal it asks for confirmation. Without one, it needs --yes.',
  arguments: [endpointId],
  options: [yesOption],
  examples: [`webhooks endpoints delete ${exampleId} --yes`],
  check: (given, context) => requireConfirmable(given, context, 'delete a webhook endpoint'),
  run: async (call) => {
    const { client, given } = call;
    const id = given.argument('ENDPOINT_ID');
    await confirm(given, call, async () => {
      const { url } = await client.webhookEndpoints.get(id);
      return `Delete the endpoint ${id} for ${url}?`;
    });
    const deleted = await client.webhookEndpoints.remove(id);
    return { json: deleted, lines: [`Deleted the endpoint ${deleted.id}.`] };
  },
});

const readOverlap = (given: ParsedArguments) => readCount(given, 'overlap', { min: 0, max: 168 });

const roll = clientCommand({
  name: 'webhooks endpoints roll',
  summary: 'Replace the signing secret of a webhook endpoint; the old one also signs for a while',
  arguments: [endpointId],
  options: [
    { name: 'overlap', value: 'HOURS', help: 'how long the old one also signs, 0 to 168; default: 24' },
  ],
  examples: [`webhooks endpoints roll ${exampleId} --overlap 48`],
  check: (given) => void readOverlap(given),
  run: async ({ client, given }) => {
    const overlapHours = readOverlap(given);
    const rolled = await client.webhookEndpoints.rollSecret(
      given.argument('ENDPOINT_ID'),
      overlapHours === undefined ? {} : { overlapHours },
    );
    const until = rolled.previousSecretUntil;
    return newSecret(rolled, `The old secret ${until ? `also signs until ${until}` : 'no longer signs'}.`);
  },
});

const test = clientCommand({
  name: 'webhooks endpoints test',
  summary: 'Send a test message to a webhook endpoint',
  details: 'See what became of it with "webhooks deliveries get".',
  arguments: [endpointId],
  examples: [`webhooks endpoints test ${exampleId}`],
  run: async ({ client, given }) => {
    const delivery = await client.webhookEndpoints.test(given.argument('ENDPOINT_ID'));
    return { json: delivery, lines: [delivery.deliveryId], notes: [`Sending ${delivery.type}.`] };
  },
});

const resend = clientCommand({
  name: 'webhooks endpoints resend',
  summary: 'Send the webhooks of an endpoint again, from a time on',
  arguments: [endpointId],
  options: [
    { name: 'since', value: 'TIME', help: 'only events at this time or later (RFC 3339)', isRequired: true },
  ],
  examples: [`webhooks endpoints resend ${exampleId} --since 2026-11-20T00:00:00Z`],
  run: async ({ client, given }) => {
    const id = given.argument('ENDPOINT_ID');
    const result = await client.webhookEndpoints.resendSince(id, given.required('since'));
    return { json: result, lines: [`Sending ${result.count} deliveries again.`] };
  },
});

export const webhookCommands: readonly Command[] = [
  ...[list, create, get, update, remove, roll, test, resend],
  ...deliveryCommands,
];
