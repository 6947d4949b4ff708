import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PaylinkApiError } from '../../sdk/src/errors.ts';
import { type HttpRequest, type RequestLimits, send, withDeadline } from '../../sdk/src/transport.ts';
import { openStub, refuse, type Stub } from './stub.ts';

const limits: RequestLimits = { timeoutMs: 30_000, deadlineMs: 60_000, maxRetries: 0 };
let stub: Stub;
before(async () => {
  stub = await openStub();
});
after(async () => await stub.stop());

/** Requests a response that is not JSON, such as an export. */
async function askForStream(parent: AbortSignal, { deadlineMs } = limits): Promise<Response> {
  const request: HttpRequest = {
    name: 'exportThings',
    method: 'GET',
    url: `${stub.baseUrl}/v1/exports/things`,
    headers: {},
    isSafeToRepeat: true,
    isJson: false,
  };
  const { value } = await withDeadline({ ...limits, deadlineMs }, parent, true, async (signal, endsAtMs) => {
    return await send(fetch, request, limits, { signal, endsAtMs });
  });
  assert.ok(value instanceof Response);
  return value;
}

test('a response that is not JSON is streamed, and the time-out no longer applies to it', async () => {
  let finish = () => {};
  stub.replyWith((response) => {
    response.writeHead(200, { 'content-type': 'text/csv' }).write('one,');
    finish = () => response.end('two');
  });
  const deadlineMs = 2_000;
  const response = await askForStream(new AbortController().signal, { ...limits, deadlineMs });
  await new Promise((resolve) => setTimeout(resolve, deadlineMs + 100));
  finish();
  assert.equal(await response.text(), 'one,two');
});

test('an abort ends a response that is still being received', async () => {
  stub.replyWith((response) => void response.writeHead(200).write('one,'));
  const controller = new AbortController();
  const response = await askForStream(controller.signal);
  controller.abort(new Error('no longer needed'));
  await assert.rejects(response.text(), /no longer needed/);
});

test('a refusal is an error, even if the response would not be JSON', async () => {
  stub.replyWith(refuse(403, 'role_not_allowed'));
  await assert.rejects(askForStream(new AbortController().signal), PaylinkApiError);
});
