// Processors for tests of the pages, in memory: one with a hosted page, and one by transfer.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type {
  AttemptOutcome,
  AttemptRequest,
  Processor,
  ProcessorKind,
  TransferInstructions,
} from '../../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';

/** The processors for `startPaylink`: the sandbox, and those of the test. */
export function withSandbox(kinds: readonly ProcessorKind[]): typeof createProcessors {
  return (deps) => listProcessors(createProcessors(deps).builtIn, kinds);
}

type FakeSession = { request: AttemptRequest; state: 'open' | 'approved' | 'paid' | 'void' };

/** How it responds: normally, not at the start, not at all, or without cancelling sessions. */
export type FakeBehaviour = 'good' | 'down' | 'silent' | 'keeping';

export type FakeHostedProcessor = {
  kind: ProcessorKind;
  mood: FakeBehaviour;
  sessions: Map<string, FakeSession>;
  captured: number;
};

type Bind = Omit<Processor, 'name' | 'refuseCard' | 'refund' | 'list'>;

function makeKind(kind: Pick<ProcessorKind, 'name' | 'title' | 'takes'>, bound: Bind): ProcessorKind {
  const processor: Processor = {
    name: kind.name,
    refuseCard: () => null,
    refund: async ({ refundId, amountMinor, currency }) => ({
      kind: 'succeeded',
      reference: `back-${refundId}`,
      amountMinor,
      currency,
    }),
    list: async () => ({ movements: [], nextCursor: null }),
    ...bound,
  };
  return {
    ...kind,
    modes: ['test'],
    currencies: ['EUR'],
    actionLifeMs: 30 * 60 * 1000,
    mayOutliveLink: kind.takes === 'transfer',
    fields: [],
    check: async () => ({ kind: 'good', holder: 'Ada', account: 'Ada' }),
    connect: () => processor,
    readNotice: null,
  };
}

const succeeded = ({ attemptId, amountMinor, currency }: AttemptRequest): AttemptOutcome => ({
  ...{ kind: 'succeeded', reference: `s-${attemptId}`, amountMinor, currency },
});

/** A processor with a hosted page at `pageUrl`. */
export function createFakeHostedProcessor(
  name: string,
  title: string,
  pageUrl = 'https://page.example',
): FakeHostedProcessor {
  const page: Omit<FakeHostedProcessor, 'kind'> = { mood: 'good', sessions: new Map(), captured: 0 };
  const toAction = ({ attemptId }: AttemptRequest): AttemptOutcome => ({
    ...{ kind: 'requires_action', reference: `s-${attemptId}`, url: `${pageUrl}/${attemptId}?a=1&b=2` },
  });
  const hear = () => {
    if (page.mood === 'silent') throw new Error(`${name} does not answer`);
  };
  const take = (session: FakeSession): AttemptOutcome => {
    if (session.state === 'approved') page.captured += 1;
    session.state = 'paid';
    return succeeded(session.request);
  };
  const kind = makeKind(
    { name, title, takes: 'page' },
    {
      authorise: async (request) => {
        if (page.mood === 'down') return { kind: 'unavailable', why: 'test' };
        page.sessions.set(request.attemptId, { request, state: 'open' });
        hear();
        return toAction(request);
      },
      query: async (request) => {
        hear();
        const session = page.sessions.get(request.attemptId);
        if (!session) return null;
        if (session.state === 'approved') return { kind: 'approved', reference: `s-${request.attemptId}` };
        if (session.state === 'paid') return succeeded(request);
        return session.state === 'void' ? { kind: 'void' } : toAction(request);
      },
      capture: async (request) => {
        hear();
        const session = page.sessions.get(request.attemptId);
        if (!session) throw new Error('there is nothing to take');
        return take(session);
      },
      cancel: async (request) => {
        hear();
        const session = page.sessions.get(request.attemptId);
        if (session?.state === 'paid' || session?.state === 'approved') return take(session);
        if (session && page.mood === 'keeping') return toAction(request);
        page.sessions.set(request.attemptId, { request, state: 'void' });
        return { kind: 'void' };
      },
      instruct: async () => null,
    },
  );
  return Object.assign(page, { kind });
}

export type FakeTransferProcessor = {
  kind: ProcessorKind;
  /** The received amount by attempt, in minor units; -1 if cancelled. */
  arrived: Map<string, number>;
};

export const account = {
  holder: 'Café Zürich',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  reference: 'RF18539007547034',
} as const;

export function createFakeTransferProcessor(): FakeTransferProcessor {
  const arrived = new Map<string, number>();
  const stand = (request: AttemptRequest): AttemptOutcome => {
    const received = arrived.get(request.attemptId) ?? 0;
    if (received < 0) return { kind: 'void' };
    if (received >= request.amountMinor) return succeeded(request);
    return { kind: 'processing', reference: `t-${request.attemptId}` };
  };
  const instruct = async (request: AttemptRequest): Promise<TransferInstructions> => {
    const receivedMinor = arrived.get(request.attemptId) ?? 0;
    const { currency, expiresAt, amountMinor } = request;
    return { ...account, dueMinor: amountMinor - receivedMinor, receivedMinor, currency, expiresAt };
  };
  const kind = makeKind(
    { name: 'pretend_transfer', title: 'Bank transfer', takes: 'transfer' },
    {
      authorise: async (request) => {
        arrived.set(request.attemptId, 0);
        return stand(request);
      },
      query: async (request) => stand(request),
      capture: async (request) => stand(request),
      cancel: async (request) => {
        if ((arrived.get(request.attemptId) ?? 0) <= 0) arrived.set(request.attemptId, -1);
        return stand(request);
      },
      instruct,
    },
  );
  return { kind, arrived };
}

const pageHead =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Paypond</title><link rel="icon" href="data:,">';

/** Starts a fake processor with a page for the browser. */
export async function openFakeHostedProcessor(
  name: string,
  title: string,
): Promise<FakeHostedProcessor & { origin: string; close(): Promise<void> }> {
  let page: FakeHostedProcessor | undefined;
  const server = createServer((request, response) => {
    const [, attemptId = '', press] = new URL(request.url ?? '', 'http://page').pathname.split('/');
    const session = page?.sessions.get(attemptId);
    if (!session) return response.writeHead(404).end();
    if (press === 'pay') session.state = 'approved';
    const { returnUrl, cancelUrl } = session.request;
    if (press) return response.writeHead(302, { location: press === 'pay' ? returnUrl : cancelUrl }).end();
    return response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        `${pageHead}<h1>Pay here</h1><a id="pay" href="/${attemptId}/pay">Pay</a> <a id="turn" href="/${attemptId}/turn">Turn back</a></html>`,
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('the page has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  page = createFakeHostedProcessor(name, title, origin);
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return Object.assign(page, { origin, close });
}
