// `npm run check`: types, lint, the tidy rules and the generated files. All steps run even if one fails, and
// only failing steps print their output. Must not: change a file.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { collectOutput, ensureInstalled, node24, root, runScript } from './toolchain.mjs';

const inModules = (/** @type {string[]} */ ...parts) => path.join(root, 'node_modules', ...parts);

/** Each step is a program for Node with its arguments. */
const steps = [
  { name: 'types', args: [inModules('typescript', 'bin', 'tsc'), '--noEmit', '-p', '.'] },
  { name: 'sdk', args: [inModules('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'sdk'] },
  { name: 'web', args: [inModules('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'web'] },
  { name: 'lint', args: [inModules('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '.'] },
  { name: 'tidy', args: ['--test', path.join('test', 'tidy.test.ts')] },
  { name: 'goldens', args: [path.join('scripts', 'goldens.mjs'), '--check'] },
];

/** @param {string} node @param {string[]} args @returns {Promise<{ ok: boolean; output: string }>} */
function runStep(node, args) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collectOutput(child);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output: output.text }));
  });
}

await runScript(async () => {
  await ensureInstalled();
  const node = node24();
  let failed = 0;
  for (const { name, args } of steps) {
    const startedAt = performance.now();
    const { ok, output } = await runStep(node, args);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(
      `${name.padEnd(8)} ${ok ? 'ok' : 'failed'} (${seconds} s)\n${ok ? '' : `${output}\n`}`,
    );
    if (!ok) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
