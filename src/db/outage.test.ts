import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import {
  isReportedAsOutage,
  isUnavailable,
  monitorOutages,
  type OutageEvent,
  type OutageMonitor,
} from './outage.ts';

type Fixture = {
  watch: OutageMonitor;
  news: OutageEvent[];
  kinds(): string[];
  isUp: boolean;
  /** Advances time and runs what falls due. */
  pass(ms: number): Promise<void>;
};
let fixture: Fixture;
let nowMs = 0;

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const late = () => new Error('Query read timeout');
const use = () => ({ since: nowMs, hasFailed: false });

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => nowMs);
  const news: OutageEvent[] = [];
  const made: Fixture = {
    news,
    isUp: true,
    kinds: () => news.map(({ kind }) => kind),
    pass: async (ms) => {
      for (let passed = 0; passed < ms; passed += 50) {
        nowMs += 50;
        mock.timers.tick(50);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      }
    },
    watch: monitorOutages({
      probe: async () => {
        if (!made.isUp) throw refused();
      },
      onEvent: (event) => news.push(event),
    }),
  };
  fixture = made;
});
afterEach(() => {
  fixture.watch.stop();
  mock.reset();
  mock.timers.reset();
});

test('an outage is reported once when it begins and once when it ends, however many uses fail', async () => {
  fixture.isUp = false;
  const errors = Array.from({ length: 50 }, refused);
  for (const error of errors) {
    fixture.watch.failed(error, use());
    await fixture.pass(200);
  }
  assert.deepEqual(fixture.kinds(), ['began']);
  assert.ok(errors.every(isReportedAsOutage));
  fixture.isUp = true;
  await fixture.pass(1_000);
  assert.deepEqual(fixture.kinds(), ['began', 'ended']);
  const [, ended] = fixture.news;
  assert.ok(ended?.kind === 'ended');
  assert.deepEqual([ended.failures, ended.tookMs >= 10_000], [50, true]);
});

test('a use with many failed statements counts once', async () => {
  const one = use();
  for (let count = 0; count < 5; count++) fixture.watch.failed(refused(), one);
  await fixture.pass(1_000);
  assert.ok(fixture.news[1]?.kind === 'ended' && fixture.news[1].failures === 1);
});

test('work that began before the end of an outage and fails later belongs to it; later work does not', async () => {
  const old = use();
  fixture.watch.failed(refused(), use());
  await fixture.pass(2_000);
  assert.deepEqual(fixture.kinds(), ['began', 'ended']);
  const straggler = late();
  await fixture.pass(10_000);
  fixture.watch.failed(straggler, old);
  assert.deepEqual([fixture.kinds().length, isReportedAsOutage(straggler)], [2, true]);
  fixture.watch.failed(refused(), use());
  assert.deepEqual(fixture.kinds(), ['began', 'ended', 'began']);
});

test('a timeout is an outage only if no other use got a response recently', async () => {
  await fixture.pass(10_000);
  fixture.watch.answered();
  const busy = late();
  fixture.watch.failed(busy, use());
  assert.deepEqual([fixture.kinds(), isReportedAsOutage(busy)], [[], false]);
  await fixture.pass(5_000);
  fixture.watch.failed(late(), use());
  assert.deepEqual(fixture.kinds(), ['began']);
});

test('an error with others in it belongs to the outage only if all of them do', () => {
  const errors = [refused(), refused()];
  for (const error of errors) fixture.watch.failed(error, use());
  assert.deepEqual(fixture.kinds(), ['began']);
  const isReported = (...all: Error[]) =>
    isReportedAsOutage(new Error('failed', { cause: new AggregateError(all) }));
  assert.deepEqual(
    [isReported(...errors), isReported(...errors, new Error('a bug')), isReported()],
    [true, false, false],
  );
});

test('an error of a statement is not an outage', () => {
  for (const code of ['23505', '40001', '57014', '55P03', '53100', '42501', '28000', '3D000', '55000']) {
    const error = Object.assign(new Error('refused'), { code });
    fixture.watch.failed(error, use());
    assert.deepEqual([fixture.kinds(), isReportedAsOutage(error)], [[], false], code);
  }
});

test('a server that shuts down, is gone or read-only is an outage', () => {
  for (const code of [
    '25006',
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '08001',
    '53300',
    'ECONNRESET',
    'ENOTFOUND',
  ]) {
    const error = Object.assign(new Error('gone'), { code });
    assert.ok(isUnavailable(error), code);
    const { watch, news } = fixture;
    watch.failed(error, use());
    assert.ok(isReportedAsOutage(error), code);
    assert.equal(news.length, 1);
  }
});

test('lost idle connections are reported once if the server works, else as an outage', async () => {
  for (let count = 0; count < 5; count++) fixture.watch.onIdleConnectionLost(refused());
  await fixture.pass(500);
  assert.deepEqual(
    fixture.news.map((one) => [one.kind, 'count' in one && one.count]),
    [['idle_lost', 5]],
  );
  fixture.isUp = false;
  for (let count = 0; count < 5; count++) fixture.watch.onIdleConnectionLost(refused());
  await fixture.pass(3_000);
  fixture.isUp = true;
  await fixture.pass(2_000);
  assert.deepEqual(fixture.kinds(), ['idle_lost', 'began', 'ended']);
});

test('an error counts as reported if its cause or a copy was', () => {
  const error = refused();
  fixture.watch.failed(error, use());
  assert.ok(isReportedAsOutage(new Error('outer', { cause: error })));
  assert.ok(isReportedAsOutage({ ...error, message: error.message }));
  for (const other of [null, undefined, 'text', new Error('other')])
    assert.equal(isReportedAsOutage(other), false);
});
