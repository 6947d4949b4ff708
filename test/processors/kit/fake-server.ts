// The base of every fake processor: a process with an HTTP server on loopback, a durable journal, webhooks, and a
// second port for commands. Must not: import code of the service.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Control, MoneyLine, Outage } from './control.ts';
import { type LineJournal, openLines } from './journal.ts';
import { createWebhookSender, type WebhookSender, type WebhookToSend } from './webhook-sender.ts';

export type FakeRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The parts of the path that the route names, decoded. */
  params: Record<string, string>;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: Buffer;
};

/** An object is sent as JSON, a text as HTML unless the headers differ. */
export type FakeResponse = { status: number; headers?: Record<string, string>; body?: object | string };

export type Route = {
  /** `GET /v1/payments/:id`: a part that begins with a colon is a parameter. */
  route: string;
  /** `auth`: a preceding call, such as for a token, which outages of the API do not affect. */
  on: 'api' | 'pages' | 'auth';
  handle: (request: FakeRequest) => FakeResponse | Promise<FakeResponse>;
};

export type FakeServer<Line> = {
  /** Its own address, without a slash at the end. */
  url: string;
  /** `append` returns when the line is on disk; respond only afterwards. */
  journal: LineJournal<Line | MoneyLine>;
  /** The fake's clock, which tests can move ahead. */
  now(): Date;
  notify(notice: WebhookToSend): void;
};

export type Fake = {
  routes: readonly Route[];
  /** Performs a `command` of the control API; its result goes to the test. */
  command?: (command: object) => object | Promise<object>;
};

export const seeOther = (url: string): FakeResponse => ({ status: 303, headers: { location: url } });

/** The posted form. */
export const formOf = (request: FakeRequest) => new URLSearchParams(request.body.toString('utf8'));

/** The body as JSON; an empty one is an empty object. Throws for any other text. */
export const jsonOf = (request: FakeRequest): unknown =>
  request.body.length === 0 ? {} : JSON.parse(request.body.toString('utf8'));

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? '/', 'http://fake.invalid');
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()]);
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    params: {},
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

/** The route of a request and the parameters of its path, or null. */
function findRoute(
  routes: readonly Route[],
  { method, path }: FakeRequest,
): { route: Route; params: Record<string, string> } | null {
  const parts = path.split('/');
  for (const route of routes) {
    const [routeMethod, pattern = ''] = route.route.split(' ');
    const patternParts = pattern.split('/');
    if (routeMethod !== method || patternParts.length !== parts.length) continue;
    if (!patternParts.every((part, index) => part.startsWith(':') || part === parts[index])) continue;
    const named = patternParts.flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[index] ?? '')] as const] : [],
    );
    return { route, params: Object.fromEntries(named) };
  }
  return null;
}

function write(response: ServerResponse, answer: FakeResponse): void {
  const isText = typeof answer.body === 'string';
  const text = isText ? (answer.body as string) : JSON.stringify(answer.body ?? {});
  const type = isText ? 'text/html; charset=utf-8' : 'application/json';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(text);
}

function writeHalf(response: ServerResponse, answer: FakeResponse): void {
  const text = JSON.stringify(answer.body ?? {});
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

type Handle = () => Promise<FakeResponse>;

/** A response with changed fields. */
function rewrite(answer: FakeResponse, changes: readonly { path: string; to: unknown }[]): FakeResponse {
  if (typeof answer.body !== 'object') return answer;
  const body = structuredClone(answer.body);
  for (const { path, to } of changes) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place: unknown = body;
    for (const name of names) place = (place as Record<string, unknown> | null | undefined)?.[name];
    if (typeof place === 'object' && place !== null && last in place)
      (place as Record<string, unknown>)[last] = to;
  }
  return { ...answer, body };
}

/** Responds to a request as its outage requires. */
async function applyFault(response: ServerResponse, outage: Outage, handle: Handle): Promise<void> {
  const { fault } = outage;
  if (fault.kind === 'slow') {
    if (fault.waits === 'before') await sleep(fault.delayMs);
    const answer = await handle();
    if (fault.waits === 'after') await sleep(fault.delayMs);
    return write(response, answer);
  }
  if (fault.kind === 'rewrite') return write(response, rewrite(await handle(), fault.changes));
  if (fault.kind === 'half') return writeHalf(response, await handle());
  if (fault.kind !== 'refuse' && fault.isPerformed) await handle();
  if (fault.kind === 'hang') return;
  if (fault.kind === 'status')
    return write(response, { status: fault.status, body: fault.body ?? { error: 'on purpose' } });
  if (fault.kind === 'garbage') return write(response, { status: 200, body: '<h1>Everything is fine</h1>' });
  response.socket?.resetAndDestroy();
}

/** `hits`: how many requests the current outage has hit. */
type State = { outage: Outage | null; hits: number; aheadMs: number };

/** The outage that affects a request, which counts as a hit; null without one. */
function takeOutage(state: State, route: Route): Outage | null {
  const { outage } = state;
  if (!outage) return null;
  const on = outage.on ?? 'api';
  if (on !== 'all' && on !== route.on) return null;
  if (outage.route !== undefined && outage.route !== route.route) return null;
  state.hits += 1;
  if (outage.times !== undefined) {
    outage.times -= 1;
    if (outage.times <= 0) state.outage = null;
  }
  return outage;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** A server whose handler may throw. Errors are bugs of the fake, and go to stderr. */
function serve(handle: (request: FakeRequest, response: ServerResponse) => Promise<void>): Server {
  return createServer((incoming, response) => {
    readRequest(incoming)
      .then(async (request) => await handle(request, response))
      .catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        if (!response.headersSent) write(response, { status: 500, body: { error: String(error) } });
      });
  });
}

/** Refuses connections during such an outage, else listens at the same port. */
async function applyOutage(server: Server, port: number, outage: Outage | null): Promise<void> {
  const isRefusing = outage?.fault.kind === 'refuse';
  if (isRefusing && server.listening) {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  if (!isRefusing && !server.listening) await listen(server, port);
}

type ControlTarget = {
  state: State;
  webhooks: WebhookSender;
  fake: Fake;
  apply: () => Promise<void>;
};

async function takeControl(
  { state, webhooks, fake, apply }: ControlTarget,
  control: Control,
): Promise<object> {
  if (control.reset) {
    state.outage = null;
    await webhooks.reset();
  }
  if (control.outage !== undefined) {
    state.outage = control.outage;
    state.hits = 0;
  }
  await apply();
  if (control.advanceMs) state.aheadMs += control.advanceMs;
  if (control.webhooks) await webhooks.setControl(control.webhooks);
  const { hits } = state;
  if (!control.command) return { hits };
  if (!fake.command) throw new Error('this fake has no commands');
  return { hits, ...(await fake.command(control.command)) };
}

/**
 * Runs this process as a fake: `node fake.ts <journal file> [port]`. Prints `{"port", "controlPort"}` once it
 * listens, and ends with its parent process. The control port accepts:
 * `POST /__control`, `POST /__sign`, `GET /__journal`, `GET /__webhooks`.
 */
export async function serveFake<Line>(build: (server: FakeServer<Line>) => Fake): Promise<void> {
  const state: State = { outage: null, hits: 0, aheadMs: 0 };
  const now = () => new Date(Date.now() + state.aheadMs);
  const journal = openLines<Line | MoneyLine>(process.argv[2] ?? '');
  const webhooks = createWebhookSender(now);
  let fake: Fake = { routes: [] };
  const server = serve(async (request, response) => {
    const found = findRoute(fake.routes, request);
    if (!found) return write(response, { status: 404, body: { error: `no route ${request.path}` } });
    const handle = async () => await found.route.handle({ ...request, params: found.params });
    const outage = takeOutage(state, found.route);
    return outage ? await applyFault(response, outage, handle) : write(response, await handle());
  });
  const port = await listen(server, Number(process.argv[3] ?? 0));
  fake = build({ url: `http://127.0.0.1:${port}`, journal, now, notify: webhooks.send });
  const commanded = {
    state,
    webhooks,
    fake,
    apply: async () => await applyOutage(server, port, state.outage),
  };
  const controlServer = serve(async (request, response) => {
    if (request.path === '/__journal') return write(response, { status: 200, body: journal.lines });
    if (request.path === '/__webhooks') return write(response, { status: 200, body: webhooks.sent });
    if (request.path === '/__sign') {
      const { place, body } = jsonOf(request) as { place: number; body: string };
      return write(response, { status: 200, body: webhooks.signAs(place, body) });
    }
    if (request.path !== '/__control') return write(response, { status: 404 });
    write(response, { status: 200, body: await takeControl(commanded, jsonOf(request) as Control) });
  });
  const controlPort = await listen(controlServer, 0);
  process.stdout.write(`${JSON.stringify({ port, controlPort })}\n`);
  process.stdin.on('end', () => process.exit(0)).resume();
}
