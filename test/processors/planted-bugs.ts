// Mistakes that an adapter could make, each planted in a sound one, with the guarantee of the contract that
// has to break. They stand here and nowhere in the product.

import { newId } from '../../src/base/ids.ts';
import type {
  AttemptOutcome,
  Processor,
  ProcessorConnection,
  ProcessorKind,
  ProcessorWebhookRequest,
} from '../../src/processors/processor.ts';

export type Plant = {
  bug: string;
  spoil: (kind: ProcessorKind) => ProcessorKind;
  /** The title of a guarantee that must not hold any more. */
  caughtBy: string;
};

/** A kind whose processors differ in some of their calls. */
function spoilProcessor(
  spoil: (processor: Processor, connection: ProcessorConnection) => Partial<Processor>,
): Plant['spoil'] {
  return (kind) => ({
    ...kind,
    connect: (connection) => {
      const processor = kind.connect(connection);
      return { ...processor, ...spoil(processor, connection) };
    },
  });
}

const neverFires = () => new AbortController().signal;

const beginning: readonly Plant[] = [
  {
    bug: 'each request to begin goes out under a key of its own',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) =>
        authorise({ ...request, attemptId: newId('att', request.createdAt) }, signal),
    })),
    caughtBy: 'asked twice under one attempt, it begins once and charges once',
  },
  {
    bug: 'the amount goes through a number of whole euros',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) =>
        authorise({ ...request, amountMinor: Math.round(request.amountMinor / 100) * 100 }, signal),
    })),
    caughtBy: 'exactly what was asked for is charged, in every currency, 0.01 and 10,000,000.00 included',
  },
  {
    bug: 'every currency is taken for euros',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) => authorise({ ...request, currency: 'EUR' }, signal),
    })),
    caughtBy: 'exactly what was asked for is charged, in every currency, 0.01 and 10,000,000.00 included',
  },
  {
    bug: 'the customer who turns back is sent where those who paid go',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) => authorise({ ...request, cancelUrl: request.returnUrl }, signal),
    })),
    caughtBy: 'a customer who turns back comes to the cancel address and is charged nothing',
  },
  {
    bug: 'a session is begun for a day, however soon it has to end',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) =>
        authorise({ ...request, expiresAt: new Date(request.createdAt.getTime() + 86_400_000) }, signal),
    })),
    caughtBy: 'a session ends at the moment that was asked for, and the customer can pay no more',
  },
  {
    bug: 'an exception while an attempt begins is taken for a processor that is down',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: async (request, signal) =>
        await authorise(request, signal).catch(
          (): AttemptOutcome => ({ kind: 'unavailable', why: 'it failed' }),
        ),
    })),
    caughtBy: 'half of an answer, where an attempt is begun, throws, and asked later it tells the truth',
  },
  {
    bug: 'a time-out while an attempt begins is taken for a decline',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: async (request, signal) =>
        await authorise(request, signal).catch((error: unknown): AttemptOutcome => {
          if (!signal.aborted) throw error;
          return { kind: 'declined', reference: request.attemptId, code: 'processing_error' };
        }),
    })),
    caughtBy: 'silence, where an attempt is begun, throws, and asked later it tells the truth',
  },
  {
    bug: 'one that cannot be reached is not known to have begun nothing',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: async (request, signal) => {
        const outcome = await authorise(request, signal);
        if (outcome.kind === 'unavailable') throw new Error(outcome.why);
        return outcome;
      },
    })),
    caughtBy: 'a processor that cannot be reached is unavailable, and nothing was begun there',
  },
  {
    bug: 'an error tells the key that the call was made with',
    spoil: spoilProcessor(({ authorise }, { credentials }) => ({
      authorise: async (request, signal) =>
        await authorise(request, signal).catch((cause: unknown) => {
          throw new Error(`no answer for ${credentials.apiKey}`, { cause });
        }),
    })),
    caughtBy: 'a 500 that was done, where an attempt is begun, throws, and asked later it tells the truth',
  },
  {
    bug: 'the signal is not passed on',
    spoil: spoilProcessor(({ query }) => ({ query: (request) => query(request, neverFires()) })),
    caughtBy: 'every call stops when its signal fires',
  },
];

const asking: readonly Plant[] = [
  {
    bug: 'an attempt that it never heard of is called declined',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) =>
        (await query(request, signal)) ?? {
          kind: 'declined',
          reference: request.attemptId,
          code: 'processing_error',
        },
    })),
    caughtBy: 'asked about an attempt that was never begun, it says so, and moves no money',
  },
  {
    bug: 'an exception while it is asked is taken for "never heard of it"',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) => await query(request, signal).catch(() => null),
    })),
    caughtBy: 'no question is answered by a processor that is down: each throws',
  },
  {
    bug: 'a question takes the money of whoever has agreed',
    spoil: spoilProcessor(({ query, capture }) => ({
      query: async (request, signal) => {
        const said = await query(request, signal);
        return said?.kind === 'approved' ? await capture(request, signal) : said;
      },
    })),
    caughtBy: 'asking moves no money, however often, even when the customer has agreed',
  },
  {
    bug: 'an attempt is found by its reference alone',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) => (request.processorReference ? await query(request, signal) : null),
    })),
    caughtBy:
      'a connection lost before any answer, where an attempt is begun, throws, and asked later it tells the truth',
  },
  {
    bug: 'giving up is said to have worked without asking',
    spoil: spoilProcessor(() => ({ cancel: async () => ({ kind: 'void' }) })),
    caughtBy: 'an attempt that was given up while it waited for the customer takes no money afterwards',
  },
  {
    bug: 'giving up takes the money of whoever has agreed',
    spoil: spoilProcessor(({ query, cancel, capture }) => ({
      cancel: async (request, signal) => {
        const said = await query(request, signal);
        return said?.kind === 'approved' ? await capture(request, signal) : await cancel(request, signal);
      },
    })),
    caughtBy: 'an attempt that the customer has agreed to and that is given up then takes no money',
  },
  {
    bug: 'giving up uses no key up that was never begun',
    spoil: spoilProcessor(({ query, cancel }) => ({
      cancel: async (request, signal) =>
        (await query(request, signal)) === null ? { kind: 'void' } : await cancel(request, signal),
    })),
    caughtBy: 'an attempt that was given up before it was begun can never charge, even when it is begun late',
  },
];

const money: readonly Plant[] = [
  {
    bug: 'each request for a refund goes out under a key of its own',
    spoil: spoilProcessor(({ refund }) => ({
      refund: async (request, signal) => {
        const said = await refund({ ...request, refundId: newId('ref', new Date()) }, signal).catch(
          () => null,
        );
        return said ?? (await refund(request, signal));
      },
    })),
    caughtBy: 'asked twice, and ten times at once, under one refund id, money goes back once',
  },
  {
    bug: 'a refund that is refused is said to have been made',
    spoil: spoilProcessor(({ refund }) => ({
      refund: async (request, signal) => {
        const { reference } = await refund(request, signal);
        const { amountMinor, currency } = request;
        return { kind: 'succeeded', reference, amountMinor, currency };
      },
    })),
    caughtBy: 'more than was taken is refused as a value, and nothing goes back',
  },
  {
    bug: 'money that is on its way is said to be there',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) => {
        const said = await query(request, signal);
        if (said?.kind !== 'processing') return said;
        const { amountMinor, currency } = request;
        return { kind: 'succeeded', reference: said.reference, amountMinor, currency };
      },
    })),
    caughtBy:
      'a customer who has paid counts as paid only when the money is there, in every state on the way',
  },
  {
    bug: 'a response about another attempt is believed',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) =>
        await query(request, signal).catch((): AttemptOutcome => {
          const { amountMinor, currency, attemptId: reference } = request;
          return { kind: 'succeeded', reference, amountMinor, currency };
        }),
    })),
    caughtBy: 'a response about another payment is no outcome, whichever mark differs',
  },
  {
    bug: 'the list ends after its first page',
    spoil: spoilProcessor(({ list }) => ({
      list: async (request, signal) => ({ ...(await list(request, signal)), nextCursor: null }),
    })),
    caughtBy: 'the list has every charge and refund once, across its pages, and nothing that did not happen',
  },
  {
    bug: 'the list of a span is the list of all times',
    spoil: spoilProcessor(({ list }) => ({
      list: (request, signal) => list({ ...request, from: new Date(0) }, signal),
    })),
    caughtBy: 'the list has what moved in its span, and neither what moved before nor what moved after',
  },
  {
    bug: 'the list names a refund by the key of its charge',
    spoil: spoilProcessor(({ list }) => ({
      list: async (request, signal) => {
        const page = await list(request, signal);
        const movements = page.movements.map((moved) =>
          moved.kind === 'refund' ? { ...moved, key: moved.reference } : moved,
        );
        return { ...page, movements };
      },
    })),
    caughtBy: 'the list has every charge and refund once, across its pages, and nothing that did not happen',
  },
];

/** A kind that takes a connection's notices as `change` makes them. */
function spoilNotices(
  change: (arrived: ProcessorWebhookRequest, connection: ProcessorConnection) => ProcessorWebhookRequest,
): Plant['spoil'] {
  return (kind) => ({
    ...kind,
    readNotice: async (connection, arrived, signal) => {
      if (!kind.readNotice) throw new Error('it has no webhooks to spoil');
      return await kind.readNotice(connection, change(arrived, connection), signal);
    },
  });
}

const settings: readonly Plant[] = [
  {
    bug: 'its name does not fit into an address',
    spoil: (kind) => ({ ...kind, name: `${kind.name} & Co.` }),
    caughtBy: 'it describes itself: a name fit for addresses, a title, its modes, currencies and fields',
  },
  {
    bug: 'it tells nobody whose account it is',
    spoil: (kind) => ({ ...kind, check: async () => ({ kind: 'good', holder: '', account: '' }) }),
    caughtBy: 'credentials that hold are called good, with the name of whose account it is',
  },
  {
    bug: 'a webhook is said to be of whichever connection was asked',
    spoil: (kind) => ({
      ...kind,
      readNotice: async (connection, arrived, signal) => {
        const said = await kind.readNotice?.(connection, arrived, signal);
        if (said?.kind !== 'news') return said ?? { kind: 'forged', why: '' };
        const { connectionId } = connection;
        return { ...said, news: said.news.map((news) => ({ ...news, connectionId })) };
      },
    }),
    caughtBy: 'a webhook about an attempt of another connection to the same account does not name this one',
  },
  {
    bug: 'no credentials are ever bad',
    spoil: (kind) => ({
      ...kind,
      check: async () => ({ kind: 'good', holder: 'Somebody', account: 'somebody' }),
    }),
    caughtBy: 'credentials that do not hold are called bad, each by its field',
  },
  {
    bug: 'credentials that could not be checked are called bad',
    spoil: (kind) => ({
      ...kind,
      check: async (connection, signal) =>
        await kind.check(connection, signal).catch(() => ({ kind: 'bad', faults: [] })),
    }),
    caughtBy: 'credentials that nobody could check are neither good nor bad: it throws',
  },
  {
    bug: 'the mode of a connection is not looked at',
    spoil: (kind) => ({
      ...kind,
      check: (connection, signal) => kind.check({ ...connection, mode: 'test' }, signal),
    }),
    caughtBy: 'credentials of the test mode are no good in live mode',
  },
  {
    bug: 'a webhook may be of any age',
    spoil: spoilNotices((arrived) => ({
      ...arrived,
      now: new Date(Number(arrived.headers['x-sample-time'] ?? 0)),
    })),
    caughtBy: 'a webhook is forged when it is too old, or of tomorrow',
  },
  {
    bug: 'a webhook without a signature is read as one that nobody could verify, and believed',
    spoil: (kind) => ({
      ...kind,
      readNotice: async (connection, arrived, signal) => {
        if (arrived.headers['x-sample-signature'] || !kind.readNotice)
          return (await kind.readNotice?.(connection, arrived, signal)) ?? { kind: 'forged', why: '' };
        return { kind: 'irrelevant', noticeId: 'unsigned' };
      },
    }),
    caughtBy: 'a webhook is forged without its signature, and with any other',
  },
  {
    bug: 'a webhook that comes again gets another id',
    spoil: (kind) => ({
      ...kind,
      readNotice: async (connection, arrived, signal) => {
        const said = await kind.readNotice?.(connection, arrived, signal);
        if (said?.kind !== 'news') return said ?? { kind: 'forged', why: '' };
        return { ...said, noticeId: newId('evt', new Date()) };
      },
    }),
    caughtBy: 'a webhook that comes again is read the same, so that it can be told from a new one',
  },
];

export const plants: readonly Plant[] = [...beginning, ...asking, ...money, ...settings];
