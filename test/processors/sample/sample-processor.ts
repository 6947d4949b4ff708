// The adapter to the sample processor, as a model for real ones: a decline is a value, an unknown response throws,
// and a webhook is read only after its signature was verified.

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
import type { BookedLine, RefundLine, SessionLine } from './records.ts';

/** `takesAtOnce`: the approval captures; else `capture` does. */
export type SampleDeps = { apiUrl: string; takesAtOnce: boolean };

const name = 'sample';
const webhookLifeMs = 5 * 60_000;

type Send = (
  route: string,
  signal: AbortSignal,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** Calls the API. Throws for a response that is not JSON, or has an unexpected status. */
function createSend(apiUrl: string, { credentials }: ProcessorConnection): Send {
  return async (route, signal, body) => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      signal,
      redirect: 'error',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const parsed = JSON.parse(await response.text()) as Record<string, unknown>;
    const isExpected = response.status === 200 || response.status === 401 || parsed.error === 'not_found';
    if (!isExpected) throw new Error(`unexpected status ${response.status}`);
    return { status: response.status, body: parsed };
  };
}

function toOutcome(apiUrl: string, body: unknown, key: string): AttemptOutcome | ApprovedOutcome {
  const session = body as SessionLine;
  const { id: reference, amountMinor, currency, state } = session;
  if (session.type !== 'session' || session.key !== key)
    throw new Error('the response is about another session');
  if (state === 'open') return { kind: 'requires_action', reference, url: `${apiUrl}/pay/${reference}` };
  if (state === 'approved') return { kind: 'approved', reference };
  if (state === 'pending') return { kind: 'processing', reference };
  if (state === 'taken') return { kind: 'succeeded', reference, amountMinor, currency };
  if (state === 'declined') return { kind: 'declined', reference, code: 'generic_decline' };
  if (state === 'void') return { kind: 'void' };
  throw new Error('the session has an unknown state');
}

/** For callers that cannot capture: an approval is not an outcome. */
function toPlainOutcome(apiUrl: string, body: unknown, key: string): AttemptOutcome {
  const outcome = toOutcome(apiUrl, body, key);
  return outcome.kind === 'approved' ? { kind: 'processing', reference: outcome.reference } : outcome;
}

function toRefundOutcome(body: unknown, key: string): RefundOutcome {
  const refund = body as RefundLine;
  const { id: reference, amountMinor, currency } = refund;
  if (refund.type !== 'refund_asked' || refund.key !== key)
    throw new Error('the response is about another session');
  if (refund.state === 'paid') return { kind: 'succeeded', reference, amountMinor, currency };
  return { kind: 'failed', reference, code: 'refused' };
}

const isRefused = (error: unknown) =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

async function authorise(
  send: Send,
  { apiUrl, takesAtOnce }: SampleDeps,
  connection: ProcessorConnection,
  request: AuthoriseRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { attemptId: key, amountMinor, currency, returnUrl, cancelUrl, expiresAt } = request;
  const { connectionId } = connection;
  const session = { key, connectionId, takesAtOnce, amountMinor, currency, returnUrl, cancelUrl, expiresAt };
  try {
    const response = await send('POST /sessions', signal, session);
    if (response.status === 401) return { kind: 'unavailable', why: 'the API key was rejected' };
    return toPlainOutcome(apiUrl, response.body, key);
  } catch (error) {
    if (isRefused(error)) return { kind: 'unavailable', why: 'the connection was refused' };
    throw error;
  }
}

function connect(deps: SampleDeps, connection: ProcessorConnection): Processor {
  const { apiUrl } = deps;
  const send = createSend(apiUrl, connection);
  const sendOk: Send = async (route, signal, body) => {
    const response = await send(route, signal, body);
    if (response.status !== 200) throw new Error(`unexpected status ${response.status}`);
    return response;
  };
  const act = async (key: string, verb: 'capture' | 'cancel', signal: AbortSignal) =>
    toPlainOutcome(apiUrl, (await sendOk(`POST /sessions/${key}/${verb}`, signal)).body, key);
  return {
    name,
    refuseCard: () => 'unsupported_test_card',
    authorise: async (request, signal) => await authorise(send, deps, connection, request, signal),
    query: async ({ attemptId }, signal) => {
      const { body } = await send(`GET /sessions/${attemptId}`, signal);
      return body.error === 'not_found' ? null : toOutcome(apiUrl, body, attemptId);
    },
    capture: async ({ attemptId }, signal) => await act(attemptId, 'capture', signal),
    cancel: async ({ attemptId }, signal) => await act(attemptId, 'cancel', signal),
    refund: async ({ refundId: key, processorReference: session, amountMinor }, signal) =>
      toRefundOutcome((await sendOk('POST /refunds', signal, { key, session, amountMinor })).body, key),
    list: async ({ from, until, cursor }, signal) => {
      const span = { from: from.toISOString(), until: until.toISOString(), start: cursor ?? '0' };
      const { body } = await sendOk(`GET /movements?${new URLSearchParams(span)}`, signal);
      const movements = (body.movements as BookedLine[])
        .filter(({ connectionId }) => connectionId === connection.connectionId)
        .map(({ kind, key, reference, amountMinor, currency }): BalanceTransaction => {
          return { kind, key, reference, amountMinor, currency };
        });
      return { movements, nextCursor: body.next as string | null };
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
  const { status, body } = await createSend(apiUrl, connection)('GET /account', signal);
  return status === 200
    ? { kind: 'good', holder: String(body.holder), account: String(body.holder) }
    : bad('apiKey', 'refused');
}

async function readNotice(
  connection: ProcessorConnection,
  { headers, body, now }: ProcessorWebhookRequest,
): Promise<ProcessorWebhook> {
  const { 'x-sample-time': time = '', 'x-sample-signature': signature = '' } = headers;
  const mac = createHmac('sha256', connection.credentials.webhookSecret ?? '').update(`${time}.`);
  const expected = Buffer.from(mac.update(body).digest('hex'));
  const actual = Buffer.from(signature);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return { kind: 'forged', why: 'the signature is invalid' };
  if (Math.abs(now.getTime() - Number(time)) > webhookLifeMs) return { kind: 'forged', why: 'too old' };
  const event = JSON.parse(body.toString('utf8')) as SessionLine;
  const { key: attemptId, connectionId, amountMinor, currency } = event;
  const news = { attemptId, refundId: null, connectionId, amountMinor, currency };
  return { kind: 'news', noticeId: event.id, news: [news] };
}

const field = { isRequired: true, help: 'Any value of the fake.', maxLength: 100 } as const;

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
