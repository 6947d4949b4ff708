// Reads CSV like a foreign program: by the grammar of RFC 4180, without code of the service.

export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The rows by the names in the header row. Our files begin with a byte order mark. */
export function readTable(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

/** Removes the apostrophe of docs/api.md in front of a formula, at the start of a cell or after a separator. */
export function readCell(cell: string): string {
  const passedOver = String.raw`(?:(?![\t\r\n])[\p{White_Space}\p{Default_Ignorable_Code_Point}"])*`;
  const rules = [
    [`(^${passedOver})'('*)(?=[=+@\\-\\t\\r\\n＝＋－＠])`, 'u'],
    [`([;\\t]${passedOver})'('*)(?=[=+@\\-\\t\\r＝＋－＠])`, 'gu'],
    [`([,\\r\\n]${passedOver})'('*)(?=[=+@\\-\\t＝＋－＠])`, 'gu'],
    [String.raw`(\n)'('*)(?=\r(?!\n))`, 'gu'],
  ] as const;
  return rules.reduce((text, [form, flags]) => text.replace(new RegExp(form, flags), '$1$2'), cell);
}
