// Draws a receipt as a PDF of one page with embedded fonts. The same receipt gives the same bytes. It may take much
// CPU time (for unusual letters a font with all scripts is read), so it runs in its own thread: receipt-worker.ts.
// Must not load anything from a network.

import type { Receipt } from './email-content.ts';
import { openFonts, type ReceiptFont } from './fonts.ts';
import { splitRuns } from './text-runs.ts';
import { wrapText } from './wrap-text.ts';
import { encodeGlyphs, pdfNumber, writePdf } from './write-pdf.ts';

const page = { width: 595.28, height: 841.89, margin: 56 };
const labelWidth = 150;
const colours = { ink: '#101828', quiet: '#475467', line: '#98a2b3', warning: '#b54708' };

/** `y` is measured from the top of the page. In the PDF itself it is from the bottom. */
type Sheet = { fonts: readonly ReceiptFont[]; widths: Map<string, number>; content: string[]; y: number };
type Style = { x: number; width: number; size: number; colour: string; maxLines: number };

const fromBottom = (y: number) => page.height - y;

/** A colour in PDF form: three numbers from 0 to 1. */
function shares(colour: string): string {
  return [1, 3, 5].map((at) => pdfNumber(Number.parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');
}

/** The width of a grapheme at a size, cached for the sheet. */
function createMeasure({ fonts, widths }: Sheet, size: number): (grapheme: string) => number {
  return (grapheme) => {
    let width = widths.get(grapheme);
    if (width === undefined) {
      width = 0;
      for (const run of splitRuns(grapheme, fonts)) width += fonts[run.fontIndex]?.measure(run.text) ?? 0;
      widths.set(grapheme, width);
    }
    return (width * size) / 1_000;
  };
}

/** Writes a text from the sheet's height downwards. Returns the height below it. */
function write(sheet: Sheet, text: string, style: Style): number {
  const { fonts, content } = sheet;
  const { x, width, size, colour, maxLines } = style;
  let { y } = sheet;
  content.push(`${shares(colour)} rg`);
  for (const line of wrapText(text, { width, maxLines }, createMeasure(sheet, size))) {
    let at = x;
    // Shapes each run as a whole: word by word, the words of a right-to-left run would be in the wrong order.
    for (const { fontIndex, text: run } of splitRuns(line, fonts)) {
      const font = fonts[fontIndex];
      if (!font) continue;
      const glyphs = font.shape(run);
      const baseline = fromBottom(y + (font.ascent() * size) / 1_000);
      content.push(encodeGlyphs(glyphs, { fontIndex, size, x: at, y: baseline }));
      at += (glyphs.reduce((sum, { advance }) => sum + advance, 0) * size) / 1_000;
    }
    y += size * 1.45;
  }
  return y;
}

function drawRule(sheet: Sheet): void {
  const y = pdfNumber(fromBottom(sheet.y));
  const [left, right] = [page.margin, page.width - page.margin].map(pdfNumber);
  sheet.content.push(`0.75 w ${shares(colours.line)} RG ${left} ${y} m ${right} ${y} l S`);
}

function drawWarning(sheet: Sheet, warning: string): void {
  const width = page.width - 2 * page.margin;
  const height = 32;
  const box = [page.margin, fromBottom(sheet.y + height), width, height].map(pdfNumber).join(' ');
  sheet.content.push(`1.5 w ${shares(colours.warning)} RG ${box} re S`);
  sheet.y += 9;
  const inner = { x: page.margin + 12, width: width - 24 };
  write(sheet, warning, { ...inner, size: 11, colour: colours.warning, maxLines: 1 });
  sheet.y += 47;
}

function drawFacts(sheet: Sheet, receipt: Receipt): void {
  const valueX = page.margin + labelWidth + 16;
  const valueWidth = page.width - page.margin - valueX;
  for (const { label, value } of receipt.facts) {
    drawRule(sheet);
    sheet.y += 9;
    const labelEnd = write(sheet, label, {
      ...{ x: page.margin, width: labelWidth },
      ...{ size: 10, colour: colours.quiet, maxLines: 2 },
    });
    const valueEnd = write(sheet, value, {
      ...{ x: valueX, width: valueWidth },
      ...{ size: 10, colour: colours.ink, maxLines: 12 },
    });
    sheet.y = Math.max(labelEnd, valueEnd) + 6;
  }
  drawRule(sheet);
}

function draw(sheet: Sheet, receipt: Receipt): void {
  const whole = { x: page.margin, width: page.width - 2 * page.margin };
  if (receipt.warning) drawWarning(sheet, receipt.warning);
  sheet.y = write(sheet, receipt.title, { ...whole, size: 22, colour: colours.ink, maxLines: 2 });
  sheet.y = write(sheet, receipt.merchant, { ...whole, size: 12, colour: colours.quiet, maxLines: 4 }) + 12;
  sheet.y = write(sheet, receipt.amount, { ...whole, size: 28, colour: colours.ink, maxLines: 1 }) + 16;
  drawFacts(sheet, receipt);
  sheet.y += 14;
  write(sheet, receipt.foot, { ...whole, size: 9, colour: colours.quiet, maxLines: 3 });
}

function textsOf({ title, merchant, amount, facts, foot, warning }: Receipt): string[] {
  return [
    title,
    merchant,
    amount,
    foot,
    warning ?? '',
    ...facts.flatMap(({ label, value }) => [label, value]),
  ];
}

/** The receipt as the bytes of a PDF. */
export function drawReceipt(receipt: Receipt): Uint8Array {
  const fonts = openFonts(textsOf(receipt));
  const sheet: Sheet = { fonts, widths: new Map(), content: [], y: page.margin };
  draw(sheet, receipt);
  return writePdf({
    ...{ width: page.width, height: page.height },
    content: sheet.content,
    fonts: fonts.map((font) => font.embed()),
    locale: receipt.locale,
    title: `${receipt.title}, ${receipt.merchant}`,
    producer: 'Paylink',
    at: receipt.at,
  });
}
