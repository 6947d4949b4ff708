// `paylink events tail`, for short `paylink tail`: the public events as they happen, one line each.

import { openClient } from './client.ts';
import type { Command } from './command.ts';
import { exitCodes } from './command-error.ts';
import { followEvents, followOptions } from './follow.ts';
import { profileOption } from './session.ts';
import { stripControlCharacters } from './terminal.ts';

const tail: Command = {
  name: 'events tail',
  summary: 'Print each event as it happens',
  details:
    'If the service is unavailable, it waits and continues from the same event. At the end it prints how to\n' +
    'continue. With --json it prints one event per line.',
  options: [
    ...followOptions,
    { name: 'once', help: 'print the events since --after or the start, and exit' },
    profileOption,
  ],
  examples: ['events tail', 'events tail --after start --once --type payment.paid --json'],
  run: async (context, given) => {
    const { terminal } = context;
    const client = await openClient(context, given, { runsLong: true });
    await followEvents(client, terminal, {
      given,
      isOnce: given.has('once'),
      handle: async (event) => {
        const { createdAt, type, paymentLinkCode, eventId, data } = event;
        const rest = [paymentLinkCode ?? '-', eventId, JSON.stringify(data)].map(stripControlCharacters);
        const line = [createdAt, terminal.paint('bold', stripControlCharacters(type)), ...rest].join('  ');
        terminal.print(terminal.isJson ? JSON.stringify(event) : line);
      },
    });
    return exitCodes.ok;
  },
};

/** The same under a short name. */
const shortTail: Command = {
  ...tail,
  name: 'tail',
  examples: ["tail --type 'payment.*'"],
};

export const eventCommands: readonly Command[] = [tail, shortTail];
