// The adapter to the sample processor, written as a real one has to be: what is declined is a value, what is
// not understood throws, and nothing that a webhook says is believed before its signature was checked.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  ApprovedOutcome,
  AttemptOutcome,
  AuthoriseRequest,
  BalanceTransaction,
  CredentialCheck,
  Processor,
  ProcessorConnection,
  ProcessorKind,
  ProcessorWebhook,
  ProcessorWebhookRequest,
  RefundOutcome,
} from '../../../src/processors/processor.ts';
import type { BookedLine, RefundLine, SessionLine } from './books.ts';

/** `takesAtOnce`: the money is taken when the customer agrees; else it waits for `capture`. */
export type SampleDeps = { apiUrl: string; takesAtOnce: boolean };

const name = 'sample';
const noticeLifeMs = 5 * 60_000;

type Ask = (
  route: string,
  signal: AbortSignal,
  body?: object,
) => Promise<{ status: number; said: Record<string, unknown> }>;

/** Asks the API. Throws for what is not JSON and for what nobody foresaw. */
function createAsk(apiUrl: string, { credentials }: ProcessorConnection): Ask {
  return async (route, signal, body) => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      signal,
      redirect: 'error',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const said = JSON.parse(await response.text()) as Record<string, unknown>;
    const isKnown = response.status === 200 || response.status === 401 || said.error === 'not_found';
    if (!isKnown) throw new Error(`sample answered ${response.status}`);
    return { status: response.status, said };
  };
}

function toOutcome(apiUrl: string, said: unknown, key: string): AttemptOutcome | ApprovedOutcome {
  const session = said as SessionLine;
  const { id: reference, amountMinor, currency, state } = session;
  if (session.type !== 'session' || session.key !== key) throw new Error('sample speaks of something else');
  if (state === 'open') return { kind: 'requires_action', reference, url: `${apiUrl}/pay/${reference}` };
  if (state === 'approved') return { kind: 'approved', reference };
  if (state === 'pending') return { kind: 'processing', reference };
  if (state === 'taken') return { kind: 'succeeded', reference, amountMinor, currency };
  if (state === 'declined') return { kind: 'declined', reference, code: 'generic_decline' };
  if (state === 'void') return { kind: 'void' };
  throw new Error('sample said something unknown');
}

/** Where an approval is no answer: the customer has agreed, and whoever asks may take the money. */
function toPlainOutcome(apiUrl: string, said: unknown, key: string): AttemptOutcome {
  const outcome = toOutcome(apiUrl, said, key);
  return outcome.kind === 'approved' ? { kind: 'processing', reference: outcome.reference } : outcome;
}

function toRefundOutcome(said: unknown, key: string): RefundOutcome {
  const refund = said as RefundLine;
  const { id: reference, amountMinor, currency } = refund;
  if (refund.type !== 'refund_asked' || refund.key !== key)
    throw new Error('sample speaks of something else');
  if (refund.state === 'paid') return { kind: 'succeeded', reference, amountMinor, currency };
  return { kind: 'failed', reference, code: 'refused' };
}

const isRefused = (error: unknown) =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

async function authorise(
  ask: Ask,
  { apiUrl, takesAtOnce }: SampleDeps,
  connection: ProcessorConnection,
  request: AuthoriseRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { attemptId: key, amountMinor, currency, returnUrl, cancelUrl, expiresAt } = request;
  const { connectionId } = connection;
  const body = { key, connectionId, takesAtOnce, amountMinor, currency, returnUrl, cancelUrl, expiresAt };
  try {
    const { status, said } = await ask('POST /sessions', signal, body);
    if (status === 401) return { kind: 'unavailable', why: 'the key was refused' };
    return toPlainOutcome(apiUrl, said, key);
  } catch (error) {
    if (isRefused(error)) return { kind: 'unavailable', why: 'nobody answers at its address' };
    throw error;
  }
}

function connect(deps: SampleDeps, connection: ProcessorConnection): Processor {
  const { apiUrl } = deps;
  const ask = createAsk(apiUrl, connection);
  const askWell: Ask = async (route, signal, body) => {
    const answer = await ask(route, signal, body);
    if (answer.status !== 200) throw new Error(`sample answered ${answer.status}`);
    return answer;
  };
  const act = async (key: string, verb: 'capture' | 'cancel', signal: AbortSignal) =>
    toPlainOutcome(apiUrl, (await askWell(`POST /sessions/${key}/${verb}`, signal)).said, key);
  return {
    name,
    refuseCard: () => 'unsupported_test_card',
    authorise: async (request, signal) => await authorise(ask, deps, connection, request, signal),
    query: async ({ attemptId }, signal) => {
      const { said } = await ask(`GET /sessions/${attemptId}`, signal);
      return said.error === 'not_found' ? null : toOutcome(apiUrl, said, attemptId);
    },
    capture: async ({ attemptId }, signal) => await act(attemptId, 'capture', signal),
    cancel: async ({ attemptId }, signal) => await act(attemptId, 'cancel', signal),
    refund: async ({ refundId: key, processorReference: session, amountMinor }, signal) =>
      toRefundOutcome((await askWell('POST /refunds', signal, { key, session, amountMinor })).said, key),
    list: async ({ from, until, cursor }, signal) => {
      const span = { from: from.toISOString(), until: until.toISOString(), start: cursor ?? '0' };
      const { said } = await askWell(`GET /movements?${new URLSearchParams(span)}`, signal);
      const movements = (said.movements as BookedLine[])
        .filter(({ connectionId }) => connectionId === connection.connectionId)
        .map(({ kind, key, reference, amountMinor, currency }): BalanceTransaction => {
          return { kind, key, reference, amountMinor, currency };
        });
      return { movements, nextCursor: said.next as string | null };
    },
    instruct: async () => null,
  };
}

async function check(
  apiUrl: string,
  connection: ProcessorConnection,
  signal: AbortSignal,
): Promise<CredentialCheck> {
  const bad = (field: string, code: string): CredentialCheck => ({
    kind: 'bad',
    faults: [{ field, code, detail: 'This does not open an account.' }],
  });
  const { apiKey = '', webhookSecret = '' } = connection.credentials;
  if (!apiKey.startsWith(`${connection.mode}_`)) return bad('apiKey', 'wrong_mode');
  if (!webhookSecret.startsWith('whsec-')) return bad('webhookSecret', 'invalid');
  const { status, said } = await createAsk(apiUrl, connection)('GET /account', signal);
  return status === 200
    ? { kind: 'good', holder: String(said.holder), account: String(said.holder) }
    : bad('apiKey', 'refused');
}

async function readNotice(
  connection: ProcessorConnection,
  { headers, body, now }: ProcessorWebhookRequest,
): Promise<ProcessorWebhook> {
  const { 'x-sample-time': time = '', 'x-sample-signature': signature = '' } = headers;
  const mac = createHmac('sha256', connection.credentials.webhookSecret ?? '').update(`${time}.`);
  const wanted = Buffer.from(mac.update(body).digest('hex'));
  const given = Buffer.from(signature);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return { kind: 'forged', why: 'the signature is not ours' };
  if (Math.abs(now.getTime() - Number(time)) > noticeLifeMs) return { kind: 'forged', why: 'too old' };
  const said = JSON.parse(body.toString('utf8')) as SessionLine;
  const { key: attemptId, connectionId, amountMinor, currency } = said;
  const news = { attemptId, refundId: null, connectionId, amountMinor, currency };
  return { kind: 'news', noticeId: said.id, news: [news] };
}

const field = { isRequired: true, help: 'It is made up.', maxLength: 100 } as const;

/** The sample processor at an address of the loopback interface. */
export function createSample(deps: SampleDeps): ProcessorKind {
  return {
    name,
    title: 'Sample',
    takes: 'page',
    modes: ['test'],
    currencies: ['EUR', 'USD'],
    actionLifeMs: 60 * 60_000,
    mayOutliveLink: false,
    fields: [
      { name: 'apiKey', label: 'API key', isSecret: true, ...field },
      { name: 'webhookSecret', label: 'Webhook secret', isSecret: true, ...field },
    ],
    check: async (connection, signal) => await check(deps.apiUrl, connection, signal),
    connect: (connection) => connect(deps, connection),
    readNotice: async (connection, notice) => await readNotice(connection, notice),
  };
}
