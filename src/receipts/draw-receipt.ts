// Draws a receipt as a PDF with embedded fonts. The same receipt gives the same bytes. It may take much CPU time, so
// it runs in its own thread: receipt-worker.ts. Must not load anything from a network.

import PDFDocument from 'pdfkit';
import { directionOfLocale } from '../base/locale.ts';
import type { Receipt } from './compose-receipt.ts';
import { type FontRun, openFonts } from './fonts.ts';
import { directionOf, orderRuns } from './order-runs.ts';
import { wrapText } from './wrap-text.ts';

const page = { width: 595.28, height: 841.89, margin: 56 };
const labelWidth = 150;
const valueWidth = page.width - 2 * page.margin - labelWidth - 16;
const colours = { ink: '#101828', quiet: '#475467', line: '#98a2b3', warning: '#b54708' };
const lineHeight = 1.45;
/** From the top of a line to its baseline. */
const ascent = 0.95;
/** Without ligatures: the text of a PDF could not be searched for one of their letters. */
const features = { liga: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[];

/**
 * `y` is where the next line begins, from the top of the page. A mirrored sheet begins on the right, for a language from right to
 * left.
 */
type Sheet = {
  document: PDFKit.PDFDocument;
  printed: (grapheme: string) => FontRun;
  isMirrored: boolean;
  y: number;
};
type Style = { x: number; width: number; size: number; colour: string; maxLines: number };
type Block = Style & { lines: string[]; isRightToLeft: boolean };

function widthOf({ document }: Sheet, { text, font }: FontRun, size: number): number {
  return document.font(font).fontSize(size).widthOfString(text, { features });
}

function wrap(sheet: Sheet, text: string, style: Style): Block {
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

const heightOf = ({ lines, size }: Block) => lines.length * size * lineHeight;

/** Prints lines from a height downwards. */
function print(sheet: Sheet, { lines, isRightToLeft, x, width, size, colour }: Block, y: number): void {
  const { document } = sheet;
  document.fillColor(colour);
  for (const [index, line] of lines.entries()) {
    const baseline = y + size * (lineHeight * index + ascent);
    const runs = orderRuns(line, isRightToLeft ? 'rtl' : 'ltr', sheet.printed);
    const widths = runs.map((run) => widthOf(sheet, run, size));
    let at = sheet.isMirrored ? x + width - widths.reduce((sum, each) => sum + each, 0) : x;
    for (const [place, { text, font }] of runs.entries()) {
      document.font(font).fontSize(size);
      document.text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic', features });
      at += widths[place] ?? 0;
    }
  }
}

function write(sheet: Sheet, text: string, style: Omit<Style, 'x' | 'width'>): void {
  const block = wrap(sheet, text, { ...style, x: page.margin, width: page.width - 2 * page.margin });
  print(sheet, block, sheet.y);
  sheet.y += heightOf(block);
}

/** Begins a page if the current one has less than this height left. */
function requireHeight(sheet: Sheet, height: number): void {
  if (sheet.y + height <= page.height - page.margin) return;
  sheet.document.addPage();
  sheet.y = page.margin;
}

function drawRule({ document, y }: Sheet): void {
  document.moveTo(page.margin, y).lineTo(page.width - page.margin, y);
  document.lineWidth(0.75).stroke(colours.line);
}

function drawWarning(sheet: Sheet, warning: string): void {
  const { document, y } = sheet;
  const width = page.width - 2 * page.margin;
  document.rect(page.margin, y, width, 32).lineWidth(1.5).stroke(colours.warning);
  const style = { x: page.margin + 12, width: width - 24, size: 11, colour: colours.warning, maxLines: 1 };
  print(sheet, wrap(sheet, warning, style), y + 8);
  sheet.y += 56;
}

function drawFacts(sheet: Sheet, { facts }: Receipt): void {
  const [first, second] = [page.margin, page.width - page.margin];
  const labelX = sheet.isMirrored ? second - labelWidth : first;
  const valueX = sheet.isMirrored ? first : second - valueWidth;
  for (const { label, value } of facts) {
    const labelStyle = { x: labelX, width: labelWidth, size: 10, colour: colours.quiet, maxLines: 2 };
    const valueStyle = { x: valueX, width: valueWidth, colour: colours.ink };
    const labelBlock = wrap(sheet, label, labelStyle);
    const valueBlock = wrap(sheet, value, { ...valueStyle, size: 10, maxLines: 12 });
    const height = Math.max(heightOf(labelBlock), heightOf(valueBlock));
    requireHeight(sheet, height + 15);
    drawRule(sheet);
    print(sheet, labelBlock, sheet.y + 8);
    print(sheet, valueBlock, sheet.y + 8);
    sheet.y += height + 15;
  }
  drawRule(sheet);
}

function draw(sheet: Sheet, receipt: Receipt): void {
  const { title, merchant, amount, foot, warning } = receipt;
  if (warning) drawWarning(sheet, warning);
  write(sheet, title, { size: 22, colour: colours.ink, maxLines: 2 });
  write(sheet, merchant, { size: 12, colour: colours.quiet, maxLines: 4 });
  sheet.y += 12;
  write(sheet, amount, { size: 28, colour: colours.ink, maxLines: 1 });
  sheet.y += 16;
  drawFacts(sheet, receipt);
  requireHeight(sheet, 60);
  sheet.y += 14;
  write(sheet, foot, { size: 9, colour: colours.quiet, maxLines: 3 });
}

/** The receipt as the bytes of a PDF. */
export async function drawReceipt(receipt: Receipt): Promise<Uint8Array> {
  const { title, merchant, locale, paidAt } = receipt;
  const producer = 'Paylink';
  const document = new PDFDocument({
    size: [page.width, page.height],
    // Where a text goes is decided here: pdfkit must not begin a page of its own.
    margin: 0,
    lang: locale,
    displayTitle: true,
    info: {
      ...{ Title: `${title}, ${merchant}`, Producer: producer, Creator: producer },
      ...{ CreationDate: paidAt, ModDate: paidAt },
    },
    // Else pdfkit begins with Helvetica, which is not embedded.
    font: null as unknown as string,
  });
  const chunks: Uint8Array[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  document.on('end', resolve);
  document.on('error', reject);
  const isMirrored = directionOfLocale(locale) === 'rtl';
  draw({ document, printed: openFonts(document), isMirrored, y: page.margin }, receipt);
  document.end();
  await promise;
  return new Uint8Array(Buffer.concat(chunks));
}
