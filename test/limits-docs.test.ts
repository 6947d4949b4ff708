// Compares docs/limits.md with the settings and with the constants of the code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidSettingsError, readConfig } from '../src/config.ts';
import { bare, read, rowsOf, sectionOf } from './harness/documents.ts';

const page = read('docs/limits.md');

/** The settings with a number that is a limit: all but ports. */
const numericSettings = [...read('.env.example').matchAll(/^#([A-Z_]+)=(\d+(?:\.\d+)?)$/gm)]
  .map(([, name = '', value = '']) => ({ name, value }))
  .filter(({ name }) => !name.endsWith('PORT'));

test('docs/limits.md has every setting with a number, and no other, each with its default', () => {
  const rows = rowsOf(sectionOf(page, '## Limits that you set'));
  assert.ok(numericSettings.length >= 9);
  assert.deepEqual(
    rows.map(([name, value]) => ({ name: bare(name), value: bare(value) })),
    numericSettings,
  );
});

/** The range that the service names when it refuses a setting; null if it names none. */
function rangeOf(name: string): string | null {
  try {
    readConfig({ [name]: 'none' });
    return null;
  } catch (error) {
    assert.ok(error instanceof InvalidSettingsError);
    return error.faults.map((fault) => /from (\d+ to \d+)/.exec(fault)?.[1]).join();
  }
}

test('docs/limits.md has the allowed range of each setting that the service checks', () => {
  let count = 0;
  for (const [name, , allowed] of rowsOf(sectionOf(page, '## Limits that you set'))) {
    // Paylink starts without traces if one of their settings is wrong.
    if (bare(name).startsWith('OTEL_')) continue;
    assert.equal(allowed, rangeOf(bare(name)), name);
    count += 1;
  }
  assert.ok(count >= 7);
});

const unitsOfRows: Readonly<Record<string, number>> = {
  ...{ s: 1_000, min: 60_000, h: 3_600_000, days: 86_400_000 },
  ...{ KiB: 1_024, MiB: 1_048_576 },
};
/** What a constant counts, by the end of its name. */
const unitsOfNames: Readonly<Record<string, number>> = { Days: 86_400_000, Seconds: 1_000 };

/** A value of a row: times in milliseconds, sizes in bytes. */
function readValue(cell: string): number {
  const [number = '', unit] = cell.split(' ');
  const factor = unit === undefined ? 1 : unitsOfRows[unit];
  assert.ok(/^\d+$/.test(number) && factor, `"${cell}" is a value`);
  return Number(number) * factor;
}

/** The value of a constant or a field that is a product of numbers. */
function constantOf(file: string, name: string): number {
  const number = String.raw`(?:[\d_]+|minute|hour|second)`;
  const found = new RegExp(
    String.raw`\b${name}(?:: number)?\s*[:=] (${number}(?: \* ${number})*)[,;\s]`,
  ).exec(read(file));
  assert.ok(found?.[1], `${file} has a number ${name}`);
  const named: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };
  const product = found[1]
    .split(' * ')
    .reduce((value, part) => value * (named[part] ?? Number(part.replaceAll('_', ''))), 1);
  const unit = Object.keys(unitsOfNames).find((end) => name.endsWith(end));
  return product * (unit === undefined ? 1 : (unitsOfNames[unit] ?? 1));
}

test('each fixed limit in docs/limits.md is that of the code', () => {
  const rows = rowsOf(sectionOf(page, '## Fixed limits')).filter(
    ([limit]) => !/^(Limit|-+)$/.test(limit ?? ''),
  );
  assert.ok(rows.length > 50);
  for (const [limit, value = '', , where = ''] of rows) {
    const [, name = '', file = ''] = /^`(\w+)` in `([\w./-]+)`$/.exec(where) ?? [];
    assert.ok(name && file, `${limit} names its constant`);
    assert.equal(constantOf(file, name), readValue(value), limit);
  }
});
