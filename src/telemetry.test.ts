import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createLogger } from './telemetry.ts';

function capture(): { lines: string[]; destination: Writable } {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, destination };
}

test('a field that is not on the list never reaches the log', () => {
  const { lines, destination } = capture();
  const log = createLogger({ level: 'info', destination });
  log.info(
    { status: 200, cardNumber: '4242424242424242', password: 'hunter2', body: { email: 'a@b' } },
    'answered',
  );
  log.child({ reqId: 'req_1' }).info({ token: 'ey.secret' }, 'again');
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? '', /"status":200/);
  assert.match(lines[1] ?? '', /"reqId":"req_1"/);
  assert.doesNotMatch(lines.join(), /4242|hunter2|a@b|secret/);
});

test('an error of the database loses the values of its row', () => {
  const { lines, destination } = capture();
  const error = Object.assign(new Error('invalid input syntax for type uuid: "ada@example.com"'), {
    severity: 'ERROR',
    code: '22P02',
    detail: 'Key (email)=(ada@example.com) already exists.',
    where: 'unnamed portal parameter $1 = ada@example.com',
  });
  createLogger({ level: 'info', destination }).error({ err: error }, 'failed');
  assert.match(lines[0] ?? '', /22P02/);
  assert.doesNotMatch(lines[0] ?? '', /ada@example/);
});
