import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxMessageBytes, readExactMessages, withExactNumbers } from './exact-messages.ts';

async function readAll(chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  async function* send() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of readExactMessages(send())) lines.push(String(line));
  return lines;
}

test('a number that would change is passed on as its text; every other message stays as it is', () => {
  for (const line of [
    '{"id":1,"amount":19.99}',
    '{"a":1e2,"b":-0.5,"c":1.50}',
    '{"text":"19.990000000000000001"}',
    '',
  ])
    assert.equal(withExactNumbers(line), line);
  for (const [line, value] of [
    ['{"amount":19.990000000000000001}', { amount: '19.990000000000000001' }],
    ['{"items":[{"unitAmount":9007199254740993}]}', { items: [{ unitAmount: '9007199254740993' }] }],
    ['{"amount":1e400}', { amount: '1e400' }],
  ] as const)
    assert.deepEqual(JSON.parse(withExactNumbers(line)), value);
});

test('what is not JSON is passed on for the protocol to refuse', () => {
  for (const line of ['hello', '{"a":', '{"a":1.2.3}']) assert.equal(withExactNumbers(line), line);
});

test('messages are complete lines, however they arrive', async () => {
  const text = '{"a":"é😀"}\n{"b":19.990000000000000001}\n{"unfinished":';
  const bytes = Buffer.from(text);
  const expected = ['{"a":"é😀"}\n', '{"b":"19.990000000000000001"}\n'];
  assert.deepEqual(await readAll([text]), expected);
  assert.deepEqual(await readAll(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
});

test('a message that is too long ends the reading', async () => {
  await assert.rejects(readAll(['x'.repeat(maxMessageBytes), 'xx']), /it is longer than 1048576 bytes/);
});
