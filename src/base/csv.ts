// Writes CSV (RFC 4180) that a spreadsheet opens without evaluating anything: every value is quoted, and
// values that look like formulas are marked. All exports use it.

/** The characters that start a formula in a spreadsheet, in regular and full width. */
const formula = '=+\\-@\\t＝＋－＠';
/** The characters that a spreadsheet may skip at the start of a cell. */
const skipped = '(?:(?![\\t\\r\\n])[\\p{White_Space}\\p{Default_Ignorable_Code_Point}"])*';

const atStart = new RegExp(`^(${skipped})('*)(?=[${formula}\\r\\n])`, 'u');
// Do not consume the first character: it may be a tab, which is also a separator. A line break after a comma
// or after another line break is ordinary text, except for a lone CR after LF: a reader of CRLF begins a cell with it.
const afterSeparator = new RegExp(
  `([;\\t]${skipped})('*)(?=[${formula}\\r])|([,\\r\\n]${skipped})('*)(?=[${formula}])|(\\n)('*)(?=\\r(?!\\n))`,
  'gu',
);

/**
 * Returns a text in which no cell is a formula, whether the spreadsheet separates by comma, semicolon, tab or
 * line break. An apostrophe precedes a would-be formula. Where the value itself has apostrophes there, one
 * more is added, so removing one restores the value.
 */
function neutralise(text: string): string {
  return text.replace(afterSeparator, "$1$3$5'$2$4$6").replace(atStart, "$1'$2");
}

/** A cell. An object is written as JSON; null is an empty cell without quotes. */
export function csvCell(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${neutralise(text).replaceAll('"', '""')}"`;
}

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
