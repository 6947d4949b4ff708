// Calls to a server on loopback that misbehaves in every way.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { callApi, callForText, maxResponseBytes, NoResponseError, RequestNotSentError } from './call-api.ts';

const never = new AbortController().signal;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The address of a server for one test. */
async function serve(t: TestContext, handler: Handler): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answerJson(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

test('a call sends JSON or a form, and reads JSON of any subtype and status', async (t) => {
  const url = await serve(t, async (request, response) => {
    const { 'content-type': type, 'idempotency-key': key } = request.headers;
    const reported = { method: request.method, type, key, body: await readBody(request) };
    answerJson(response, 422, JSON.stringify(reported), 'application/hal+json; charset=utf-8');
  });
  const headers = { 'idempotency-key': 'att_1' };
  const json = await callApi({ method: 'POST', url, headers, body: { json: { a: 'ü' } } }, never);
  assert.equal(json.status, 422);
  assert.deepEqual(json.body, {
    method: 'POST',
    type: 'application/json',
    key: 'att_1',
    body: '{"a":"ü"}',
  });
  const form = await callApi({ method: 'PATCH', url, headers, body: { form: { a: 'b c&d' } } }, never);
  assert.deepEqual(form.body, {
    method: 'PATCH',
    type: 'application/x-www-form-urlencoded',
    key: 'att_1',
    body: 'a=b+c%26d',
  });
});

test('a response without a body is null', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(204).end());
  const answer = await callApi({ method: 'DELETE', url, headers: {} }, never);
  assert.deepEqual([answer.status, answer.body], [204, null]);
});

test('a closed port and an unknown host throw RequestNotSentError', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  for (const url of [closed, 'http://nobody.invalid/'])
    await assert.rejects(
      callApi({ method: 'POST', url, headers: {}, body: { json: {} } }, never),
      RequestNotSentError,
    );
});

test('a connection that breaks after the request throws NoResponseError', async (t) => {
  const breaks: [string, Handler][] = [
    ['before the answer', (request) => request.socket.destroy()],
    ['within its head', (request) => request.socket.end('HTTP/1.1 200 OK\r\ncontent-')],
    [
      'within its body',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"a":', () => request.socket.destroy());
      },
    ],
  ];
  for (const [when, handler] of breaks) {
    const url = await serve(t, handler);
    await assert.rejects(callApi({ method: 'POST', url, headers: {} }, never), NoResponseError, when);
  }
});

test('a redirect is not followed', async (t) => {
  let asked = 0;
  const url = await serve(t, (_, response) => {
    asked += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  await assert.rejects(callApi({ method: 'POST', url, headers: {} }, never), NoResponseError);
  assert.equal(asked, 1);
});

test('a response may have 1 MiB and not a byte more, with or without content-length', async (t) => {
  const filler = (length: number) => `"${'x'.repeat(length - 2)}"`;
  const url = await serve(t, (request, response) => {
    const length = Number(request.url?.slice(1));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('');
    response.end(filler(length));
  });
  const read = (length: number) => callApi({ method: 'GET', url: `${url}/${length}`, headers: {} }, never);
  assert.equal(String((await read(maxResponseBytes)).body).length, maxResponseBytes - 2);
  await assert.rejects(read(maxResponseBytes + 1), NoResponseError);
});

function isSilentFault(error: Error): boolean {
  assert.ok(error instanceof NoResponseError);
  assert.ok(!inspect(error).includes('sk_secret'));
  return true;
}

test('a response that is not JSON throws, and no error quotes it', async (t) => {
  const responses: [string, string][] = [
    ['text/html', '<h1>sk_secret</h1>'],
    ['application/jsonp', '{"a":"sk_secret"}'],
    ['application/json', '{"a":"sk_secret"'],
  ];
  for (const [type, text] of responses) {
    const url = await serve(t, (_, response) => answerJson(response, 200, text, type));
    await assert.rejects(callApi({ method: 'GET', url, headers: {} }, never), isSilentFault);
    const plain = await callForText({ method: 'GET', url, headers: {} }, never);
    assert.equal(plain.text, text);
  }
});

test('no error quotes a header that cannot be sent', async () => {
  const headers = { authorization: 'Bearer sk_secret\nx' };
  await assert.rejects(callApi({ method: 'GET', url: 'http://127.0.0.1:1', headers }, never), isSilentFault);
});

test('a call stops when its signal fires, before sending or while waiting', async (t) => {
  let asked = 0;
  const controller = new AbortController();
  const url = await serve(t, () => {
    asked += 1;
    controller.abort(new Error('enough'));
  });
  for (const _ of ['while waiting', 'before sending'])
    await assert.rejects(callApi({ method: 'POST', url, headers: {} }, controller.signal), /enough/);
  assert.equal(asked, 1);
});
