// Two independent libraries read the exports, with every separator that spreadsheets use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import papaparse from 'papaparse';
import { readCell } from '../../test/harness/csv.ts';
import { csvCell, csvLine } from './csv.ts';

const separators = [',', ';', '\t'] as const;
type Separator = (typeof separators)[number];

const readers: Readonly<Record<string, (text: string, delimiter: Separator) => string[][]>> = {
  'csv-parse': (text, delimiter) =>
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
    }),
  papaparse: (text, delimiter) => papaparse.parse<string[]>(text, { delimiter }).data,
};

/** What a spreadsheet may take for a formula, including after spaces. */
const formula = /^(?:[\t\r]|\s*[=+\-@＝＋－＠])/u;

/** The last column of the exports is a number, as here. */
const fileOf = (rows: readonly (readonly string[])[]) => rows.map((row) => csvLine([...row, 1])).join('');

function assertHarmless(rows: readonly (readonly string[])[]): void {
  const text = fileOf(rows);
  for (const [name, read] of Object.entries(readers))
    for (const separator of separators)
      for (const cell of read(text, separator).flat())
        assert.doesNotMatch(
          cell,
          formula,
          `${name} by ${JSON.stringify(separator)}: ${JSON.stringify(text)}`,
        );
}

const attacks = [
  '=1+1',
  "'=1+1",
  "''=1+1",
  'x;=1+1',
  'x,=1+1',
  'x\t=1+1',
  'x\n=1+1',
  'x\r\n=1+1',
  'x;;\t=1+1',
  'x; =1+1',
  'x;"=1+1',
  'x";"=1+1"',
  '"=1+1"',
  '\t=1+1',
  '\r\n=1+1',
  'x;＝1+1',
  '+49 30 901820',
  "x;'=1+1",
  '-2+3+cmd|"/c calc"!A0',
  ';@SUM(A1)',
];

test('no library reads a cell as a formula, with any separator', () => {
  assertHarmless(attacks.map((text) => [text, 'plain', text]));
  for (const text of attacks) assertHarmless([[text]]);
});

const hostileText = fc.string({
  unit: fc.constantFrom(...'=+-@＝;,\t\r\n"\' ax\u00a0\u200b'),
  maxLength: 12,
});

test('no library reads a generated text as a formula, with any separator', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostileText, hostileText), { minLength: 1, maxLength: 3 }), assertHarmless),
    { numRuns: 2_000 },
  );
});

test('split at commas and without the marks, a file has the original values', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostileText, hostileText), { minLength: 1, maxLength: 3 }), (written) => {
      const text = fileOf(written);
      const wanted = written.map((row) => [...row, '1']);
      const read = parse(text, { delimiter: ',' }) as string[][];
      assert.deepEqual(
        read.map((row) => row.map(readCell)),
        wanted,
      );
      const rows = papaparse.parse<string[]>(text, { delimiter: ',', newline: '\r\n' }).data.slice(0, -1);
      assert.deepEqual(
        rows.map((row) => row.map(readCell)),
        wanted,
      );
    }),
    { numRuns: 2_000 },
  );
});

test('a value with its own apostrophe differs from a value that was marked with one', () => {
  const cells = ['=1', "'=1", "''=1", "'x", 'x'].map(csvCell);
  assert.deepEqual(cells, [`"'=1"`, `"''=1"`, `"'''=1"`, `"'x"`, '"x"']);
});

test('every cell with a value is quoted, and an empty one is empty', () => {
  assert.equal(csvLine(['a', 19.99, null, { note: 'x' }]), '"a","19.99",,"{""note"":""x""}"\r\n');
});
