// `paylink listen`: brings the public events to a program on one's own machine as signed webhooks, for
// trials without a public address. It must never send events elsewhere than to the named address.

import { setTimeout as pause } from 'node:timers/promises';
import type { PaylinkEvent } from '../../sdk/src/index.ts';
import { type CliClient, openClient } from './client.ts';
import type { Command, ParsedArguments } from './command.ts';
import { readEntries, writeEntries } from './config-folder.ts';
import { type DeliveryResult, deliverLocally, newSigningSecret } from './deliver.ts';
import { type Environment, exitCodes, usageError } from './fault.ts';
import { type FeedProgress, followEvents, followOptions } from './follow.ts';
import { profileName, profileOption } from './session.ts';
import { stripControlCharacters, type Terminal } from './terminal.ts';

const fileName = 'signing-secrets.json';

/** The secret of a profile: made once, then always the same. */
async function readSecret(env: Environment, profile: string): Promise<string> {
  const secrets = await readEntries<string>(env, fileName);
  const existing = Object.hasOwn(secrets, profile) ? secrets[profile] : undefined;
  if (existing) return existing;
  const secret = newSigningSecret();
  await writeEntries(env, fileName, { ...secrets, [profile]: secret });
  return secret;
}

const hasArrived = ({ status }: DeliveryResult) => status !== null && status >= 200 && status < 300;

const firstPauseMs = 500;

type ForwardTarget = { url: string; secret: string; retries: number };

/** Each attempt has a message of its own, made by the service for that moment. */
async function deliverWithRetries(
  client: CliClient,
  event: PaylinkEvent,
  target: ForwardTarget,
  signal: AbortSignal,
): Promise<DeliveryResult[]> {
  const deliveries: DeliveryResult[] = [];
  for (let round = 0; round <= target.retries && !signal.aborted; round++) {
    if (round > 0) await pause(firstPauseMs * 2 ** (round - 1), undefined, { signal }).catch(() => undefined);
    const { url, secret } = target;
    const message = await client.webhookDeliveries.preview(event.id, { signal });
    const delivered = await deliverLocally(url, message, { secret, signal });
    deliveries.push(delivered);
    if (hasArrived(delivered)) break;
  }
  return deliveries;
}

function printDeliveries(
  terminal: Terminal,
  event: PaylinkEvent,
  deliveries: readonly DeliveryResult[],
): void {
  for (const delivered of deliveries) {
    const { status, reason, tookMs } = delivered;
    if (terminal.isJson) {
      terminal.print(
        JSON.stringify({
          id: event.id,
          type: event.type,
          delivered: hasArrived(delivered),
          status,
          reason,
          tookMs,
        }),
      );
      continue;
    }
    const outcome = terminal.paint(
      hasArrived(delivered) ? 'green' : 'red',
      stripControlCharacters(String(status ?? reason)),
    );
    terminal.print(
      `${event.createdAt}  ${stripControlCharacters(event.type)}  ${event.id}  → ${outcome} in ${tookMs} ms`,
    );
  }
}

function parseTarget(given: ParsedArguments, secret: string): ForwardTarget {
  const url = given.required('forward-to');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(`--forward-to must be an address like http://localhost:4000/webhooks, not "${url}".`);
  const retries = given.text('retry') ?? '0';
  if (!/^\d{1,2}$/.test(retries))
    throw usageError(`--retry must be a number from 0 to 99, not "${retries}".`);
  return { url, secret, retries: Number(retries) };
}

const listen: Command = {
  name: 'listen',
  summary: 'Post each event to a local address, as a signed webhook',
  details:
    'The address receives the same headers and the same body as a webhook endpoint. The signing secret is printed\n' +
    'at the start; it is made once for a profile and stays the same. A delivery that fails is reported and not\n' +
    'repeated, unless --retry says how often to try again.',
  options: [
    { name: 'forward-to', value: 'URL', help: 'where to post to', isRequired: true },
    { name: 'retry', value: 'COUNT', help: 'how often to try a failed delivery again; 0 without it' },
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
    const progress: FeedProgress = { cursor: undefined };
    try {
      await followEvents(client, terminal, {
        given,
        place: progress,
        isOnce: false,
        handle: async (event) =>
          printDeliveries(terminal, event, await deliverWithRetries(client, event, target, terminal.signal)),
      });
    } finally {
      if (progress.cursor !== undefined)
        terminal.note(`Go on from here with: --after ${stripControlCharacters(progress.cursor)}`);
    }
    return exitCodes.ok;
  },
};

export const listenCommands: readonly Command[] = [listen];
