// `paylink get|post|put|patch|delete PATH`: any request to the API. Must not: send the credentials to another address.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openClient, reasonOf } from './client.ts';
import type { Command, CommandContext, OptionSpec, ParsedArguments } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { parseExactJson } from './exact-json.ts';
import { bodyFieldOption, queryFieldOption, readBodyFields, readQueryFields } from './request-fields.ts';
import { profileOption } from './session.ts';
import { escapeControlCharacters, stripControlCharacters, type Terminal } from './terminal.ts';

const pathArgument = { name: 'PATH', help: 'the path, such as /v1/payments' };
const dataOption: OptionSpec = {
  name: 'data',
  value: 'JSON',
  help: 'the body as JSON; @FILE reads it from a file, - from standard input',
};
const keyOption: OptionSpec = {
  name: 'idempotency-key',
  value: 'KEY',
  help: 'default: a new key, which is printed',
};

function readPath(given: ParsedArguments): string {
  const path = given.argument('PATH');
  if (!/^\/[^\s#\\]*$/.test(path))
    throw usageError(`PATH must be a path of the service, such as /v1/payments, not "${path}".`);
  return path;
}

async function readData(given: ParsedArguments, { terminal }: CommandContext): Promise<unknown> {
  const data = given.text('data');
  if (data === undefined) return readBodyFields(given);
  if (given.has('field')) throw usageError('Give the body with --data or with -d, not with both.');
  if (data === '-') return parseExactJson(await terminal.readAll(), 'Standard input');
  if (!data.startsWith('@')) return parseExactJson(data, '--data');
  const file = data.slice(1);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(`${file} could not be read (${reasonOf(error)}).`);
  });
  return parseExactJson(text, file);
}

const isText = (type: string) => /^text\/|[/+](json|xml)\b|ndjson/.test(type);

/** JSON on several lines, other text as it is. A terminal never gets a control character of it. */
async function printResponse(response: Response, terminal: Terminal): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type) || response.status === 204) {
    const text = await response.text();
    const json: unknown = text === '' ? null : JSON.parse(text);
    terminal.report({ json, lines: [escapeControlCharacters(JSON.stringify(json, null, 2))] });
    return;
  }
  const what = stripControlCharacters(type);
  if (terminal.isJson)
    throw new CommandError(exitCodes.found, `The response is ${what}, not JSON: leave --json out.`);
  if (terminal.isOutputTerminal && !isText(type))
    throw new CommandError(exitCodes.found, `The response is ${what}: redirect it to a file.`);
  if (terminal.isOutputTerminal)
    terminal.print((await response.text()).split(/\r?\n/).map(stripControlCharacters).join('\n'));
  else for await (const chunk of response.body ?? []) await terminal.write(chunk);
}

type Row = { method: string; summary: string; examples: readonly string[] };

function rawCommand({ method, summary, examples }: Row): Command {
  const hasBody = ['post', 'put', 'patch'].includes(method);
  const isPost = method === 'post';
  return {
    name: method,
    summary,
    details: hasBody
      ? 'It prints the response. The body comes from --data, or from the fields of -d: reason=TEXT is text,\n' +
        'amount:=5 is a number, metadata[cart]=7 is a field in an object, and events[]=TYPE adds to a list.'
      : 'It prints the response: JSON in lines, anything else unchanged.',
    arguments: [pathArgument],
    options: [
      ...(hasBody ? [dataOption, bodyFieldOption] : [queryFieldOption]),
      ...(isPost ? [keyOption] : []),
      profileOption,
    ],
    examples,
    run: async (context, given) => {
      const { terminal } = context;
      const path = readPath(given);
      const query = hasBody ? {} : readQueryFields(given);
      if (path.includes('?') && Object.keys(query).length > 0)
        throw usageError('Give the query in PATH or with -d, not with both.');
      const body = hasBody ? await readData(given, context) : undefined;
      const client = await openClient(context, given);
      const idempotencyKey = given.text('idempotency-key') ?? randomUUID();
      if (isPost) terminal.note(`Idempotency-Key: ${stripControlCharacters(idempotencyKey)}`);
      const response = await client.rawRequest(method, path, { query, body }, { idempotencyKey });
      await printResponse(response, terminal);
      return exitCodes.ok;
    },
  };
}

const code = 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE';

export const rawCommands: readonly Command[] = [
  rawCommand({
    method: 'get',
    summary: 'Send a GET request to the API',
    examples: [`get /v1/payments/${code}`, 'get /v1/payments -d status=paid -d limit=5'],
  }),
  rawCommand({
    method: 'post',
    summary: 'Send a POST request to the API',
    examples: [
      `post /v1/payments/${code}/refunds -d amount:=5 -d "reason=one cup broke"`,
      'post /v1/payment/process --data @order.json --idempotency-key order-1001',
    ],
  }),
  rawCommand({
    method: 'put',
    summary: 'Send a PUT request to the API',
    examples: [
      `put /v1/processor-connection-order --data '{"connectionIds":["con_3f7k2m9qyt5wp0hyx8c4bn2d"]}'`,
    ],
  }),
  rawCommand({
    method: 'patch',
    summary: 'Send a PATCH request to the API',
    examples: [`patch /v1/payments/${code} -d metadata[cart]=7`],
  }),
  rawCommand({
    method: 'delete',
    summary: 'Send a DELETE request to the API',
    examples: ['delete /v1/webhook-endpoints/whe_01m7wf3wswavyweszg1v4e9mnn'],
  }),
];
