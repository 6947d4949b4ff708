// Runs test files with Node's runner, in the order given, which `node --test` would sort. Started by
// scripts/test.mjs in its own process group. Must not: choose files.

import { createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import countTests from './count-reporter.mjs';

/**
 * @typedef {object} RunOrder
 * @property {string[]} files
 * @property {number} concurrency how many files run at once
 * @property {number} timeout the limit of a test in milliseconds
 * @property {string[]} execArgv Node's options for the processes of the files
 * @property {string} countsFile where the counts go
 */

const { countsFile, ...order } = /** @type {RunOrder} */ (JSON.parse(process.argv[2] ?? ''));

const events = run(order);
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1;
});
const forCounts = events.pipe(new PassThrough({ objectMode: true }));
events.compose(spec).pipe(process.stdout);
forCounts.compose(countTests).pipe(createWriteStream(countsFile));
