import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { createMessageFramer, createWireStream, queryMessage, readReply } from './wire-stream.ts';

function frame(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
const ready = (status: string) => frame('Z', Buffer.from(status));
const error = (severity: string, text: string) =>
  frame('E', Buffer.from(`S${severity}\0V${severity}\0CXX000\0M${text}\0\0`));

test('the engine gets whole batches up to Sync, Query or Flush, however the bytes are split', () => {
  const message = fc
    .tuple(fc.constantFrom('P', 'B', 'D', 'E', 'C', 'S', 'Q', 'H'), fc.uint8Array({ maxLength: 40 }))
    .map(([type, body]) => frame(type, Buffer.from(body)));
  const cases = fc.tuple(fc.array(message, { maxLength: 20 }), fc.array(fc.nat(60), { maxLength: 40 }));
  fc.assert(
    fc.property(cases, ([messages, lengths]) => {
      const expected: string[] = [startup.toString('hex')];
      let batch = '';
      for (const one of messages) {
        batch += one.toString('hex');
        if (!'SQH'.includes(String.fromCharCode(one[0] as number))) continue;
        expected.push(batch);
        batch = '';
      }
      const framer = createMessageFramer();
      let rest = Buffer.concat([startup, ...messages]);
      const found: string[] = [];
      for (const length of [...lengths, rest.length]) {
        found.push(...framer.push(rest.subarray(0, length)).map(({ bytes }) => bytes.toString('hex')));
        rest = rest.subarray(length);
      }
      assert.deepEqual(found, expected);
    }),
  );
});

test('the end of a client is detected, and its unfinished batch is dropped', () => {
  const framer = createMessageFramer();
  const unfinished = frame('P', Buffer.from('abc'));
  const kinds = framer.push(Buffer.concat([startup, queryMessage('select 1'), frame('X', Buffer.alloc(0))]));
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['startup', 'messages', 'terminate'],
  );
  assert.deepEqual(framer.push(unfinished), []);
});

test('bytes that are not messages are rejected', () => {
  const framer = createMessageFramer();
  framer.push(startup);
  assert.throws(() => framer.push(Buffer.from([0x51, 0, 0, 0, 3])), /malformed/);
  const other = createMessageFramer();
  other.push(startup);
  assert.throws(() => other.push(Buffer.from('GET / HTTP/1.1\r\n')), /malformed/);
});

test('a reply contains the transaction status, and whether the engine has failed', () => {
  const row = frame('D', Buffer.from('Z and E in here mean nothing'));
  const cases: [Buffer[], ReturnType<typeof readReply>][] = [
    [[row, ready('T'), row], { status: 'T', error: null, isFatal: false }],
    [[error('ERROR', 'no'), ready('E')], { status: 'E', error: 'ERROR: no', isFatal: false }],
    [[error('ERROR', 'no'), error('PANIC', 'disk')], { status: null, error: 'ERROR: no', isFatal: true }],
    [[error('FATAL', 'out')], { status: null, error: 'FATAL: out', isFatal: true }],
    [[], { status: null, error: null, isFatal: false }],
  ];
  for (const [messages, expected] of cases) assert.deepEqual(readReply(Buffer.concat(messages)), expected);
});

/** A stream to an engine that responds "ready" to everything and records what it gets. */
function createListening() {
  const received: string[] = [];
  const wire = createWireStream(async (messages) => {
    received.push(messages.toString('latin1'));
    return ready('I');
  });
  const open = async () => {
    const stream = wire.connect();
    stream.write(startup);
    await once(stream, 'data');
    return stream;
  };
  return { received, open };
}

test('every new connection starts with a rollback and a clean session', async () => {
  const { received, open } = createListening();
  const first = await open();
  first.destroy();
  const second = await open();
  second.destroy();
  assert.equal(received.length, 2);
  for (const batch of received) assert.match(batch, /^Q.*rollback.*S.*rollback.*discard all/s);
});

test('a new connection ends the previous one, which no longer reaches the engine', async () => {
  const { received, open } = createListening();
  const first = await open();
  first.write(queryMessage('select 1'));
  const second = await open();
  assert.ok(first.destroyed);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!received.some((batch) => batch.includes('select 1')));
  second.destroy();
});

test('corked writes reach the engine as one batch', async () => {
  const { received, open } = createListening();
  const stream = await open();
  stream.cork();
  for (const type of ['P', 'B', 'D', 'E', 'S']) stream.write(frame(type, Buffer.from('body')));
  stream.uncork();
  await once(stream, 'data');
  assert.equal(received.length, 2);
  assert.match(received[1] ?? '', /^P.*B.*D.*E.*S/s);
  stream.destroy();
});

test('a stopped engine ends the client with its reason', async () => {
  let hasStopped = false;
  const wire = createWireStream(async () => {
    if (hasStopped) throw new Error('the engine has stopped');
    return ready('I');
  });
  const client = new pg.Client({
    stream: wire.connect,
    host: 'none',
    user: 'none',
    database: 'none',
    ssl: false,
  });
  await client.connect();
  const reported: string[] = [];
  client.on('error', (cause) => reported.push(cause.message));
  hasStopped = true;
  await assert.rejects(client.query('select 1'), /the engine has stopped/);
  assert.match(reported[0] ?? '', /the engine has stopped/);
});

test('an encrypted connection is rejected instead of hanging', async () => {
  const wire = createWireStream(async () => ready('I'));
  const stream = wire.connect();
  const failed = once(stream, 'error');
  stream.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
  const [cause] = await failed;
  assert.match(String(cause), /unencrypted protocol 3/);
});
