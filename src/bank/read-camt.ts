// Reads a bank statement as a stream: ISO 20022 camt.052, camt.053 or camt.054 in XML. A file is complete only if the
// reading ends without an error. Must not resolve an entity, guess a value, or hold more than one entry of a file.

import { SaxesParser, type SaxesTagNS } from 'saxes';
import { documentSection, type Section, type StatementRecord } from './camt-sections.ts';
import { decodeText } from './decode-text.ts';
import { isMessage, readMessageName, refuseForeignFile } from './message-name.ts';
import {
  refuseFile,
  StatementError,
  type StatementErrorCode,
  type StatementLimits,
  type StatementPart,
  statementLimits,
} from './statement.ts';

type OpenElement = {
  /** Null inside a skipped element. */
  section: Section | null;
  /** Relative to the section's own element, which has `''`. */
  path: string;
  currency: string | null;
  /** Null if the text is not needed. */
  text: string | null;
  hasChildren: boolean;
  /** Outside the message: an envelope of the bank that contains it. */
  isEnvelope: boolean;
};

const skipped: OpenElement = {
  section: null,
  path: '',
  currency: null,
  text: null,
  hasChildren: false,
  isEnvelope: false,
};

type Parser = SaxesParser<{ xmlns: true }>;
type Emit = (records: Iterable<StatementRecord>) => void;

function refuse(parser: Parser, code: StatementErrorCode, detail: string): never {
  throw new StatementError(code, detail, parser.line);
}

/** The open elements of a file. Passes their texts to the sections of the message. */
function openStack(parser: Parser, limits: StatementLimits, emit: Emit) {
  const stack: OpenElement[] = [];
  let namespace = '';

  /** An element outside the message: the message itself, or an envelope of the bank, which is skipped. */
  const openEnvelope = (tag: SaxesTagNS): OpenElement => {
    // A root of this name can only be intended as the message.
    if (!isMessage(tag) && (stack.length > 0 || tag.local !== 'Document'))
      return { ...skipped, isEnvelope: true };
    if (namespace !== '')
      refuse(parser, 'wrong_message', 'The file has more than one Document. Send each as a separate file.');
    const name = readMessageName(tag, parser.line);
    namespace = tag.uri;
    return { ...skipped, section: documentSection(name, { limits, emit }) };
  };

  /** Elements of other namespaces are skipped with their content. */
  const openElement = ({ section, path: parentPath }: OpenElement, tag: SaxesTagNS): OpenElement => {
    if (!section || tag.uri !== namespace) return { ...skipped };
    const path = parentPath === '' ? tag.local : `${parentPath}/${tag.local}`;
    const entered = section.enter?.(path, parser.line);
    if (entered) return { ...skipped, section: entered };
    const currency = tag.attributes.Ccy?.value ?? null;
    return { ...skipped, section, path, currency, text: section.takes?.(path) ? '' : null };
  };

  return {
    isUnfinished: () => stack.length > 0 || namespace === '',
    hasMessage: () => namespace !== '',
    open: (tag: SaxesTagNS) => {
      if (stack.length >= limits.maxDepth)
        refuse(
          parser,
          'too_deep',
          `Elements are nested more than ${limits.maxDepth} deep, which no camt file has. Check that you sent the right file.`,
        );
      const parent = stack.at(-1);
      if (parent) parent.hasChildren = true;
      stack.push(parent && !parent.isEnvelope ? openElement(parent, tag) : openEnvelope(tag));
    },
    close: ({ local: name }: SaxesTagNS) => {
      const { section, path, currency, text, hasChildren } = stack.pop()!;
      if (path === '') section?.end?.(parser.line);
      else if (text !== null && !hasChildren)
        section?.take?.(path, { name, text: text.trim(), currency, line: parser.line });
      else if (text !== null && text.trim() !== '')
        refuseFile('unexpected_part', `${name} has text beside its elements.`, parser.line);
    },
    addText: (text: string) => {
      const open = stack.at(-1);
      if (open && open.text !== null) open.text += text;
    },
  };
}

/** Returns `read`, which parses the next piece, and `end`. Completed records go to `emit`. */
function openReader(limits: StatementLimits, emit: Emit) {
  const parser: Parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const stack = openStack(parser, limits, emit);
  let readLength = 0;
  let lastTagAt = 0;
  let isEnding = false;

  const checkTextLength = (at: number) => {
    if (at - lastTagAt > limits.maxTextLength)
      refuse(
        parser,
        'text_too_long',
        `There are more than ${limits.maxTextLength} characters between two tags, which no camt file has. Check that you sent the right file.`,
      );
  };
  const passTag = (pass: (tag: SaxesTagNS) => void) => (tag: SaxesTagNS) => {
    checkTextLength(parser.position);
    lastTagAt = parser.position;
    pass(tag);
  };
  parser.on('opentag', passTag(stack.open));
  parser.on('closetag', passTag(stack.close));
  parser.on('text', stack.addText);
  parser.on('cdata', stack.addText);
  parser.on('doctype', () =>
    refuse(
      parser,
      'doctype',
      'The file has a document type (DOCTYPE), which can make a reader fetch or multiply data. No camt file needs one: send the file exactly as the bank provided it.',
    ),
  );
  parser.on('error', ({ message }) => {
    if (isEnding && stack.isUnfinished())
      refuse(
        parser,
        'truncated',
        // The parser waits for the end of an entity until the end of the file.
        'The file is empty, ends too early, or has an "&" in a text that should be "&amp;". Download it from the bank again.',
      );
    // The parser's message begins with its own line and column.
    const what = message.replace(/^[\d:\s]*/, '').replace(/\.$/, '');
    refuse(
      parser,
      'not_xml',
      `The file is not well-formed XML (${what}). Send it exactly as the bank provided it, as camt.053 or camt.054.`,
    );
  });
  return {
    read: (text: string) => {
      parser.write(text);
      // Counted here, because the parser's own position is correct only while it parses.
      readLength += text.length;
      checkTextLength(readLength);
    },
    end: () => {
      isEnding = true;
      parser.close();
      if (!stack.hasMessage()) refuseForeignFile(parser.line);
    },
  };
}

/** In the order of the file. Throws StatementError; the parts emitted before must then be discarded. */
export async function* readStatement(
  source: AsyncIterable<Uint8Array>,
  limits: StatementLimits = statementLimits,
): AsyncGenerator<StatementPart> {
  const emitted: Iterable<StatementRecord>[] = [];
  const reader = openReader(limits, (records) => void emitted.push(records));
  let position = 0;
  for await (const text of decodeText(source)) {
    reader.read(text);
    for (const records of emitted.splice(0))
      for (const record of records) {
        if (record.part !== 'line') {
          yield record;
          continue;
        }
        position += 1;
        if (position > limits.maxLines)
          throw new StatementError(
            'too_many_lines',
            `The file has more than ${limits.maxLines} lines. Ask the bank for statements of shorter periods, or for several files.`,
            null,
          );
        yield { ...record, position };
      }
  }
  reader.end();
}
