// A reporter for node:test that writes one JSON object per line: the counts and the slowest files at the end, and the
// files under way, so that the runner can name files that never ended. Must not: count a file without tests as a passed
// test, as Node's own summary does.

import path from 'node:path';

/** @param {{ name: string; nesting: number; file?: string }} data whether an event is about a whole file */
function isFile(data) {
  return data.nesting === 0 && data.file !== undefined && path.resolve(data.name) === data.file;
}

/** @param {AsyncIterable<import('node:test/reporters').TestEvent>} events */
export default async function* countTests(events) {
  const underWay = new Set();
  /** @type {Map<string, number>} */
  const startedAt = new Map();
  /** @type {{ file: string; seconds: number }[]} */
  const ended = [];
  let empty = 0;
  for await (const { type, data } of events) {
    if (type === 'test:dequeue' && isFile(data)) {
      underWay.add(data.name);
      startedAt.set(data.name, performance.now());
      yield `${JSON.stringify({ underWay: [...underWay] })}\n`;
    } else if (type === 'test:complete' && isFile(data)) {
      underWay.delete(data.name);
      const ms = performance.now() - (startedAt.get(data.name) ?? 0);
      const file = path.relative('', data.name);
      // Outside are the modules of groups, which are deleted after the run.
      if (!file.startsWith('..')) ended.push({ file, seconds: Math.round(ms / 1_000) });
      yield `${JSON.stringify({ underWay: [...underWay] })}\n`;
    } else if (type === 'test:pass' && isFile(data)) {
      empty += 1;
    } else if (type === 'test:summary' && data.file === undefined) {
      const { tests, passed, skipped, todo } = data.counts;
      const left = skipped + todo;
      const slowest = ended.sort((a, b) => b.seconds - a.seconds).slice(0, 15);
      yield `${JSON.stringify({ passed: passed - empty, failed: tests - passed - left, left, slowest })}\n`;
    }
  }
}
