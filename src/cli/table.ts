// Tables and fields for a terminal. The libraries that lay them out load with the first one that is shown.
// Text of strangers is always made safe here, and a row is always one line.

import { stripControlCharacters } from './terminal.ts';

/** A column of a table; one that may shrink gives way when the terminal is narrow. */
export type Column = { title: string; isRight?: boolean; mayShrink?: boolean };

const narrowest = 8;
const gap = 2;

async function loadLayout() {
  const [ui, measure, cut] = await Promise.all([
    import('cliui'),
    import('string-width'),
    import('cli-truncate'),
  ]);
  return { ui: ui.default, measure: measure.default, cut: cut.default };
}

/** The width of each column: the widest cell, less what the columns that may shrink give up. */
function fitWidths(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, one) => sum + one + gap, -gap);
  while (total() > width) {
    const shrinkable = widths.flatMap((one, index) =>
      columns[index]?.mayShrink && one > narrowest ? [{ one, index }] : [],
    );
    const widest = shrinkable.toSorted((a, b) => b.one - a.one)[0];
    if (!widest) break;
    widths[widest.index] = widest.one - 1;
  }
  return widths;
}

async function layOut(
  columns: readonly Column[],
  texts: readonly (readonly string[])[],
  width: number,
): Promise<string[]> {
  const { ui, measure, cut } = await loadLayout();
  const natural = columns.map((_, index) => Math.max(...texts.map((row) => measure(row[index] ?? ''))));
  const widths = fitWidths(columns, natural, width);
  return texts.map((row) => {
    const line = ui({ width });
    line.div(
      ...columns.map(({ isRight }, index) => {
        const cell = widths[index] ?? 0;
        const space = index < columns.length - 1 ? gap : 0;
        return {
          text: cut(row[index] ?? '', cell),
          width: cell + space,
          align: isRight ? ('right' as const) : ('left' as const),
          padding: [0, space, 0, 0] as [number, number, number, number],
        };
      }),
    );
    return line.toString();
  });
}

/** Rows as lines that fit the width, under a head, as far as the columns that may shrink allow it. */
export async function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): Promise<string[]> {
  const head = columns.map(({ title }) => title);
  return await layOut(columns, [head, ...rows.map((row) => row.map(stripControlCharacters))], width);
}

/** Names and values as aligned lines. */
export async function formatFields(fields: readonly (readonly [string, string])[]): Promise<string[]> {
  const rows = fields.map(([name, value]) => [name, stripControlCharacters(value)]);
  return await layOut([{ title: '' }, { title: '' }], rows, Number.POSITIVE_INFINITY);
}
