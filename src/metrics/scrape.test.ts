// Scrapes of a status that the test gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { countEvents } from './count-events.ts';
import { metricNames } from './definitions.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { createScrape, type DatabaseSource } from './scrape.ts';

type Status = Awaited<ReturnType<DatabaseSource['readStatus']>>;

const status: Status = {
  at: new Date(0),
  downCells: [],
  work: [{ kind: 'emails', due: 2, oldestDueSeconds: 30, dead: 1 }],
  unknownAttempts: [{ mode: 'test', count: 0, oldestSeconds: null }],
  connections: [{ processor: 'example', mode: 'live', health: 'failing', count: 3 }],
  failingEndpoints: 4,
  openCases: [{ kind: 'attempt', count: 5 }],
  jobs: [],
  oldestUnsealedSeconds: null,
};

async function openScrape(...sources: [Partial<DatabaseSource>, ...Partial<DatabaseSource>[]]) {
  const errors: unknown[] = [];
  const recorder = await openRecorder({ error: (fields) => void errors.push(fields) });
  const poolState = () => ({ idle: 3, busy: 2, waiting: 1, size: 10 });
  const log = { warn: (fields: object) => void errors.push(fields) };
  const given = { cell: null, ping: async () => undefined, poolState, readStatus: async () => status };
  const databases = () => sources.map((source) => ({ ...given, ...source }));
  const downCells: string[] = [];
  const scrape = createScrape({ recorder, log, databases, downCells: () => downCells });
  return { errors, recorder, downCells, scrape };
}

const countingWith = (recorder: Recorder) => ({
  ...{ recorder, clock: systemClock, methodOf: () => 'card', declineCodes: new Set<string>() },
});

test('concurrent scrapes share one reading of the database, and the next scrape reads again', async () => {
  let readings = 0;
  const readStatus = async () => {
    readings += 1;
    return status;
  };
  const { scrape } = await openScrape({ readStatus });
  const texts = await Promise.all(Array.from({ length: 10 }, async () => await scrape()));
  assert.equal(readings, 1);
  for (const text of texts) assert.match(text, /^paylink_work_due\{kind="emails"\} 2$/m);
  await scrape();
  assert.equal(readings, 2);
});

test('a number that is not known is NaN, as the format spells it', async () => {
  const { recorder } = await openScrape({});
  recorder.set('paylink_database_pool_size', {}, Number.NaN);
  assert.match(await recorder.write(), /^paylink_database_pool_size NaN$/m);
});

test('a scrape has the values of the status and of the pool', async () => {
  const { scrape } = await openScrape({});
  const text = await scrape();
  for (const line of [
    'paylink_work_oldest_due_seconds{kind="emails"} 30',
    'paylink_work_dead{kind="emails"} 1',
    'paylink_attempts_unknown_oldest_seconds{mode="test"} 0',
    'paylink_processor_connections{processor="example",mode="live",health="failing"} 3',
    'paylink_webhook_endpoints_failing 4',
    'paylink_cases_open{kind="attempt"} 5',
    'paylink_events_unsealed_oldest_seconds 0',
    'paylink_database_up 1',
    'paylink_database_pool_connections{state="busy"} 2',
    'paylink_database_pool_waiting 1',
    'paylink_database_pool_size 10',
  ])
    assert.ok(text.split('\n').includes(line), line);
});

test('an age that is not known is absent, not 0', async () => {
  const unknownAttempts: Status['unknownAttempts'] = [{ mode: 'live', count: 7, oldestSeconds: null }];
  const { scrape } = await openScrape({ readStatus: async () => ({ ...status, unknownAttempts }) });
  const text = await scrape();
  assert.match(text, /^paylink_attempts_unknown\{mode="live"\} 7$/m);
  assert.doesNotMatch(text, /^paylink_attempts_unknown_oldest_seconds\{/m);
});

test('a status that cannot be read while the database answers is logged, and shown by a metric of its own', async () => {
  const healthy = await openScrape({});
  assert.match(await healthy.scrape(), /^paylink_status_read 1$/m);
  const err = new Error('permission denied');
  const { scrape, errors } = await openScrape({ readStatus: async () => await Promise.reject(err) });
  const text = await scrape();
  assert.match(text, /^paylink_database_up 1$/m);
  assert.match(text, /^paylink_status_read 0$/m);
  assert.deepEqual(errors, [{ err }]);
});

test('a nightly check that was not complete is counted, and does not end what an earlier one found', async () => {
  const { recorder, scrape } = await openScrape({});
  const { onNightlyCheck } = countEvents(countingWith(recorder));
  onNightlyCheck('ledger', { discrepancies: 3, notMade: 0 }, null);
  onNightlyCheck('ledger', { discrepancies: 0, notMade: 2 }, null);
  const text = await scrape();
  assert.match(text, /^paylink_ledger_discrepancies\{check="ledger"\} 3$/m);
  assert.match(text, /^paylink_comparisons_not_made\{check="ledger"\} 2$/m);
  onNightlyCheck('ledger', { discrepancies: 0, notMade: 0 }, null);
  assert.match(await scrape(), /^paylink_ledger_discrepancies\{check="ledger"\} 0$/m);
});

test('what a nightly check found is reported until any process has made the check again', async () => {
  const { recorder, scrape } = await openScrape({});
  const { onNightlyCheck, onJobs } = countEvents(countingWith(recorder));
  onNightlyCheck('ledger', { discrepancies: 3, notMade: 1 }, null);
  onNightlyCheck('processor', { discrepancies: 2, notMade: 0 }, null);
  const succeeded = (afterMs: number) =>
    onJobs(
      [
        { name: 'verify-ledger', lastSuccessAt: new Date(systemClock.now().getTime() + afterMs) },
        { name: 'compare-processors', lastSuccessAt: null },
      ],
      null,
    );
  succeeded(1_000);
  assert.match(await scrape(), /^paylink_ledger_discrepancies\{check="ledger"\} 3$/m);
  succeeded(10 * 60_000);
  const text = await scrape();
  assert.doesNotMatch(text, /check="ledger"/);
  assert.match(text, /^paylink_ledger_discrepancies\{check="processor"\} 2$/m);
  onNightlyCheck('ledger', { discrepancies: 0, notMade: 0 }, null);
  assert.match(await scrape(), /^paylink_ledger_discrepancies\{check="ledger"\} 0$/m);
});

test('a reading that fails leaves its metrics out, and only them', async () => {
  const fail = async () => await Promise.reject(new Error('gone'));
  const { scrape } = await openScrape({ readStatus: fail, ping: fail });
  const text = await scrape();
  assert.match(text, /^paylink_database_up 0$/m);
  assert.doesNotMatch(text, /^paylink_(work_due|webhook_endpoints_failing|events_unsealed)/m);
  assert.match(text, /^process_cpu_seconds_total /m);
});

test('a database that is read-only counts as down, and one that is only busy does not', async () => {
  const readOnly = Object.assign(new Error('read-only'), { code: '25006' });
  const standby = await openScrape({ ping: async () => await Promise.reject(readOnly) });
  assert.match(await standby.scrape(), /^paylink_database_up 0$/m);
  const busy = await openScrape({ ping: async () => await Promise.reject(new Error('all are busy')) });
  assert.match(await busy.scrape(), /^paylink_database_up 1$/m);
});

test('a fault in counting never reaches the caller, and is logged once', async () => {
  const { errors, recorder } = await openScrape({});
  const wrong = { limit: 'api', customer: 'ada@example.com' };
  for (let times = 0; times < 3; times++) recorder.count('paylink_rate_limited_total', wrong);
  assert.equal(errors.length, 1);
  assert.doesNotMatch(await recorder.write(), /ada@example\.com/);
});

test('names and labels follow the rules of Prometheus', () => {
  for (const name of metricNames) assert.match(name, /^paylink_[a-z]+(_[a-z]+)*$/);
});

test('with several cells every number of a database names its cell, and each is read alone', async () => {
  const fails = async () => await Promise.reject(new Error('gone'));
  const { scrape, downCells, recorder } = await openScrape(
    { cell: 'eu1' },
    { cell: 'eu2', readStatus: async () => ({ ...status, failingEndpoints: 9 }) },
    { cell: 'eu3', readStatus: fails, ping: fails },
  );
  downCells.push('eu4');
  countEvents(countingWith(recorder)).onNightlyCheck('ledger', { discrepancies: 3, notMade: 0 }, 'eu2');
  const lines = (await scrape()).split('\n').filter((line) => line.startsWith('paylink_'));
  for (const line of [
    'paylink_cell_up{cell="eu1"} 1',
    'paylink_cell_up{cell="eu3"} 0',
    'paylink_cell_up{cell="eu4"} 0',
    'paylink_status_read{cell="eu2"} 1',
    'paylink_status_read{cell="eu3"} 0',
    'paylink_webhook_endpoints_failing{cell="eu1"} 4',
    'paylink_webhook_endpoints_failing{cell="eu2"} 9',
    'paylink_work_due{kind="emails",cell="eu1"} 2',
    'paylink_ledger_discrepancies{check="ledger",cell="eu2"} 3',
    'paylink_database_pool_size{cell="eu3"} 10',
    // The first has the directory.
    'paylink_database_up 1',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
  assert.deepEqual(
    lines.filter((line) => /^paylink_(work|attempts|cases|events)/.test(line) && !line.includes('cell=')),
    [],
  );
});

test('without cells no number names a cell', async () => {
  const { scrape } = await openScrape({});
  assert.doesNotMatch(await scrape(), /cell="|^paylink_cell_up[ {]/m);
});
