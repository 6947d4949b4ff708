// Whether a code example sends the request that it shows: runs it against a server that keeps what arrives.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExampleLanguage } from '../../src/docs/example-languages.ts';
import type { ExampleRequest } from '../../src/docs/example-request.ts';
import type { Workshop } from './doc-examples.ts';

type Arrived = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** A text with the characters that some language treats specially. */
const hostileText = `it's "quoted" \\n \\ \${HOME} $HOME \`date\` %s %d {{y}} é 😀 </pre> // -- # \u2028 end\nnext line\r\n\ttab`;

const value = {
  text: hostileText,
  [hostileText]: 'as a name',
  amount: 19.99,
  count: 9007199254740991,
  yes: true,
  no: false,
  nothing: null,
  none: [],
  empty: {},
  list: [1, { deep: ['x'] }, []],
};

/** Runs programs that send the value, that send nothing, and that send a file. */
export async function checkTransfer(workshop: Workshop, language: ExampleLanguage): Promise<void> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    arrived.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/o'clock?a=%20&b=$HOME`;
  const headers = [
    { name: 'Authorization', value: 'Bearer ', variable: 'PAYLINK_SERVICE_KEY' },
    { name: 'X-API-KEY', value: '', variable: 'PAYLINK_API_KEY' },
    { name: 'Content-Type', value: 'application/json' },
    { name: 'Idempotency-Key', value: `it's-$HOME-1` },
  ];
  const requests: ExampleRequest[] = [
    { method: 'PATCH', url, headers, body: { kind: 'json', value } },
    { method: 'DELETE', url, headers, body: null },
    { method: 'PUT', url, headers, body: { kind: 'file', name: 'file.xml' } },
  ];
  const env = { PAYLINK_SERVICE_KEY: 'pls_test_example', PAYLINK_API_KEY: 'key' };
  try {
    for (const request of requests) {
      const program = await workshop.writeProgram(language, request, '<a>é</a>\n');
      const ended = await workshop.runProgram(language, program, env);
      assert.equal(ended.code, 0, `${ended.errors}\n${language.render(request)}`);
      const last = arrived.at(-1);
      assert.deepEqual(
        [last?.method, last?.url],
        [request.method, new URL(url).href.slice(new URL(url).origin.length)],
      );
      assert.equal(last?.headers.authorization, 'Bearer pls_test_example');
      assert.equal(last?.headers['x-api-key'], 'key');
      assert.equal(last?.headers['idempotency-key'], `it's-$HOME-1`);
    }
  } finally {
    server.close();
  }
  const [json, none, file] = arrived;
  assert.deepEqual(JSON.parse(json?.body ?? ''), value);
  assert.equal(json?.headers['content-type'], 'application/json');
  assert.equal(none?.body, '');
  assert.equal(file?.body, '<a>é</a>\n');
}
