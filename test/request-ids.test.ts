// Request IDs of proxies, in responses and in the log.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../src/base/clock.ts';
import { buildServer } from '../src/http/server.ts';
import { createLogger } from '../src/telemetry.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

test('request IDs of trusted proxies appear in the response, the problem document and the log; others are ignored', async () => {
  const askOf = async (trustedProxies: string[]) => {
    const lines: string[] = [];
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const app = await buildServer({
      ...{
        baseUrl: 'https://pay.example',
        log: createLogger({ level: 'info', destination }),
        clock: systemClock,
      },
      ...{ trustedProxies, connectionsPerClient: 0, databaseWait: null, isStopping: () => false },
    });
    app.get('/fault', async () => {
      throw new Error('a fault of ours');
    });
    const headers = {
      ...{ host: 'pay.example', 'x-request-id': 'edge-7', 'x-forwarded-for': '127.0.0.1' },
      traceparent: `00-${trace}-${parent}-01`,
    };
    const { headers: got, body } = await app.inject({ url: '/fault', headers, remoteAddress: '192.0.2.1' });
    await app.close();
    return { id: got['x-request-id'], body, log: lines.join('') };
  };
  const trusted = await askOf(['192.0.2.0/24']);
  assert.equal(trusted.id, 'edge-7');
  assert.match(trusted.body, /"requestId":"edge-7"/);
  assert.match(trusted.body, /"instance":"urn:paylink:request:edge-7"/);
  for (const line of trusted.log.trim().split('\n')) {
    assert.match(line, /"reqId":"edge-7"/);
    assert.match(line, new RegExp(`"traceId":"${trace}"`));
  }
  const others = [await askOf([]), await askOf(['loopback', '192.0.3.0/24'])];
  for (const { id, body, log } of others) {
    assert.match(String(id), /^req_/);
    assert.doesNotMatch(body + log, new RegExp(`edge-7|${trace}`));
  }
});
