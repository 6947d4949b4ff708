// A scripted web server in place of the service, for responses that a healthy service never sends. It accepts every
// login. It only counts and records requests, and never decides whether the SDK is correct.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export type Heard = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
export type Reply = (response: ServerResponse, heard: Heard) => void;

export type Stub = {
  baseUrl: string;
  /** All requests except logins, in order. */
  calls: readonly Heard[];
  /** The logins, in order. */
  logins: readonly Heard[];
  /** The responses to the next calls, one each; later calls get an empty object. */
  replyWith(...replies: Reply[]): void;
  /** The responses to the next logins; later ones succeed. */
  replyToLoginsWith(...replies: Reply[]): void;
  /** Forgets the recorded requests and the remaining responses. */
  reset(): void;
  stop(): Promise<void>;
};

/** A JSON response. */
export const answer =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** A refusal in the form of the API. */
export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  answer(status, { code, detail: 'Because.', errors: [], requestId: 'req_1' }, headers);

/** The connection ends before a response. */
export const cutOff: Reply = (response) => void response.destroy();

/** The connection ends within the response. */
export const cutInHalf: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"half":', () => response.destroy());
};

/** Never responds. */
export const hang: Reply = () => undefined;

export const stubPassword = 'a password that must not show';
export const stubToken = (count: number) => `token-${count}-that-must-not-show`;
export const stubKey = 'plk_test_key_that_must_not_show';

/** A successful login, with a token of the given lifetime. */
export const grantLogin =
  (count: number, lifeMs = 3_600_000): Reply =>
  (response) => {
    const expiresAt = new Date(Date.now() + lifeMs).toISOString();
    const headers = { 'x-api-key': stubKey, 'x-company-id': 'co_stub' };
    answer(200, { token: stubToken(count), expiresAt }, headers)(response, {} as Heard);
  };

/** Opens a stub on a free port of the loopback interface. */
export async function openStub(): Promise<Stub> {
  const calls: Heard[] = [];
  const logins: Heard[] = [];
  let callReplies: Reply[] = [];
  let loginReplies: Reply[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const heard = { method, path, headers, body };
    const isLogin = path === '/v1/auth/login';
    (isLogin ? logins : calls).push(heard);
    const reply = isLogin ? (loginReplies.shift() ?? grantLogin(logins.length)) : callReplies.shift();
    (reply ?? answer(200))(response, heard);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('the stub has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    calls,
    logins,
    replyWith: (...replies) => {
      callReplies = replies;
    },
    replyToLoginsWith: (...replies) => {
      loginReplies = replies;
    },
    reset: () => {
      calls.length = 0;
      logins.length = 0;
      callReplies = [];
      loginReplies = [];
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
