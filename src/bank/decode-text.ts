// Decodes a bank's file in small pieces. Must not guess: bytes that are invalid in its encoding are refused.

import { StatementError, type StatementErrorCode } from './statement.ts';

/** Maximum bytes of one piece of text, however large the incoming chunks are. */
const pieceBytes = 16 * 1024;

/** Enough for an XML declaration, which is at the very beginning. */
const headBytes = 512;

type Decode = (bytes: Uint8Array, isLast: boolean) => string;

async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
}

function refuse(code: StatementErrorCode, detail: string): never {
  throw new StatementError(code, detail, null);
}

function refuseOtherFiles(head: Buffer): void {
  const opening = head.toString('latin1', 0, 4);
  if (opening.startsWith('PK') || opening.startsWith('\x1f\x8b'))
    refuse('not_xml', 'The file is an archive. Unpack it and send each XML file separately.');
  if (opening === '%PDF')
    refuse('not_xml', 'The file is a PDF. Ask the bank for the statement as camt.053 in XML.');
  if (/^(\xfe\xff|\xff\xfe)/.test(opening) || head.subarray(0, 4).includes(0))
    refuse('encoding', 'The file is encoded in UTF-16 or UTF-32. Save it as UTF-8 and send it again.');
  if (!/^(\xef\xbb\xbf)?\s*(<|$)/.test(head.toString('latin1')))
    refuse(
      'not_xml',
      'The file is not XML. Ask the bank for the statement as camt.053 or camt.054; CSV and MT940 are not supported.',
    );
}

function decodeUtf8(): Decode {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes, isLast) => {
    try {
      return decoder.decode(bytes, { stream: !isLast });
    } catch {
      if (isLast)
        return refuse(
          'truncated',
          'The file ends in the middle of a character. Download it from the bank again.',
        );
      return refuse(
        'encoding',
        'The file has bytes that are not UTF-8. It is damaged or declares the wrong encoding. Download it from the bank again.',
      );
    }
  };
}

/** Chooses the decoder by the XML declaration. Each byte of ISO-8859-1 is the character of the same number. */
function chooseDecode(head: Buffer): Decode {
  refuseOtherFiles(head);
  const declaration = /^\s*<\?xml[^>]*?\sencoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')/.exec(
    head.toString('latin1'),
  );
  const encoding = (declaration?.[1] ?? declaration?.[2] ?? 'utf-8').toLowerCase();
  if (encoding === 'utf-8' || encoding === 'utf8' || encoding === 'us-ascii') return decodeUtf8();
  if (encoding === 'iso-8859-1' || encoding === 'latin1')
    return (bytes) => Buffer.from(bytes).toString('latin1');
  return refuse(
    'encoding',
    `The file is encoded in ${JSON.stringify(encoding.slice(0, 40))}. Supported are UTF-8 and ISO-8859-1. Save it as UTF-8, with encoding="UTF-8" in its first line, and send it again.`,
  );
}

/** The text of an XML file, by its declaration, without a byte order mark. Throws StatementError. */
export async function* decodeText(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head = Buffer.alloc(0);
  let decode: Decode | null = null;
  for await (const piece of inPieces(source)) {
    if (decode) {
      yield decode(piece, false);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < headBytes) continue;
    decode = chooseDecode(head);
    yield decode(head, false);
  }
  if (!decode) {
    decode = chooseDecode(head);
    yield decode(head, false);
  }
  yield decode(Buffer.alloc(0), true);
}
