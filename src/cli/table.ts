// Tables and fields for a terminal. Control characters in untrusted text are replaced: a row is one line.

import { stripControlCharacters } from './terminal.ts';

type Layout = { isRight?: boolean; isShrinkable?: boolean };

/** A column of a table, with the text of each item. A shrinkable one is cut if the terminal is too narrow. */
export type Column<Item> = Layout & { title: string; text(item: Item): string };

const minColumnWidth = 8;
const gap = 2;

async function loadLayout() {
  const [ui, measure, cut] = await Promise.all([
    import('cliui'),
    import('string-width'),
    import('cli-truncate'),
  ]);
  return { ui: ui.default, measure: measure.default, cut: cut.default };
}

/** The width of each column: its widest cell. The widest shrinkable columns are reduced until the row fits. */
function fitWidths(columns: readonly Layout[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, one) => sum + one + gap, -gap);
  while (total() > width) {
    const shrinkable = widths.flatMap((one, index) =>
      columns[index]?.isShrinkable && one > minColumnWidth ? [{ one, index }] : [],
    );
    const widest = shrinkable.toSorted((a, b) => b.one - a.one)[0];
    if (!widest) break;
    widths[widest.index] = widest.one - 1;
  }
  return widths;
}

async function layOut(
  columns: readonly Layout[],
  texts: readonly (readonly string[])[],
  width: number,
): Promise<string[]> {
  const { ui, measure, cut } = await loadLayout();
  const natural = columns.map((_, index) => Math.max(0, ...texts.map((row) => measure(row[index] ?? ''))));
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

/** The items as lines that fit the width, as far as the shrinkable columns allow it. Untitled columns have no header. */
export async function formatTable<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  width: number,
): Promise<string[]> {
  const titles = columns.map(({ title }) => title);
  const rows = items.map((item) => columns.map(({ text }) => stripControlCharacters(text(item))));
  return await layOut(columns, titles.some(Boolean) ? [titles, ...rows] : rows, width);
}

/** Omits those whose value is null. */
export async function formatFields(
  fields: readonly (readonly [name: string, value: string | number | null])[],
): Promise<string[]> {
  const rows = fields.flatMap(([name, value]) =>
    value === null ? [] : [[name, stripControlCharacters(String(value))]],
  );
  return await layOut([{}, {}], rows, Number.POSITIVE_INFINITY);
}
