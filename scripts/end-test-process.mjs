// Loaded into every process of `npm test` before its test files. Ends a process that something keeps running after its
// last test, such as an open server, and reports it as failed. Without this, one failed test can hold up the whole run
// until its limit. Must not: end a process while a test runs.

import { after, afterEach, beforeEach } from 'node:test';

/** How long processes and connections that a test has closed may take to end. */
const graceMs = Number(process.env.TEST_END_GRACE_MS ?? 60_000);

/** @type {NodeJS.Timeout | undefined} */
let timer;
let isOver = false;

function end() {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`This process did not end ${graceMs / 1_000} s after its last test. Open: ${open}.\n`);
  process.exit(1);
}

function startTimer() {
  timer = setTimeout(end, graceMs).unref();
}

// It also runs too early, in a file that waits for something before it names its tests.
after(() => {
  isOver = true;
  startTimer();
});
beforeEach(() => clearTimeout(timer));
afterEach(() => {
  if (isOver) startTimer();
});
