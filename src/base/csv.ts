// Writes CSV (RFC 4180) that a spreadsheet can open without running anything: every value is quoted, and what
// a spreadsheet could take for a formula is marked. All exports write their lines here.

/** What makes a spreadsheet take a cell for a formula, as regular or full-width characters. */
const formula = '=+\\-@\\t＝＋－＠';
/** What a spreadsheet may pass over before it looks at the first character of a cell. */
const skipped = '(?:(?![\\t\\r\\n])[\\p{White_Space}\\p{Default_Ignorable_Code_Point}"])*';

const atStart = new RegExp(`^(${skipped})('*)(?=[${formula}\\r\\n])`, 'u');
// The first character is not consumed: a tab is one, and separates as well. A line break behind a comma or behind
// another one is ordinary text, and no reader begins a cell with it.
const afterSeparator = new RegExp(
  `([;\\t]${skipped})('*)(?=[${formula}\\r])|([,\\r\\n]${skipped})('*)(?=[${formula}])`,
  'gu',
);

/**
 * Text in which no cell is a formula, whichever of comma, semicolon, tab and line break a spreadsheet separates by:
 * an apostrophe stands before what would begin one. One more stands before apostrophes that the value has there
 * itself, so the value is found by removing one.
 */
function neutralise(text: string): string {
  return text.replace(afterSeparator, "$1$3'$2$4").replace(atStart, "$1'$2");
}

/** A cell. An object is written as JSON; null is an empty cell without quotes. */
export function csvCell(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${neutralise(text).replaceAll('"', '""')}"`;
}

/** A line of cells, with its end. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
