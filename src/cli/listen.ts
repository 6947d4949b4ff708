// `paylink listen`: brings the public events to a program on one's own machine as signed webhooks, for
// trials without a public address. It must never send events elsewhere than to the named address.

import { setTimeout as pause } from 'node:timers/promises';
import type { PaylinkEvent } from '../../sdk/src/index.ts';
import { type Client, openClient } from './client.ts';
import type { Command, Given } from './command.ts';
import { readEntries, writeEntries } from './config-folder.ts';
import { type Delivered, deliver, newSigningSecret } from './deliver.ts';
import { type Environment, exitCodes, usageFault } from './fault.ts';
import { type Followed, followEvents, followOptions } from './follow.ts';
import { profileName, profileOption } from './session.ts';
import { plain, type Terminal } from './terminal.ts';

const fileName = 'signing-secrets.json';

/** The secret of a profile: made once, then always the same. */
async function readSecret(env: Environment, profile: string): Promise<string> {
  const secrets = await readEntries<string>(env, fileName);
  const standing = Object.hasOwn(secrets, profile) ? secrets[profile] : undefined;
  if (standing) return standing;
  const secret = newSigningSecret();
  await writeEntries(env, fileName, { ...secrets, [profile]: secret });
  return secret;
}

const hasArrived = ({ status }: Delivered) => status !== null && status >= 200 && status < 300;

const firstPauseMs = 500;

type Errand = { url: string; secret: string; retries: number };

/** Each attempt has a message of its own, made by the service for that moment. */
async function deliverWithRetries(
  client: Client,
  event: PaylinkEvent,
  errand: Errand,
  signal: AbortSignal,
): Promise<Delivered[]> {
  const tries: Delivered[] = [];
  for (let round = 0; round <= errand.retries && !signal.aborted; round++) {
    if (round > 0) await pause(firstPauseMs * 2 ** (round - 1), undefined, { signal }).catch(() => undefined);
    const { url, secret } = errand;
    const message = await client.webhookDeliveries.preview(event.id, { signal });
    const delivered = await deliver(url, message, { secret, signal });
    tries.push(delivered);
    if (hasArrived(delivered)) break;
  }
  return tries;
}

function tell(terminal: Terminal, event: PaylinkEvent, tries: readonly Delivered[]): void {
  for (const delivered of tries) {
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
    const outcome = terminal.paint(hasArrived(delivered) ? 'green' : 'red', plain(String(status ?? reason)));
    terminal.print(`${event.createdAt}  ${plain(event.type)}  ${event.id}  → ${outcome} in ${tookMs} ms`);
  }
}

function readErrand(given: Given, secret: string): Errand {
  const url = given.required('forward-to');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageFault(`--forward-to must be an address like http://localhost:4000/webhooks, not "${url}".`);
  const retries = given.text('retry') ?? '0';
  if (!/^\d{1,2}$/.test(retries))
    throw usageFault(`--retry must be a number from 0 to 99, not "${retries}".`);
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
    readErrand(given, '');
    const client = await openClient(context, given, { runsLong: true });
    const errand = readErrand(given, await readSecret(env, profileName(env, given.text('profile'))));
    terminal.note(`Signing secret: ${errand.secret}`);
    terminal.note(`Posting events to ${plain(errand.url)}.`);
    const place: Followed = { cursor: undefined };
    try {
      await followEvents(client, terminal, {
        given,
        place,
        isOnce: false,
        handle: async (event) =>
          tell(terminal, event, await deliverWithRetries(client, event, errand, terminal.signal)),
      });
    } finally {
      if (place.cursor !== undefined) terminal.note(`Go on from here with: --after ${plain(place.cursor)}`);
    }
    return exitCodes.ok;
  },
};

export const listenCommands: readonly Command[] = [listen];
