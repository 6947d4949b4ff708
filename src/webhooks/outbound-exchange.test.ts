import assert from 'node:assert/strict';
import { connect, Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { answerNoContent, type Listener, type Respond, startListener } from '../../test/dns/listener.ts';
import { type OutboundPolicy, sendRequest } from './outbound.ts';

const policy: OutboundPolicy = { allowsLoopback: true, isHttpsRequired: false };
const maxAnswerBytes = 4096;

const post = (listener: Listener, changes: Partial<Parameters<typeof sendRequest>[0]> = {}) =>
  sendRequest({
    url: `http://127.0.0.1:${listener.port}/hook`,
    headers: { 'content-type': 'application/json' },
    body: '{"id":"evt_1"}',
    timeoutMs: 30_000,
    maxAnswerBytes,
    policy,
    ...changes,
  });

/** Sends one message to a receiver with this response, and waits until its connection is closed. */
async function answerTo(respond: Respond, changes: Parameters<typeof post>[1] = {}) {
  const listener = await startListener(respond);
  try {
    const result = await post(listener, changes);
    await listener.allClosed();
    return { ...result, received: listener.received, connections: listener.connections };
  } finally {
    await listener.stop();
  }
}

const say =
  (text: string | Buffer): Respond =>
  (socket) =>
    socket.end(text);

/** Writes a text again and again until the connection is closed. */
const keepSaying =
  (start: string, more: string, everyMs: number): Respond =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(more), everyMs);
    socket.once('close', () => clearInterval(timer));
  };

/** Writes as much as the other side accepts, until the connection is closed. */
const flood =
  (start: string, more: string): Respond =>
  (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.write(start);
    socket.on('drain', pour);
    pour();
  };

test('status, headers and body of a response are returned unchanged', async () => {
  const answer =
    'HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a=1\r\n\r\nlater, bitte: ü';
  const { durationMs, received, connections, ...result } = await answerTo(say(answer));
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
  assert.equal(connections, 1);
  assert.deepEqual(result, {
    status: 429,
    headers: { 'retry-after': '7', 'x-a': '1, 2', 'set-cookie': 'a=1' },
    bodyStart: 'later, bitte: ü',
  });
  assert.match(received, /^POST \/hook HTTP\/1\.1\r\n/);
  assert.match(received, /\r\n\r\n\{"id":"evt_1"\}$/);
});

test('a message cannot set framing headers', async () => {
  const forged = {
    Host: 'inside.example',
    'Content-Length': '3',
    Connection: 'keep-alive',
    'Transfer-Encoding': 'chunked',
    'x-mine': 'yes',
  };
  const { received } = await answerTo(answerNoContent, { headers: forged });
  const lines = received.split('\r\n\r\n')[0]?.toLowerCase().split('\r\n').slice(1).sort() ?? [];
  assert.deepEqual(
    lines.map((line) => line.replace(/:\d+$/, ':port')),
    ['connection: close', 'content-length: 14', 'host: 127.0.0.1:port', 'x-mine: yes'],
  );
});

test('an invalid header is an error, and leaves no connection open', async () => {
  const listener = await startListener(answerNoContent);
  const dialled: Socket[] = [];
  const dial = () => {
    dialled.push(connect(listener.port, '127.0.0.1'));
    return dialled[0] as Socket;
  };
  await assert.rejects(post(listener, { headers: { 'x-a': '1\r\nx-b: 2' }, policy: { ...policy, dial } }), {
    code: 'ERR_INVALID_CHAR',
  });
  assert.deepEqual(
    dialled.map((socket) => socket.destroyed),
    [true],
  );
  assert.equal(listener.received, '');
  await listener.stop();
});

test('every request has its own connection, and sends no earlier cookie', async () => {
  const cookies = 'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n';
  const listener = await startListener((socket) => socket.write(cookies));
  for (const nth of [1, 2, 3]) {
    await post(listener);
    await listener.allClosed();
    assert.equal(listener.connections, nth);
  }
  assert.doesNotMatch(listener.received, /cookie/i);
  await listener.stop();
});

for (const status of [300, 301, 302, 303, 307, 308])
  test(`a redirect with ${status} is a response and is not followed`, async () => {
    const inside = await startListener(answerNoContent);
    const location = `http://127.0.0.1:${inside.port}/`;
    const result = await answerTo(
      say(`HTTP/1.1 ${status} Elsewhere\r\nLocation: ${location}\r\nRefresh: 0; url=${location}\r\n\r\n`),
    );
    assert.ok('status' in result);
    assert.equal(result.status, status);
    assert.equal(inside.connections, 0);
    await inside.stop();
  });

test('only the first 4 kB of an endless response are read, and the connection is closed', async () => {
  const result = await answerTo(flood('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536)));
  assert.ok('status' in result);
  assert.equal(result.bodyStart, 'x'.repeat(maxAnswerBytes));
});

test('a compressed response is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(8_000_000));
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
  const result = await answerTo(say(Buffer.concat([Buffer.from(head), bomb])));
  assert.ok('status' in result);
  assert.equal(result.bodyStart[0], '\x1f');
  assert.ok(result.bodyStart.length <= maxAnswerBytes);
  assert.doesNotMatch(result.bodyStart, /\0/);
});

test('the start of a body is valid text for PostgreSQL, with whole characters', async () => {
  const body = Buffer.from([0x61, 0x00, 0xff, ...Buffer.from('é€')]);
  const result = await answerTo(say(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), body])), {
    maxAnswerBytes: body.length - 1,
  });
  assert.ok('status' in result);
  assert.equal(result.bodyStart, 'a\uFFFD\uFFFDé');
});

const slow: Record<string, Respond> = {
  'says nothing': () => {},
  'drips its status line': keepSaying('HTTP/1.1 200 ', 'O', 20),
  'drips its headers': keepSaying('HTTP/1.1 200 OK\r\n', 'x-a: 1\r\n', 20),
  'drips its body': keepSaying('HTTP/1.1 200 OK\r\n\r\n', 'x', 20),
  'drips chunks': keepSaying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n', 20),
  'never ends its body': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
  'asks for patience': keepSaying('', 'HTTP/1.1 102 Processing\r\n\r\n', 60),
};

for (const [title, respond] of Object.entries(slow))
  test(`a receiver that ${title} times out, and its connection is closed`, async () => {
    const result = await answerTo(respond, { timeoutMs: 250 });
    assert.equal('fault' in result && result.fault, 'timed_out');
  });

test('a connection that is never established times out', async () => {
  const listener = await startListener();
  // A socket that was never connected behaves like a silent address.
  const sockets: Socket[] = [];
  const dial = () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  const result = await post(listener, { timeoutMs: 100, policy: { ...policy, dial } });
  assert.equal('fault' in result && result.fault, 'timed_out');
  assert.deepEqual(
    sockets.map((socket) => socket.destroyed),
    [true],
  );
  await listener.stop();
});

const head = 'HTTP/1.1 200 OK\r\n';
const broken: Record<string, { respond: Respond; fault: string }> = {
  'resets the connection': { respond: (socket) => socket.resetAndDestroy(), fault: 'reset' },
  'hangs up without an answer': { respond: (socket) => socket.end(), fault: 'reset' },
  'hangs up within the status line': { respond: say('HTTP/1.1 2'), fault: 'reset' },
  'hangs up within its headers': { respond: say(`${head}x-a: 1\r\n`), fault: 'reset' },
  'hangs up within its body': { respond: say(`${head}Content-Length: 9\r\n\r\nhalf`), fault: 'reset' },
  'hangs up between chunks': {
    respond: say(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`),
    fault: 'reset',
  },
  'speaks another protocol': { respond: say('SSH-2.0-OpenSSH_9.6\r\n'), fault: 'invalid_answer' },
  'speaks HTTP/0.9': { respond: say('<html>hello</html>'), fault: 'invalid_answer' },
  'sends a chunk of no size': {
    respond: say(`${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
    fault: 'invalid_answer',
  },
  'frames its body twice': {
    respond: say(`${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    fault: 'invalid_answer',
  },
  'splits a header line': { respond: say(`${head}x-a: 1\rx-b: 2\r\n\r\n`), fault: 'invalid_answer' },
  'switches to another protocol': {
    respond: (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    fault: 'invalid_answer',
  },
  'asks for patience without end': {
    respond: flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    fault: 'invalid_answer',
  },
  'sends headers without end': {
    respond: flood(head, `x-a: ${'1'.repeat(1000)}\r\n`),
    fault: 'answer_too_large',
  },
};

for (const [title, { respond, fault }] of Object.entries(broken))
  test(`a receiver that ${title} gives ${fault}, and its connection is closed`, async () => {
    const result = await answerTo(respond);
    assert.equal('fault' in result ? result.fault : result.status, fault);
  });

test('a response before the end of the request is accepted', async () => {
  const result = await answerTo(say('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'), {
    body: 'x'.repeat(60_000),
  });
  assert.equal('status' in result && result.status, 413);
});
