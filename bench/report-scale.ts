// The figures of docs/scale.md as tables: old rows, cells, and the placement of companies.

import type { CellsThroughput } from './cells.ts';
import type { OldRows } from './old-rows.ts';
import type { PlacementFigures } from './place-companies.ts';
import { formatTable, show } from './report.ts';

export type ScaleFindings = {
  oldRows: readonly OldRows[] | null;
  cells: CellsThroughput | null;
  placements: readonly PlacementFigures[] | null;
};

const count = (number: number) => number.toLocaleString('en');

function formatOldRows(all: readonly OldRows[]): string[] {
  const head = ['payments', ...all.map(({ payments }) => count(payments))];
  const row = (title: string, of: (at: OldRows) => number) => [title, ...all.map((at) => show(of(at)))];
  const bursts = (all[0]?.bursts ?? []).flatMap(({ payments, compression }, place) => {
    const title = `${count(payments)} between checkpoints, compression ${compression}`;
    return [
      row(`${title}: log, kB each`, ({ bursts: found }) => found[place]?.walKb ?? Number.NaN),
      row('  whole pages each', ({ bursts: found }) => found[place]?.images ?? Number.NaN),
    ];
  });
  const levels = (at: OldRows) => at.indexes.map((index) => index.levels);
  const table = formatTable(head, [
    row('pages used by writing statements, each', ({ write }) => write.buffers),
    row('records in the log, each', ({ write }) => write.walRecords),
    row('log without whole pages, kB each', ({ write }) => write.walBytes / 1_000),
    ...bursts,
    row('levels of the deepest index', (at) => Math.max(...levels(at))),
    row('levels of all indexes together', (at) => levels(at).reduce((sum, each) => sum + each, 0)),
    row('bytes, each', ({ tables, payments }) => {
      const bytes = tables.reduce((sum, { heapBytes, indexBytes }) => sum + heapBytes + indexBytes, 0);
      return bytes / payments;
    }),
    row('pages read by vacuum', ({ vacuumBuffers }) => vacuumBuffers),
    row('pages read by analyze', ({ analyzeBuffers }) => analyzeBuffers),
    row('nightly check, s', ({ verifySeconds }) => verifySeconds),
    row('  CPU of PostgreSQL, s', ({ verifyCpuSeconds }) => verifyCpuSeconds),
  ]);
  const last = all.at(-1);
  const images = (last?.images ?? []).slice(0, 6).map(({ name, images: found }) => `${name} ${count(found)}`);
  const sizes = (last?.tables ?? []).map(
    ({ name, heapBytes, indexBytes }) =>
      `${name} ${show((heapBytes + indexBytes) / (last?.payments ?? 1) / 1_000)} kB`,
  );
  return [
    table,
    `whole pages in the log at the largest size: ${images.join(', ')}`,
    `tables and indexes, each payment: ${sizes.join(', ')}`,
  ];
}

function formatCells({ shareOfCore, readings }: CellsThroughput): string[] {
  const list = (numbers: readonly number[]) => numbers.map(show).join(' ');
  const rows = readings.map((each) => [
    `${each.loaded} of ${each.cells}`,
    show(each.perSecond),
    show(each.finishedPerSecond),
    show(each.p50Ms),
    show(each.p99Ms),
    show(each.serviceCpuSeconds),
    list(each.postgresCpuSeconds),
    list(each.throttled),
  ]);
  const head = [
    'loaded cells',
    'per s',
    'finished',
    'p50 ms',
    'p99 ms',
    'service CPU s',
    'PostgreSQL CPU s',
    'at limit',
  ];
  return [
    `links and payments in turn; PostgreSQL of each cell has ${shareOfCore} of a core`,
    formatTable(head, rows),
  ];
}

function formatPlacements(all: readonly PlacementFigures[]): string[] {
  const rows = all.map(({ exponent, median, worst }) => [
    String(exponent),
    `${show(median.largest)} (${show(worst.largest)})`,
    `${show(median.unmoved.fullest)} (${show(worst.unmoved)})`,
    `${show(median.relieved.fullest)} (${show(worst.relieved)})`,
    show(median.relieved.emptiest),
    `${show(median.worstFilling)} (${show(worst.worstFilling)})`,
    `${show(median.moves)} (${show(worst.moves)})`,
    show(median.movedShare),
  ]);
  const head = [
    'exponent',
    'largest company',
    'fullest, no moves',
    'fullest',
    'emptiest',
    'filling',
    'moves',
    'moved',
  ];
  return ['medians, and the worst in brackets; 1 is the mean cell', formatTable(head, rows)];
}

export function formatScale({ oldRows, cells, placements }: ScaleFindings): string {
  const parts = [
    ...(placements ? formatPlacements(placements) : []),
    ...(cells ? formatCells(cells) : []),
    ...(oldRows ? formatOldRows(oldRows) : []),
  ];
  return `${parts.join('\n\n')}\n`;
}
