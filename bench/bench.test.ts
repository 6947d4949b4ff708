import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budget, checkBudget } from './budget.ts';
import { findWrongResponses, mean, median, parsePgbenchOutput, parseWrkOutput, ratio } from './figures.ts';
import { readOptions } from './options.ts';
import { type BenchRound, figuresOf } from './report.ts';

const wrkOutput = `Running 13s test @ http://127.0.0.1:3000
  2 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    81.06ms   12.10ms 151.83ms   71.43%
    Req/Sec   392.00     61.20   505.00     70.00%
  7866 requests in 13.01s, 11.02MB read
Requests/sec:    604.61
driven answered=7866 per_second=786.55 p50_us=80250 p99_us=121500 broken=0 sent=1:3933,2:3933 statuses=200:7866
`;

const pgbenchOutput = `pgbench (15.18)
transaction type: insert.sql
scaling factor: 1
query mode: prepared
number of clients: 64
number of threads: 2
maximum number of tries: 1
duration: 5 s
number of transactions actually processed: 65930
number of failed transactions: 0 (0.000%)
latency average = 4.850 ms
initial connection time = 91.204 ms
tps = 13186.330128 (without initial connection time)
`;

test('the output of wrk is parsed exactly', () => {
  assert.deepEqual(parseWrkOutput(wrkOutput), {
    perSecond: 786.55,
    p50Ms: 80.25,
    p99Ms: 121.5,
    answered: 7866,
    broken: 0,
    sent: [3933, 3933],
    statuses: { 200: 7866 },
  });
});

test('wrk output that lacks a figure is rejected', () => {
  assert.throws(
    () => parseWrkOutput('unable to connect to 127.0.0.1:3000'),
    /no figures.*\n.*unable to connect/,
  );
  assert.throws(() => parseWrkOutput(wrkOutput.replace('p99_us=121500', 'p99_us=-nan')), /no p99_us/);
  assert.throws(() => parseWrkOutput(wrkOutput.replace(' per_second=786.55', '')), /no per_second/);
});

test('the output of pgbench is parsed exactly', () => {
  assert.deepEqual(parsePgbenchOutput(pgbenchOutput), { perSecond: 13186.330128, meanMs: 4.85, rows: 65930 });
});

test('pgbench output without a figure or with a failed transaction is rejected', () => {
  assert.throws(() => parsePgbenchOutput('pgbench: error: connection refused'), /connection refused/);
  const failed = pgbenchOutput.replace('failed transactions: 0', 'failed transactions: 3');
  assert.throws(() => parsePgbenchOutput(failed), /no good figures/);
});

test('an unexpected status, a missing response and a broken connection are each reported', () => {
  const driven = parseWrkOutput(wrkOutput);
  assert.deepEqual(findWrongResponses(driven, [200, 200]), []);
  const wrong = { ...driven, statuses: { 200: 7864, 500: 1 }, broken: 1 };
  assert.deepEqual(findWrongResponses(wrong, [200, 200]), [
    '7864 answers of status 200 instead of 7866',
    '1 answers of status 500 instead of 0',
    '1 connections broke or timed out',
  ]);
  assert.deepEqual(findWrongResponses(driven, [200, 303]), [
    '7866 answers of status 200 instead of 3933',
    '0 answers of status 303 instead of 3933',
  ]);
});

test('the median of an even number of values is the mean of the middle two', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([9, 1, 5, 100]), 7);
  assert.equal(median([4]), 4);
  assert.throws(() => median([]), /no median/);
  assert.throws(() => mean([]), /no mean/);
});

test('a ratio without both measurements, or with a divisor of 0, is not measured', () => {
  assert.equal(ratio(3, 12), 0.25);
  assert.equal(ratio(undefined, 12), undefined);
  assert.equal(ratio(3, undefined), undefined);
  assert.throws(() => ratio(3, 0), /measures nothing/);
  assert.throws(() => ratio(3, Number.NaN), /measures nothing/);
});

const bounds = [
  { name: 'create', what: 'create', atLeast: 1 },
  { name: 'memory', what: 'memory', atMost: 200 },
];
const verdictsOf = (reached: Record<string, number | undefined>) =>
  checkBudget(reached, bounds).map(({ verdict }) => verdict);

test('a figure at its limit passes, and one beyond it fails', () => {
  assert.deepEqual(verdictsOf({ create: 1, memory: 200 }), ['reached', 'reached']);
  assert.deepEqual(verdictsOf({ create: 0.999, memory: 200.1 }), ['short', 'short']);
});

test('a figure that is not a number fails, and one that was not measured neither passes nor fails', () => {
  assert.deepEqual(verdictsOf({ create: Number.NaN }), ['short', 'not measured']);
});

test('a figure without a limit is rejected', () => {
  assert.throws(() => checkBudget({ creat: 1 }, bounds), /nothing bounds the figure creat/);
});

const reading = (perSecond: number) => ({
  perSecond,
  p50Ms: 1,
  p99Ms: 20,
  answered: 1,
  finishedPerSecond: perSecond / 2,
  written: { links: 1, paid: 1, sessions: 0 },
  serviceCpuSeconds: 1,
  postgresCpuSeconds: 1,
  serviceMb: 150,
  postgresMb: 100,
  rowsPerPayment: 2,
  walBytesPerPayment: 3_000,
  walBytes: 6_000,
});

function roundOf(size: number, create: number, insert: number, echo = 20_000): BenchRound {
  const yardsticks = {
    insertPerSecond: insert,
    insertMeanMs: 5,
    indexedInsertPerSecond: insert / 2,
    echoPerSecond: echo,
  };
  const readings = { 'create-64': reading(create), pay: reading(create / 10) };
  return { size, before: yardsticks, after: yardsticks, yardsticks, readings, journey: null, webhooks: null };
}

const nothingElse = {
  fresh: null,
  page: null,
  slowestBody: null,
  starts: null,
  dashboard: null,
  webhookFlood: null,
  loginFlood: null,
};

test('ratios are taken within each round, and their median must meet the budget', () => {
  // In the second round the machine and the service are twice as fast, so the ratio stays.
  const rounds = [roundOf(10_000, 500, 1_000), roundOf(10_000, 1_000, 2_000), roundOf(10_000, 900, 1_000)];
  const reached = figuresOf({ rounds, ...nothingElse });
  assert.equal(reached.create, 0.5);
  assert.equal(reached['create-p99'], 4);
  assert.equal(reached.pay, 0.1);
  assert.equal(reached['pay-insert'], 0.05);
  assert.equal(reached['pay-finished'], 0.025);
  assert.equal(reached.page, undefined);
  assert.equal(reached['create-growth'], undefined);
  assert.deepEqual(
    checkBudget(reached)
      .filter(({ verdict }) => verdict === 'short')
      .map(({ name }) => name),
    ['create', 'pay', 'pay-insert', 'pay-finished'],
  );
});

test('growth compares the largest table with the smallest; all other figures use the smallest', () => {
  // In the second round the machine is twice as fast, and the service is not.
  const rounds = [roundOf(10_000, 1_000, 1_000), roundOf(5_000_000, 1_500, 2_000, 40_000)];
  const reached = figuresOf({ rounds, ...nothingElse });
  assert.equal(reached.create, 1);
  assert.equal(reached['create-growth']?.toFixed(6), '0.750000');
});

test('for create and for pay, the first seconds of a new database are compared with later ones', () => {
  const shortOf = (create: number, pay: number) => {
    const paceOf = (firstPerSecond: number) => ({ firstPerSecond, laterPerSecond: 1_000 });
    const fresh = { create: paceOf(create), pay: paceOf(pay), insertPerSecond: 1_000 };
    const verdicts = checkBudget(figuresOf({ ...nothingElse, rounds: [roundOf(10_000, 1, 1)], fresh }));
    return verdicts
      .filter(({ name, verdict }) => name.startsWith('first-') && verdict === 'short')
      .map(({ name }) => name);
  };
  assert.deepEqual(shortOf(800, 800), []);
  assert.deepEqual(shortOf(799, 1_000), ['first-create']);
  assert.deepEqual(shortOf(1_000, 500), ['first-pay']);
});

test('every reported figure has a limit, and every limit has a figure', () => {
  const received = Object.keys(figuresOf({ rounds: [roundOf(10_000, 1, 1)], ...nothingElse }));
  assert.deepEqual(received.toSorted(), budget.map(({ name }) => name).toSorted());
});

test('options are parsed strictly', () => {
  const options = readOptions(
    ['--only', 'page,pay', '--size', '5000000,10000', '--repeat', '1', '--check'],
    ['page', 'pay'],
  );
  assert.deepEqual(options, {
    isJson: false,
    isCheck: true,
    only: ['page', 'pay'],
    sizes: [10_000, 5_000_000],
    seconds: 10,
    repeat: 1,
  });
  assert.throws(() => readOptions(['--only', 'pages'], ['page']), /--only knows page, not "pages"/);
  assert.throws(() => readOptions(['--seconds', '1.5'], []), /--seconds takes a whole number/);
  assert.throws(() => readOptions(['--fast'], []), /--fast/);
});
