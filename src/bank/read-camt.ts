// Reads a bank statement as a stream: ISO 20022 camt.052, camt.053 or camt.054 in XML. The emitted parts cover only
// what was read so far. A file is complete only if the reading ends without an error. Must not resolve an entity, guess
// a value, or hold more than one entry of a file.

import { SaxesParser, type SaxesTagNS } from 'saxes';
import { messageSection, type RecordSink, type Section, type StatementRecord } from './camt-sections.ts';
import { decodeText } from './decode-text.ts';
import { isMessage, readMessageName, refuseForeignFile } from './message-name.ts';
import {
  StatementError,
  type StatementErrorCode,
  type StatementLimits,
  type StatementPart,
  statementLimits,
} from './statement.ts';

/** An element that has begun and not ended. */
type OpenElement = {
  /** Null inside a skipped element. */
  section: Section | null;
  /** Relative to the section's own element, which has `''`. */
  path: string;
  opensSection: boolean;
  currency: string | null;
  /** Null if the text is not needed. */
  text: string | null;
  hasChildren: boolean;
  /** Outside the message: an envelope of the bank that contains it. */
  isEnvelope: boolean;
};

type ReaderState = {
  parser: SaxesParser<{ xmlns: true }>;
  outlet: RecordSink;
  namespace: string;
  stack: OpenElement[];
  /** How many characters were read, in all and up to the end of the last tag. */
  readLength: number;
  lastTagAt: number;
  isEnding: boolean;
};

const skipped: OpenElement = {
  section: null,
  path: '',
  opensSection: false,
  currency: null,
  text: null,
  hasChildren: false,
  isEnvelope: false,
};

function refuse({ parser }: ReaderState, code: StatementErrorCode, detail: string): never {
  throw new StatementError(code, detail, parser.line);
}

/** Enforces the limit of text between two tags. `at` is the position read so far. */
function checkTextLength(reading: ReaderState, at: number): void {
  const { maxTextLength } = reading.outlet.limits;
  if (at - reading.lastTagAt > maxTextLength)
    refuse(
      reading,
      'text_too_long',
      `There are more than ${maxTextLength} characters between two tags. No bank writes so much: look what the file is.`,
    );
}

function passTag(reading: ReaderState): void {
  const { position } = reading.parser;
  checkTextLength(reading, position);
  reading.lastTagAt = position;
}

/** Feeds the parser, and refuses an endless text before all of it is in memory. */
function readOn(reading: ReaderState, text: string): void {
  reading.parser.write(text);
  // Counted here, because the parser's own position is correct only while it parses.
  reading.readLength += text.length;
  checkTextLength(reading, reading.readLength);
}

function openMessage(reading: ReaderState, tag: SaxesTagNS): OpenElement {
  const name = readMessageName(tag, reading.parser.line);
  reading.namespace = tag.uri;
  let hasMessage = false;
  const document: Section = {
    enter: (path, line) => {
      if (hasMessage || path !== name.message)
        throw new StatementError(
          'wrong_message',
          `A ${name.kind} has one ${name.message} inside of Document and nothing else, and this file differs. Ask the bank for the file once more.`,
          line,
        );
      hasMessage = true;
      return messageSection(name, reading.outlet);
    },
    takes: () => false,
    take: () => {},
    end: (line) => {
      if (!hasMessage)
        throw new StatementError('missing_part', 'The file is a Document with nothing in it.', line);
    },
  };
  return { ...skipped, section: document, opensSection: true };
}

/** An element outside the message: the message itself, or an envelope of the bank, which is skipped. */
function openEnvelope(reading: ReaderState, parent: OpenElement | undefined, tag: SaxesTagNS): OpenElement {
  if (isMessage(tag) && reading.namespace !== '')
    refuse(
      reading,
      'wrong_message',
      'The file has more than one Document. Send each message of the bank as a file of its own.',
    );
  // A root of this name can only be intended as the message.
  if (isMessage(tag) || (!parent && tag.local === 'Document')) return openMessage(reading, tag);
  return { ...skipped, isEnvelope: true };
}

/** The section of an element below `parent`. Elements of other namespaces are skipped with their content. */
function openElement(reading: ReaderState, parent: OpenElement, tag: SaxesTagNS): OpenElement {
  const { section } = parent;
  if (!section || tag.uri !== reading.namespace) return skipped;
  const path = parent.path === '' ? tag.local : `${parent.path}/${tag.local}`;
  const entered = section.enter(path, reading.parser.line);
  if (entered) return { ...skipped, section: entered, opensSection: true };
  return {
    section,
    path,
    opensSection: false,
    currency: tag.attributes.Ccy?.value ?? null,
    text: section.takes(path) ? '' : null,
    hasChildren: false,
    isEnvelope: false,
  };
}

function openTag(reading: ReaderState, tag: SaxesTagNS): void {
  passTag(reading);
  const { maxDepth } = reading.outlet.limits;
  if (reading.stack.length >= maxDepth)
    refuse(
      reading,
      'too_deep',
      `Elements stand more than ${maxDepth} deep in each other, which no bank's file has. Look what the file is.`,
    );
  const parent = reading.stack.at(-1);
  const open =
    parent && !parent.isEnvelope ? openElement(reading, parent, tag) : openEnvelope(reading, parent, tag);
  if (parent) parent.hasChildren = true;
  reading.stack.push({ ...open });
}

function closeTag(reading: ReaderState, tag: SaxesTagNS): void {
  passTag(reading);
  const { section, path, opensSection, currency, text, hasChildren } = reading.stack.at(-1)!;
  const { line } = reading.parser;
  if (opensSection) section?.end(line);
  else if (section && text !== null) {
    if (!hasChildren) section.take(path, { name: tag.local, text: text.trim(), currency, line });
    else if (text.trim() !== '')
      refuse(
        reading,
        'unexpected_part',
        `There is text beside the elements in ${tag.local}. The bank has to mend the file.`,
      );
  }
  reading.stack.pop();
}

function addText({ stack }: ReaderState, text: string): void {
  const open = stack.at(-1);
  if (open && open.text !== null) open.text += text;
}

/**
 * Reports an error of the XML parser. An error about the end of an incomplete file means that the file ends too early.
 */
function refuseXml(reading: ReaderState, error: Error): never {
  const isOpen = reading.stack.length > 0 || reading.namespace === '';
  if (reading.isEnding && isOpen)
    return refuse(
      reading,
      'truncated',
      // The parser waits for the end of an entity until the end of the file.
      'The file is empty, ends too early, or has an "&" in a text that should be "&amp;". Fetch it from the bank once more.',
    );
  // The parser's message begins with its own line and column.
  const what = error.message.replace(/^[\d:\s]*/, '').replace(/\.$/, '');
  return refuse(
    reading,
    'not_xml',
    `The file is not well-formed XML (${what}). Send it as the bank gave it out, as camt.053 or camt.054.`,
  );
}

function openReading(outlet: RecordSink): ReaderState {
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const reading: ReaderState = {
    parser,
    outlet,
    namespace: '',
    stack: [],
    readLength: 0,
    lastTagAt: 0,
    isEnding: false,
  };
  parser.on('opentag', (tag) => openTag(reading, tag));
  parser.on('closetag', (tag) => closeTag(reading, tag));
  parser.on('text', (text) => addText(reading, text));
  parser.on('cdata', (text) => addText(reading, text));
  parser.on('doctype', () =>
    refuse(
      reading,
      'doctype',
      'The file has a document type (DOCTYPE), which can make a reader fetch or multiply things. No camt file needs one: send it as the bank gave it out.',
    ),
  );
  parser.on('error', (error) => refuseXml(reading, error));
  return reading;
}

/** Numbers the bookings of a file across all emitted parts. */
function makePlace({
  maxLines,
}: StatementLimits): (given: Iterable<StatementRecord>[]) => Generator<StatementPart> {
  let position = 0;
  return function* place(given) {
    for (const parts of given)
      for (const part of parts) {
        if (part.part === 'line') position += 1;
        if (position > maxLines)
          throw new StatementError(
            'too_many_lines',
            `The file has more than ${maxLines} lines. Ask the bank for shorter times, or for several files.`,
            null,
          );
        yield part.part === 'line' ? { ...part, position } : part;
      }
  };
}

/**
 * The parts of a statement, in the order of the file. Throws StatementError for an invalid file. The parts emitted
 * before must then be discarded.
 */
export async function* readStatement(
  source: AsyncIterable<Uint8Array>,
  limits: StatementLimits = statementLimits,
): AsyncGenerator<StatementPart> {
  let given: Iterable<StatementRecord>[] = [];
  const reading = openReading({ limits, give: (parts) => given.push(parts) });
  const place = makePlace(limits);
  for await (const text of decodeText(source)) {
    readOn(reading, text);
    const parts = given;
    given = [];
    yield* place(parts);
  }
  reading.isEnding = true;
  reading.parser.close();
  if (reading.namespace === '') refuseForeignFile(reading.parser.line);
}
