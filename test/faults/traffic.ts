// Constant traffic of merchants and customers: reads and new orders, on keep-alive and on new connections. Nothing is
// retried: a request without a response, or with a wrong one, is a failure. While the database is expected to be away, a
// 503 with Retry-After is none.

import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, createLinkAs, credentialHeaders, type Json, orderOf } from '../harness/client.ts';

export type Traffic = {
  /** The number of completed and failed requests. */
  sent(): number;
  /** One line for each failed request. */
  failures(): readonly string[];
  /** The number of responses 503 with Retry-After, if they are allowed. */
  refusals(): number;
  /** The acknowledged orders. */
  orders(): readonly string[];
  /** Stops after the current request of every client. */
  stop(): Promise<void>;
};

const clients = { kept: 10, fresh: 6 };
/** Clients pause between requests, so that the machine is not the limit. */
const defaultThinkMs = { least: 20, most: 150 };

type TrafficResponse = { status: number; text: string; retryAfter: string | undefined };
type Sent = { method: string; path: string; headers: Record<string, string>; body?: string };

/** Sends a request once. Throws without a complete response. */
function send(
  url: string,
  agent: Agent | false,
  { method, path, headers, body = '' }: Sent,
): Promise<TrafficResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<TrafficResponse>();
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { method, agent, headers: { ...headers, ...length }, timeout: 60_000 };
  const sent = request(url + path, options, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const { statusCode: status = 0, headers: received } = response;
    response.on('end', () => resolve({ status, text, retryAfter: received['retry-after'] }));
    response.on('error', reject);
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer within a minute')));
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

type TrafficRequest = Sent & { isExpected: (answer: TrafficResponse) => boolean; onSuccess?: () => void };

/** Starts the traffic to an address. With `mayRefuse`, a 503 with Retry-After is not a failure. */
export async function startTraffic(
  url: string,
  credentials: Credentials,
  { mayRefuse = false, thinkMs = defaultThinkMs } = {},
): Promise<Traffic> {
  const { code } = await createLinkAs({ baseUrl: url }, credentials);
  const [failures, orders]: [string[], string[]] = [[], []];
  const authHeaders = credentialHeaders(credentials);
  let sent = 0;
  let refusals = 0;
  let isOver = false;

  const order = (): TrafficRequest => {
    const fields = orderOf();
    const customerOrderId = String(fields.customerOrderId);
    return {
      ...{ method: 'POST', path: '/v1/payment/process', body: JSON.stringify(fields) },
      headers: { ...authHeaders, 'content-type': 'application/json' },
      isExpected: ({ status, text }) =>
        status === 200 && (JSON.parse(text) as Json).customerOrderId === customerOrderId,
      onSuccess: () => orders.push(customerOrderId),
    };
  };
  const look = (): TrafficRequest => ({
    ...{ method: 'GET', path: `/v1/payments/${code}`, headers: authHeaders },
    isExpected: ({ status, text }) => status === 200 && text.includes(code),
  });
  const open = (): TrafficRequest => ({
    ...{ method: 'GET', path: `/pay/${code}`, headers: { 'accept-language': 'en' } },
    isExpected: ({ status, text }) => status === 200 && text.includes('19.99'),
  });

  const sendNext = async (agent: Agent | false) => {
    const next = [order, order, look, open][randomInt(4)]?.() ?? order();
    const answer = await send(url, agent, next).catch((error: Error) => error);
    sent += 1;
    const isRefusal = !(answer instanceof Error) && answer.status === 503 && answer.retryAfter !== undefined;
    if (!(answer instanceof Error) && next.isExpected(answer)) next.onSuccess?.();
    else if (mayRefuse && isRefusal) refusals += 1;
    else {
      const what = answer instanceof Error ? answer.message : `${answer.status} ${answer.text.slice(0, 200)}`;
      const connection = agent === false ? 'fresh' : 'kept';
      failures.push(`${new Date().toISOString()} ${next.method} ${next.path} (${connection}): ${what}`);
    }
  };
  const runClient = async (agent: Agent | false) => {
    while (!isOver) {
      await sendNext(agent);
      await sleep(randomInt(thinkMs.least, thinkMs.most));
    }
    if (agent) agent.destroy();
  };
  const kept = () => new Agent({ keepAlive: true, maxSockets: 1 });
  const running = [
    ...Array.from({ length: clients.kept }, () => runClient(kept())),
    ...Array.from({ length: clients.fresh }, () => runClient(false)),
  ];
  return {
    sent: () => sent,
    failures: () => failures,
    refusals: () => refusals,
    orders: () => orders,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}
