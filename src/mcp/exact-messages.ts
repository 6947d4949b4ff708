// Reads the messages of a client line by line. A number that JSON.parse would change, such as an amount of many digits,
// becomes a text, which the schema of a tool then refuses. Must not: change an amount silently.

import { parseJson } from '../base/json.ts';
import { isSameDecimal } from '../base/money.ts';

/** A longer message ends the connection. No tool takes more. */
export const maxMessageBytes = 1_048_576;

const lineFeed = 0x0a;

/** The line, with numbers that cannot be held exactly as texts. What is not JSON stays as it is. */
export function withExactNumbers(line: string): string {
  let isChanged = false;
  const keepExact = (_key: string, value: unknown, { source }: { source?: string }) => {
    if (typeof value !== 'number' || source === undefined || isSameDecimal(source, String(value)))
      return value;
    isChanged = true;
    return source;
  };
  try {
    const message = parseJson(line, keepExact);
    return isChanged ? JSON.stringify(message) : line;
  } catch {
    return line;
  }
}

/** The messages of a stream, each with its line feed. Throws if one is too long. */
export async function* readExactMessages(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = Buffer.concat([rest, Buffer.from(chunk)]);
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      yield Buffer.from(`${withExactNumbers(rest.toString('utf8', 0, end))}\n`);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > maxMessageBytes) throw new Error(`it is longer than ${maxMessageBytes} bytes`);
  }
}
