// The lists in ARCHITECTURE.md from a handler to a statement: each function calls the next, the last one runs the
// statement, and no list is longer than its limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fencedBlocks, read } from './harness/documents.ts';

type Step = { file: string; name: string };
type Way = { limit: number; steps: Step[] };

function waysOf(text: string): Way[] {
  return fencedBlocks(text).flatMap((block) => {
    const limit = /^way (\d+)$/.exec(block.language)?.[1];
    if (!limit) return [];
    const lines = block.text.trim().split('\n');
    const steps = lines
      .map((line) => line.trim().split(/\s+/))
      .map(([file = '', name = '']) => ({ file, name }));
    return [{ limit: Number(limit), steps }];
  });
}

/** The source of a function at the top level of a file, to the line that closes it. */
function sourceOf({ file, name }: Step): string {
  const text = read(file);
  const declared = new RegExp(`^(?:export )?(?:async function|function|const) ${name}\\b`, 'm').exec(text);
  if (!declared) return '';
  const rest = text.slice(declared.index);
  return rest.slice(0, rest.search(/^\}/m));
}

/** Whether a function calls another one, itself or through a batcher or callback of its own file. */
function callsNext(step: Step, next: Step): boolean {
  const call = new RegExp(`\\b${next.name}\\(`);
  const source = sourceOf(step);
  if (call.test(source)) return true;
  const batched = [...source.matchAll(/await (\w+InBatch)\(/g)].map(([, name = '']) => name);
  return batched.some((name) => call.test(sourceOf({ file: step.file, name })));
}

function faultsOf({ limit, steps }: Way): string[] {
  const faults = steps.length > limit ? [`${steps.length} functions, and at most ${limit} are allowed`] : [];
  for (const step of steps) if (!sourceOf(step)) faults.push(`${step.file} has no function ${step.name}`);
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const next = steps[index + 1];
    if (next && !callsNext(step, next)) faults.push(`${step.name} does not call ${next.name}`);
  }
  const last = steps.at(-1);
  if (last && !/\btx\.query\(/.test(sourceOf(last))) faults.push(`${last.name} runs no statement`);
  return faults;
}

const ways = waysOf(read('ARCHITECTURE.md'));

test('each function of the lists in ARCHITECTURE.md calls the next, and at most 5 create a link and 6 pay it', () => {
  assert.deepEqual(
    ways.map(({ limit, steps }) => [limit, steps[0]?.name]),
    [
      [5, 'registerPaymentRoutes'],
      [6, 'submitPayment'],
      [6, 'submitPayment'],
    ],
  );
  for (const way of ways) assert.deepEqual(faultsOf(way), []);
});

test('a list with a missing, unknown or superfluous function is refused', () => {
  const [create] = ways;
  assert.ok(create);
  const { limit, steps } = create;
  assert.deepEqual(faultsOf({ limit, steps: steps.toSpliced(2, 1) }), [
    'createPayment does not call insertRound',
  ]);
  const renamed = steps.with(3, { file: 'src/links/create-payment.ts', name: 'insertSome' });
  assert.deepEqual(faultsOf({ limit, steps: renamed }), [
    'src/links/create-payment.ts has no function insertSome',
    'createBatch does not call insertSome',
    'insertSome does not call insertPayments',
  ]);
  assert.deepEqual(faultsOf({ limit: 4, steps }), ['5 functions, and at most 4 are allowed']);
  assert.deepEqual(faultsOf({ limit, steps: steps.slice(0, -1) }), ['insertRound runs no statement']);
});
