// `paylink logs`: the calls of the API that the request log has, and new ones as they come. Must not: print a call twice.

import { setTimeout as pause } from 'node:timers/promises';
import type { ApiRequest, RequestQuery } from '../../sdk/src/index.ts';
import { type CliClient, clientCommand, collect, isTransient, openClient, toCommandError } from './client.ts';
import { type Command, type CommandContext, fieldsOf, type ParsedArguments, readCount } from './command.ts';
import { exitCodes } from './command-error.ts';
import { type Column, formatFields, formatTable } from './table.ts';
import { stripControlCharacters, type Terminal } from './terminal.ts';

const filters = {
  response: 'status',
  method: 'method',
  path: 'path',
  key: 'keyId',
  request: 'requestId',
  from: 'createdFrom',
  to: 'createdTo',
} as const;

const readLimit = (given: ParsedArguments) => readCount(given, 'limit', { min: 1, max: 999_999 }) ?? 25;

/** The service checks the values. */
const readQuery = (given: ParsedArguments) => fieldsOf(given, filters) as RequestQuery;

const addressOf = ({ path, query }: ApiRequest) => (query === null ? path : `${path}?${query}`);

const columns: readonly Column<ApiRequest>[] = [
  { title: 'TIME', text: ({ createdAt }) => createdAt.slice(0, 19).replace('T', ' ') },
  { title: 'STATUS', text: ({ status }) => String(status) },
  { title: 'MS', isRight: true, text: ({ durationMs }) => String(durationMs) },
  { title: 'METHOD', text: ({ method }) => method },
  { title: 'PATH', isShrinkable: true, text: addressOf },
  { title: 'ERROR', text: ({ errorCode }) => errorCode ?? '' },
  { title: 'KEY_ID', text: ({ keyId }) => keyId ?? 'dashboard' },
  { title: 'REQUEST_ID', text: ({ requestId }) => requestId },
];

const pollMs = 2_000;
/** A call appears after its end at the place of its beginning: a wait for events takes 30 seconds. */
const overlapMs = 40_000;

/** Of the calls of the last seconds, which may come again. */
const maxRemembered = 10_000;

type Follower = { client: CliClient; query: RequestQuery; seen: Set<string>; from: string | undefined };

const nameOf = ({ requestId, createdAt }: ApiRequest) => `${requestId} ${createdAt}`;

/** The calls that were not returned before, oldest first. */
async function readNew(follower: Follower, signal: AbortSignal): Promise<ApiRequest[]> {
  const { client, query, seen, from } = follower;
  const found: ApiRequest[] = [];
  const calls = client.requests.list(
    { ...query, limit: '100', ...(from === undefined ? {} : { createdFrom: from }) },
    { signal },
  );
  for await (const call of calls) if (!seen.has(nameOf(call))) found.push(call);
  for (const call of found) seen.add(nameOf(call));
  for (const name of seen) if (seen.size > maxRemembered) seen.delete(name);
  const [newest] = found;
  if (newest) follower.from = new Date(Date.parse(newest.createdAt) - overlapMs).toISOString();
  return found.toReversed();
}

/** The last call is where to begin; without one, the log is empty. */
async function beginAtLast(
  { client, query, seen }: Follower,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { data } = await client.requests.list({ ...query, limit: '100' }, { signal }).page();
  for (const call of data) seen.add(nameOf(call));
  const [newest] = data;
  return newest && new Date(Date.parse(newest.createdAt) - overlapMs).toISOString();
}

function printCall(terminal: Terminal, call: ApiRequest): void {
  const { createdAt, status, durationMs, method, errorCode, requestId } = call;
  const painted = terminal.paint(status < 400 ? 'green' : 'red', String(status));
  const rest = [method, addressOf(call), `${durationMs} ms`, errorCode ?? '-', requestId].map(
    stripControlCharacters,
  );
  const line = [createdAt, painted, ...rest].join('  ');
  terminal.print(terminal.isJson ? JSON.stringify(call) : line);
}

async function follow(context: CommandContext, given: ParsedArguments): Promise<void> {
  const { terminal } = context;
  const { signal } = terminal;
  const client = await openClient(context, given, { runsLong: true });
  const follower: Follower = {
    client,
    query: readQuery(given),
    seen: new Set(),
    from: given.text('from'),
  };
  follower.from ??= await beginAtLast(follower, signal);
  terminal.note('Following the request log. Press Ctrl-C to stop.');
  let isAvailable = true;
  while (!signal.aborted) {
    try {
      for (const call of await readNew(follower, signal)) printCall(terminal, call);
      if (!isAvailable) terminal.note('The service is available again.');
      isAvailable = true;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      const reported = toCommandError(error);
      if (isAvailable) terminal.note(`${reported instanceof Error ? reported.message : reported} Retrying…`);
      isAvailable = false;
    }
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

const listOnce = clientCommand({
  name: 'logs',
  summary: 'List the calls of the API, newest first, or follow them',
  details:
    'Calls are kept for 7 days. With --follow it prints new calls until you stop it, one a line, oldest first.',
  options: [
    { name: 'response', value: 'STATUS', help: 'only with this HTTP status, or of a class such as 4xx' },
    { name: 'method', value: 'METHOD', help: 'only with this method, such as POST' },
    { name: 'path', value: 'PATH', help: 'only if the path starts with this, such as /v1/payments' },
    { name: 'key', value: 'KEY_ID', help: 'only with the API key of this ID' },
    { name: 'request', value: 'REQUEST_ID', help: 'only the call with this request ID' },
    { name: 'from', value: 'TIME', help: 'only at this time or later' },
    { name: 'to', value: 'TIME', help: 'only before this time' },
    { name: 'limit', value: 'COUNT', help: 'the number of calls; default: 25' },
    { name: 'cursor', value: 'CURSOR', help: 'continue where an earlier list ended' },
    { name: 'follow', help: 'print new calls as they come' },
  ],
  examples: ['logs --response 4xx --limit 10', 'logs --follow --path /v1/payment --json'],
  check: (given) => void readLimit(given),
  run: async ({ client, given, terminal }) => {
    const query = readQuery(given);
    const page = await collect(
      ({ limit, cursor }) =>
        client.requests
          .list({ ...query, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) })
          .page(),
      { max: readLimit(given), cursor: given.text('cursor') },
    );
    return {
      json: page,
      lines: page.data.length > 0 ? await formatTable(page.data, columns, terminal.width) : ['No calls.'],
      notes: page.nextCursor ? [`There are more: --cursor ${page.nextCursor}`] : [],
    };
  },
});

const logs: Command = {
  ...listOnce,
  run: async (context, given) => {
    if (!given.has('follow')) return await listOnce.run(context, given);
    await follow(context, given);
    return exitCodes.ok;
  },
};

const show = clientCommand({
  name: 'logs show',
  summary: 'Show a call with its bodies, as far as the log shows them',
  arguments: [{ name: 'REQUEST_ID', help: 'the request ID, such as that of an error' }],
  examples: ['logs show req_01m7wf3wswavyweszg1v4e9mnn'],
  run: async ({ client, given }) => {
    const call = await client.requests.get(given.argument('REQUEST_ID'));
    const lines = await formatFields([
      ['Call', `${call.method} ${addressOf(call)}`],
      ['Status', call.errorCode === null ? call.status : `${call.status} ${call.errorCode}`],
      ['Time', call.createdAt],
      ['Duration', `${call.durationMs} ms`],
      ['Key ID', call.keyId ?? 'dashboard'],
      ['Actor', call.actor],
      ['Client', call.clientAddress],
      ['Repeated', call.idempotentReplayed ? 'the response is that of an earlier call' : null],
      ['Request', call.requestBody],
      ['Response', call.responseBody],
    ]);
    return { json: call, lines };
  },
});

export const logCommands: readonly Command[] = [logs, show];
