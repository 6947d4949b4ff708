// Reads an export while it arrives: the bytes for the file, and how many payments they contain so far. A file that
// ends early is an error and is never saved.

export type ExportProgress = { payments: number; bytes: number };

const quote = 0x22;
const lineFeed = 0x0a;

/** Counts the rows of CSV over its chunks. Line breaks inside quoted cells do not count. */
export function createRowCount(): (chunk: Uint8Array) => number {
  let isQuoted = false;
  let rows = 0;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) rows++;
    }
    return rows;
  };
}

/**
 * The whole file, once it is complete.
 * @throws {Error} if it ends early.
 */
export async function readExport(
  response: Response,
  onProgress: (progress: ExportProgress) => void,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const countRows = createRowCount();
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.byteLength;
    // The first row contains the names.
    onProgress({ payments: Math.max(0, countRows(value) - 1), bytes });
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}
