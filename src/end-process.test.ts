import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const endsBy = (statement: string) => `
  import { endProcess } from ${JSON.stringify(new URL('./end-process.ts', import.meta.url).href)};
  // Stands for the threads that process.exit would wait for.
  process.reallyExit = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  process.on('exit', (code) => process.stdout.write('the last line before ' + code));
  setInterval(() => undefined, 1000);
  ${statement}`;

async function endOf(statement: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', endsBy(statement)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20_000,
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

test('a process exits with its code and all of its output', async () => {
  for (const code of [0, 1, 3]) {
    assert.deepEqual(await endOf(`endProcess(${code})`), { code, said: `the last line before ${code}` });
  }
});
