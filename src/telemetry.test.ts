import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createLogger, loggedFields } from './telemetry.ts';

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

test('every field that the service logs reaches the log', () => {
  const root = import.meta.dirname;
  const dropped = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(path.join(root, file), 'utf8');
      const calls = [...source.matchAll(/\blog\.(?:debug|info|warn|error)\(\s*\{([^{}]*)\}/g)];
      const names = calls.flatMap(([, fields = '']) => [...fields.matchAll(/(?:^|,)\s*(\w+)/g)]);
      return names.flatMap(([, name = '']) => (loggedFields.has(name) ? [] : [`${file}: ${name}`]));
    });
  assert.deepEqual([...new Set(dropped)], []);
});

test('a database error is logged without the values of its row', () => {
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

test('all lines logged before a sudden exit are written', async () => {
  const path = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const program = `
    import { createLogger, flushLog } from ${path('./telemetry.ts')};
    import { endProcess } from ${path('./end-process.ts')};
    import { pbkdf2 } from 'node:crypto';
    const log = createLogger({ level: 'info' });
    for (let count = 1; count <= 5000; count++) log.info({ count }, 'line');
    await flushLog(log);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // The one thread that writes has something else to do first.
    pbkdf2('busy', 'salt', 400_000, 32, 'sha256', () => undefined);
    log.info('last');
    await flushLog(log);
    endProcess(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    timeout: 60_000,
  });
  const said = await text(child.stdout);
  assert.equal(said.match(/"msg":"line"/g)?.length, 5000);
  assert.match(said, /"msg":"last"}\n$/);
});
