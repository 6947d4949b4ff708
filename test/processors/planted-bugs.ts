// Bugs that an adapter could have, each with the guarantee that must detect it.

import { newId } from '../../src/base/ids.ts';
import type {
  AttemptOutcome,
  Processor,
  ProcessorConnection,
  ProcessorKind,
} from '../../src/processors/processor.ts';

export type Plant = {
  bug: string;
  spoil: (kind: ProcessorKind) => ProcessorKind;
  /** The title of a guarantee that the bug must break. */
  caughtBy: string;
};

/** A kind whose processors have some calls replaced. */
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
    bug: 'each authorise request has its own key',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) =>
        authorise({ ...request, attemptId: newId('att', request.createdAt) }, signal),
    })),
    caughtBy: 'authorising one attempt twice starts it once and charges once',
  },
  {
    bug: 'the amount is rounded to whole euros',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) =>
        authorise({ ...request, amountMinor: Math.round(request.amountMinor / 100) * 100 }, signal),
    })),
    caughtBy: 'exactly the requested amount is charged, in every currency, including 0.01 and 10,000,000.00',
  },
  {
    bug: 'discounts are not subtracted',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) => {
        const goods = request.items.filter(({ unitAmountMinor }) => unitAmountMinor > 0);
        const sumMinor = goods.reduce((sum, item) => sum + item.quantity * item.unitAmountMinor, 0);
        return authorise({ ...request, amountMinor: sumMinor || request.amountMinor }, signal);
      },
    })),
    caughtBy: 'items never change the amount: discounts, free items, 100 lines and long names',
  },
  {
    bug: 'every currency is treated as EUR',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) => authorise({ ...request, currency: 'EUR' }, signal),
    })),
    caughtBy: 'exactly the requested amount is charged, in every currency, including 0.01 and 10,000,000.00',
  },
  {
    bug: 'a customer who turns back is sent to the return address',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) => authorise({ ...request, cancelUrl: request.returnUrl }, signal),
    })),
    caughtBy: 'a customer who turns back returns to the cancel address and is charged nothing',
  },
  {
    bug: 'a session lives for a day, whatever its expiry',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: (request, signal) =>
        authorise({ ...request, expiresAt: new Date(request.createdAt.getTime() + 86_400_000) }, signal),
    })),
    caughtBy: 'a session expires at the requested time, and can then no longer be paid',
  },
  {
    bug: 'an exception on creation is treated as unavailable',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: async (request, signal) =>
        await authorise(request, signal).catch(
          (): AttemptOutcome => ({ kind: 'unavailable', why: 'it failed' }),
        ),
    })),
    caughtBy: 'half a response on creation throws, and a later query returns the outcome',
  },
  {
    bug: 'a timeout on creation is treated as a decline',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: async (request, signal) =>
        await authorise(request, signal).catch((error: unknown): AttemptOutcome => {
          if (!signal.aborted) throw error;
          return { kind: 'declined', reference: request.attemptId, code: 'processing_error' };
        }),
    })),
    caughtBy: 'no response on creation throws, and a later query returns the outcome',
  },
  {
    bug: 'an unreachable processor throws instead of being unavailable',
    spoil: spoilProcessor(({ authorise }) => ({
      authorise: async (request, signal) => {
        const outcome = await authorise(request, signal);
        if (outcome.kind === 'unavailable') throw new Error(outcome.why);
        return outcome;
      },
    })),
    caughtBy: 'an unreachable processor is unavailable, and nothing was started',
  },
  {
    bug: 'an error contains the API key',
    spoil: spoilProcessor(({ authorise }, { credentials }) => ({
      authorise: async (request, signal) =>
        await authorise(request, signal).catch((cause: unknown) => {
          throw new Error(`no answer for ${credentials.apiKey}`, { cause });
        }),
    })),
    caughtBy: 'a 500 after the action on creation throws, and a later query returns the outcome',
  },
  {
    bug: 'the signal is not passed on',
    spoil: spoilProcessor(({ query }) => ({ query: (request) => query(request, neverFires()) })),
    caughtBy: 'every call stops when its signal fires',
  },
];

const asking: readonly Plant[] = [
  {
    bug: 'an unknown attempt is reported as declined',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) =>
        (await query(request, signal)) ?? {
          kind: 'declined',
          reference: request.attemptId,
          code: 'processing_error',
        },
    })),
    caughtBy: 'querying an attempt that never started returns that, and moves no money',
  },
  {
    bug: 'an exception of a query is treated as an unknown attempt',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) => await query(request, signal).catch(() => null),
    })),
    caughtBy: 'every call throws while the processor is down',
  },
  {
    bug: 'a query captures an approved attempt',
    spoil: spoilProcessor(({ query, capture }) => ({
      query: async (request, signal) => {
        const result = await query(request, signal);
        return result?.kind === 'approved' ? await capture(request, signal) : result;
      },
    })),
    caughtBy: 'queries move no money, even after the customer approved',
  },
  {
    bug: 'an attempt is found only by its reference',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) => (request.processorReference ? await query(request, signal) : null),
    })),
    caughtBy: 'a connection reset on creation throws, and a later query returns the outcome',
  },
  {
    bug: 'cancel reports success without asking',
    spoil: spoilProcessor(() => ({ cancel: async () => ({ kind: 'void' }) })),
    caughtBy: 'an attempt cancelled while it waits for the customer charges nothing',
  },
  {
    bug: 'cancel captures an approved attempt',
    spoil: spoilProcessor(({ query, cancel, capture }) => ({
      cancel: async (request, signal) => {
        const result = await query(request, signal);
        return result?.kind === 'approved' ? await capture(request, signal) : await cancel(request, signal);
      },
    })),
    caughtBy: 'an attempt cancelled after the customer approved charges nothing',
  },
  {
    bug: 'cancel does not use up an unused key',
    spoil: spoilProcessor(({ query, cancel }) => ({
      cancel: async (request, signal) =>
        (await query(request, signal)) === null ? { kind: 'void' } : await cancel(request, signal),
    })),
    caughtBy: 'an attempt cancelled before its start can never charge, even if it starts late',
  },
];

const money: readonly Plant[] = [
  {
    bug: 'each refund request has its own key',
    spoil: spoilProcessor(({ refund }) => ({
      refund: async (request, signal) => {
        const result = await refund({ ...request, refundId: newId('ref', new Date()) }, signal).catch(
          () => null,
        );
        return result ?? (await refund(request, signal));
      },
    })),
    caughtBy: 'requested twice, and ten times at once, one refund ID refunds once',
  },
  {
    bug: 'a refused refund is reported as made',
    spoil: spoilProcessor(({ refund }) => ({
      refund: async (request, signal) => {
        const { reference } = await refund(request, signal);
        const { amountMinor, currency } = request;
        return { kind: 'succeeded', reference, amountMinor, currency };
      },
    })),
    caughtBy: 'a refund of more than the charge fails as a value, and refunds nothing',
  },
  {
    bug: 'pending money is reported as received',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) => {
        const result = await query(request, signal);
        if (result?.kind !== 'processing') return result;
        const { amountMinor, currency } = request;
        return { kind: 'succeeded', reference: result.reference, amountMinor, currency };
      },
    })),
    caughtBy: 'a payment succeeds only once the money has arrived, in every pending status',
  },
  {
    bug: 'a response about another attempt is accepted',
    spoil: spoilProcessor(({ query }) => ({
      query: async (request, signal) =>
        await query(request, signal).catch((): AttemptOutcome => {
          const { amountMinor, currency, attemptId: reference } = request;
          return { kind: 'succeeded', reference, amountMinor, currency };
        }),
    })),
    caughtBy: 'a response about another payment is rejected, whichever field differs',
  },
  {
    bug: 'the list ends after its first page',
    spoil: spoilProcessor(({ list }) => ({
      list: async (request, signal) => ({ ...(await list(request, signal)), nextCursor: null }),
    })),
    caughtBy: 'the list has every charge and refund once, across its pages, and nothing else',
  },
  {
    bug: 'the list ignores the start of its period',
    spoil: spoilProcessor(({ list }) => ({
      list: (request, signal) => list({ ...request, from: new Date(0) }, signal),
    })),
    caughtBy: 'the list has exactly the movements of its period',
  },
  {
    bug: 'the list has a refund under the reference instead of our key',
    spoil: spoilProcessor(({ list }) => ({
      list: async (request, signal) => {
        const page = await list(request, signal);
        const movements = page.movements.map((moved) =>
          moved.kind === 'refund' ? { ...moved, key: moved.reference } : moved,
        );
        return { ...page, movements };
      },
    })),
    caughtBy: 'the list has every charge and refund once, across its pages, and nothing else',
  },
];

type ReadWebhook = NonNullable<ProcessorKind['readNotice']>;

/** A kind whose adapter reads webhooks differently. */
function spoilWebhooks(change: (read: ReadWebhook) => ReadWebhook): Plant['spoil'] {
  return (kind) => {
    if (!kind.readNotice) throw new Error(`${kind.name} has no webhooks`);
    return { ...kind, readNotice: change(kind.readNotice) };
  };
}

const settings: readonly Plant[] = [
  {
    bug: 'its name does not fit into an address',
    spoil: (kind) => ({ ...kind, name: `${kind.name} & Co.` }),
    caughtBy: 'it describes itself: a name fit for addresses, a title, modes, currencies and fields',
  },
  {
    bug: 'the check returns no account holder',
    spoil: (kind) => ({ ...kind, check: async () => ({ kind: 'good', holder: '', account: '' }) }),
    caughtBy: 'valid credentials are accepted, with the account holder',
  },
  {
    bug: 'a webhook is attributed to the connection that received it',
    spoil: spoilWebhooks((read) => async (connection, webhook, signal) => {
      const result = await read(connection, webhook, signal);
      if (result.kind !== 'news') return result;
      const { connectionId } = connection;
      return { ...result, news: result.news.map((news) => ({ ...news, connectionId })) };
    }),
    caughtBy: 'a webhook about another connection to the same account does not name this one',
  },
  {
    bug: 'all credentials are accepted',
    spoil: (kind) => ({
      ...kind,
      check: async () => ({ kind: 'good', holder: 'Somebody', account: 'somebody' }),
    }),
    caughtBy: 'invalid credentials are rejected, each by its field',
  },
  {
    bug: 'credentials that could not be checked are rejected',
    spoil: (kind) => ({
      ...kind,
      check: async (connection, signal) =>
        await kind.check(connection, signal).catch(() => ({ kind: 'bad', faults: [] })),
    }),
    caughtBy: 'a check without a response throws',
  },
  {
    bug: 'the mode of a connection is ignored',
    spoil: (kind) => ({
      ...kind,
      check: (connection, signal) => kind.check({ ...connection, mode: 'test' }, signal),
    }),
    caughtBy: 'test credentials are rejected in live mode',
  },
  {
    bug: 'a webhook of any age is accepted',
    spoil: spoilWebhooks((read) => async (connection, webhook, signal) => {
      const now = new Date(Number(webhook.headers['x-sample-time'] ?? 0));
      return await read(connection, { ...webhook, now }, signal);
    }),
    caughtBy: 'a webhook that is too old or from the future is forged',
  },
  {
    bug: 'a webhook without a signature is accepted',
    spoil: spoilWebhooks((read) => async (connection, webhook, signal) => {
      if (webhook.headers['x-sample-signature']) return await read(connection, webhook, signal);
      return { kind: 'irrelevant', noticeId: 'unsigned' };
    }),
    caughtBy: 'a webhook without its own signature is forged',
  },
  {
    bug: 'a repeated webhook gets another ID',
    spoil: spoilWebhooks((read) => async (connection, webhook, signal) => {
      const result = await read(connection, webhook, signal);
      return result.kind === 'news' ? { ...result, noticeId: newId('evt', new Date()) } : result;
    }),
    caughtBy: 'a repeated webhook has the same ID, and a new one has another',
  },
];

export const plants: readonly Plant[] = [...beginning, ...asking, ...money, ...settings];
