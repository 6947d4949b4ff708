// What the PDF of a receipt is printed with: pages of A4, and blocks of text in a given width, from left to right or from
// right to left. Must not know what is printed.

import PDFDocument from 'pdfkit';
import { type FontRun, openFonts } from './fonts.ts';
import { directionOf, orderRuns } from './order-runs.ts';
import { wrapText } from './wrap-text.ts';

/** A4 in points. */
export const page = { width: 595.28, height: 841.89, margin: 56 };
export const contentWidth = page.width - 2 * page.margin;
export const colours = { ink: '#101828', quiet: '#475467', line: '#98a2b3', warning: '#b54708' };
const lineHeight = 1.45;
/** From the top of a line to its baseline. */
const ascent = 0.95;
/** Without ligatures: the text of a PDF could not be searched for one of their letters. */
const features = { liga: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[];

/**
 * `y` is where the next line begins, from the top of the page. A mirrored sheet begins on the right, for a language from
 * right to left.
 */
export type Sheet = {
  document: PDFKit.PDFDocument;
  printed: (grapheme: string) => FontRun;
  isMirrored: boolean;
  y: number;
};

/** Where a block is, counted from the side on which a line begins. `end` puts its lines at the other side. */
export type Style = {
  start: number;
  width: number;
  size: number;
  colour: string;
  maxLines: number;
  align?: 'start' | 'end';
};

export type Block = Style & { lines: string[]; isRightToLeft: boolean };

/** A document with a first page, and the sheet to print on. */
export function openSheet(options: { locale: string; isMirrored: boolean; title: string; at: Date }): Sheet {
  const { locale, isMirrored, title, at } = options;
  const producer = 'Paylink';
  const document = new PDFDocument({
    size: [page.width, page.height],
    // Where a text goes is decided here: pdfkit must not begin a page of its own.
    margin: 0,
    lang: locale,
    displayTitle: true,
    // The number of pages is known only at the end, and printed on each.
    bufferPages: true,
    info: { Title: title, Producer: producer, Creator: producer, CreationDate: at, ModDate: at },
    // Else pdfkit begins with Helvetica, which is not embedded.
    font: null as unknown as string,
  });
  return { document, printed: openFonts(document), isMirrored, y: page.margin };
}

/** Ends the document. Returns its bytes. */
export async function finishSheet({ document }: Sheet): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  document.on('end', resolve);
  document.on('error', reject);
  document.end();
  await promise;
  return new Uint8Array(Buffer.concat(chunks));
}

function widthOf({ document }: Sheet, { text, font }: FontRun, size: number): number {
  return document.font(font).fontSize(size).widthOfString(text, { features });
}

/** A text in lines. */
export function wrap(sheet: Sheet, text: string, style: Style): Block {
  const widths = new Map<string, number>();
  const measure = (grapheme: string) => {
    const width = widths.get(grapheme) ?? widthOf(sheet, sheet.printed(grapheme), style.size);
    widths.set(grapheme, width);
    return width;
  };
  return {
    ...style,
    lines: wrapText(text, style, measure),
    isRightToLeft: directionOf(text) === 'rtl',
  };
}

export const heightOf = ({ lines, size }: Block) => lines.length * size * lineHeight;

/** Prints the lines of a block from a height downwards. */
export function print(sheet: Sheet, block: Block, y: number): void {
  const { document, isMirrored } = sheet;
  const { lines, isRightToLeft, start, width, size, colour, align = 'start' } = block;
  const left = isMirrored ? page.width - start - width : start;
  const isAtRight = isMirrored === (align === 'start');
  document.fillColor(colour);
  for (const [index, line] of lines.entries()) {
    const baseline = y + size * (lineHeight * index + ascent);
    const runs = orderRuns(line, isRightToLeft ? 'rtl' : 'ltr', sheet.printed);
    const widths = runs.map((run) => widthOf(sheet, run, size));
    let at = isAtRight ? left + width - widths.reduce((sum, each) => sum + each, 0) : left;
    for (const [place, { text, font }] of runs.entries()) {
      document.font(font).fontSize(size);
      document.text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic', features });
      at += widths[place] ?? 0;
    }
  }
}

/** Prints a text over the whole width, and moves on. */
export function write(sheet: Sheet, text: string, style: Pick<Style, 'size' | 'colour' | 'maxLines'>): void {
  const block = wrap(sheet, text, { ...style, start: page.margin, width: contentWidth });
  print(sheet, block, sheet.y);
  sheet.y += heightOf(block);
}

/** Begins a page if the current one has less than this height left. */
export function requireHeight(sheet: Sheet, height: number): void {
  if (sheet.y + height <= page.height - page.margin) return;
  sheet.document.addPage();
  sheet.y = page.margin;
}

export function drawRule({ document, y }: Sheet, colour: string = colours.line): void {
  document.moveTo(page.margin, y).lineTo(page.width - page.margin, y);
  document.lineWidth(0.75).stroke(colour);
}

/** Prints a text at the foot of each page, such as its number; none if there is one page. */
export function numberPages(sheet: Sheet, textOf: (number: number, count: number) => string): void {
  const { count } = sheet.document.bufferedPageRange();
  if (count < 2) return;
  const style = { start: page.margin, width: contentWidth, size: 9, colour: colours.quiet, maxLines: 1 };
  for (let index = 0; index < count; index++) {
    sheet.document.switchToPage(index);
    print(sheet, wrap(sheet, textOf(index + 1, count), { ...style, align: 'end' }), page.height - 40);
  }
}
