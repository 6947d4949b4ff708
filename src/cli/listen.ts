// `paylink listen`: posts the public events to a local program as signed webhooks, so that you can try webhooks
// without a public address. Must not: send events to any other address.

import { setTimeout as pause } from 'node:timers/promises';
import type { PaylinkEvent } from '../../sdk/src/index.ts';
import { type CliClient, openClient } from './client.ts';
import { type Command, type ParsedArguments, readCount } from './command.ts';
import { type Environment, exitCodes, usageError } from './command-error.ts';
import { readEntries, writeEntries } from './config-folder.ts';
import { type DeliveryResult, deliverLocally, newSigningSecret } from './deliver.ts';
import { followEvents, followOptions } from './follow.ts';
import { profileName, profileOption } from './session.ts';
import { stripControlCharacters, type Terminal } from './terminal.ts';

const fileName = 'signing-secrets.json';

/** The signing secret of a profile. It is created once and never changes. */
async function readSecret(env: Environment, profile: string): Promise<string> {
  const secrets = await readEntries<string>(env, fileName);
  const existing = Object.hasOwn(secrets, profile) ? secrets[profile] : undefined;
  if (existing) return existing;
  const secret = newSigningSecret();
  await writeEntries(env, fileName, { ...secrets, [profile]: secret });
  return secret;
}

const isDelivered = ({ status }: DeliveryResult) => status !== null && status >= 200 && status < 300;

const firstPauseMs = 500;

type ForwardTarget = { url: string; secret: string; retries: number };

/** The service writes a new message for each attempt, with a new timestamp. */
async function deliverWithRetries(
  client: CliClient,
  event: PaylinkEvent,
  target: ForwardTarget,
  signal: AbortSignal,
): Promise<DeliveryResult[]> {
  const deliveries: DeliveryResult[] = [];
  for (let retry = 0; retry <= target.retries && !signal.aborted; retry++) {
    if (retry > 0) await pause(firstPauseMs * 2 ** (retry - 1), undefined, { signal }).catch(() => undefined);
    const { url, secret } = target;
    const message = await client.webhookDeliveries.preview(event.eventId, { signal });
    const delivered = await deliverLocally(url, message, { secret, signal });
    deliveries.push(delivered);
    if (isDelivered(delivered)) break;
  }
  return deliveries;
}

function printDeliveries(
  terminal: Terminal,
  { id, type, createdAt }: PaylinkEvent,
  deliveries: readonly DeliveryResult[],
): void {
  for (const delivery of deliveries) {
    const { status, reason, tookMs } = delivery;
    const delivered = isDelivered(delivery);
    const outcome = stripControlCharacters(String(status ?? reason));
    const painted = terminal.paint(delivered ? 'green' : 'red', outcome);
    terminal.print(
      terminal.isJson
        ? JSON.stringify({ id, type, delivered, status, reason, tookMs })
        : `${createdAt}  ${stripControlCharacters(type)}  ${id}  → ${painted} in ${tookMs} ms`,
    );
  }
}

function parseTarget(given: ParsedArguments, secret: string): ForwardTarget {
  const url = given.required('forward-to');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(`--forward-to must be a URL such as http://localhost:4000/webhooks, not "${url}".`);
  return { url, secret, retries: readCount(given, 'retry', { min: 0, max: 99 }) ?? 0 };
}

const listen: Command = {
  name: 'listen',
  summary: 'Post each event to a local URL, as a signed webhook',
  details:
    'The URL receives the headers and the body that a webhook endpoint receives. The signing secret is printed\n' +
    'at the start; each profile has its own, which never changes. A failed delivery is reported, and retried\n' +
    'only with --retry.',
  options: [
    { name: 'forward-to', value: 'URL', help: 'the URL to post to', isRequired: true },
    { name: 'retry', value: 'COUNT', help: 'how often to retry a failed delivery; default: 0' },
    ...followOptions,
    profileOption,
  ],
  examples: [
    'listen --forward-to http://localhost:4000/webhooks',
    "listen --forward-to http://localhost:4000/webhooks --type 'payment.*' --retry 3",
  ],
  run: async (context, given) => {
    const { terminal, env } = context;
    parseTarget(given, '');
    const client = await openClient(context, given, { runsLong: true });
    const target = parseTarget(given, await readSecret(env, profileName(env, given.text('profile'))));
    terminal.note(`Signing secret: ${target.secret}`);
    terminal.note(`Posting events to ${stripControlCharacters(target.url)}.`);
    await followEvents(client, terminal, {
      given,
      isOnce: false,
      handle: async (event) =>
        printDeliveries(terminal, event, await deliverWithRetries(client, event, target, terminal.signal)),
    });
    return exitCodes.ok;
  },
};

export const listenCommands: readonly Command[] = [listen];
