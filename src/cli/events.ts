// `paylink events tail`: the public events as they happen, one line each.

import { openClient } from './client.ts';
import type { Command } from './command.ts';
import { exitCodes } from './fault.ts';
import { type FeedProgress, followEvents, followOptions } from './follow.ts';
import { profileOption } from './session.ts';
import { stripControlCharacters } from './terminal.ts';

const tail: Command = {
  name: 'events tail',
  summary: 'Print each event as it happens',
  details:
    'It waits for a service that is away, and goes on where it was. When it ends it says how to go on\n' +
    'from there. With --json: one event a line.',
  options: [
    ...followOptions,
    { name: 'once', help: 'print what there is, from --after or the start, and end' },
    profileOption,
  ],
  examples: ['events tail', 'events tail --after start --once --type payment.paid --json'],
  run: async (context, given) => {
    const { terminal } = context;
    const client = await openClient(context, given, { runsLong: true });
    const place: FeedProgress = { cursor: undefined };
    try {
      await followEvents(client, terminal, {
        given,
        place,
        isOnce: given.has('once'),
        handle: async (event) => {
          const { createdAt, type, PaymentLinkCode, id, data } = event;
          const parts = [
            createdAt,
            terminal.paint('bold', type),
            PaymentLinkCode ?? '-',
            id,
            JSON.stringify(data),
          ];
          terminal.print(
            terminal.isJson
              ? JSON.stringify(event)
              : parts.map((part, index) => (index === 1 ? part : stripControlCharacters(part))).join('  '),
          );
        },
      });
    } finally {
      if (place.cursor !== undefined)
        terminal.note(
          `Go on from here with: paylink events tail --after ${stripControlCharacters(place.cursor)}`,
        );
    }
    return exitCodes.ok;
  },
};

export const eventCommands: readonly Command[] = [tail];
