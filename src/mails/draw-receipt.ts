// Draws a receipt as a PDF of one page, with the fonts in it. The same receipt gives the same bytes. It takes
// the processor for long (a font of all the world's letters is read), so it runs in a thread of its own:
// receipt-worker.ts. It must never load anything from a network.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import PDFDocument from 'pdfkit';
import type { Receipt } from './letter.ts';
import { splitRuns } from './text-runs.ts';
import { unpackWoff } from './unpack-woff.ts';
import { wrapText } from './wrap-text.ts';

// Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and more; then every letter of the basic plane,
// as dots of a grid: not pretty, but there.
const fontFiles = {
  usual: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  last: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
};

const page = { width: 595.28, height: 841.89, margin: 56 };
const labelWidth = 150;
const colours = { ink: '#101828', quiet: '#475467', line: '#98a2b3', warning: '#b54708' };

let read: Buffer[] | null = null;

/**
 * Fonts fresh for each receipt: an opened font remembers each letter as it was first asked for, and one that it
 * met as a part of another would never be found again by who searches or copies the text.
 */
function openFonts(): fontkit.Font[] {
  const { resolve } = createRequire(import.meta.url);
  read ??= [readFileSync(resolve(fontFiles.usual)), unpackWoff(readFileSync(resolve(fontFiles.last)))];
  return read.map((bytes) => fontkit.create(bytes) as fontkit.Font);
}

type Sheet = { doc: PDFKit.PDFDocument; fonts: readonly fontkit.Font[]; y: number };
type Style = { x: number; width: number; size: number; colour: string; maxLines: number };

/** Each run is shaped as a whole: word by word, the words of a right-to-left run would stand in the wrong order. */
const asOneRun: PDFKit.Mixins.TextOptions = { lineBreak: false, features: [] };

function selectFont({ doc }: Sheet, fontIndex: number, size: number): void {
  doc.font(`font${fontIndex}`, size);
}

function createMeasure(sheet: Sheet, size: number): (grapheme: string) => number {
  const known = new Map<string, number>();
  return (grapheme) => {
    let width = known.get(grapheme);
    if (width === undefined) {
      width = 0;
      for (const run of splitRuns(grapheme, sheet.fonts)) {
        selectFont(sheet, run.fontIndex, size);
        width += sheet.doc.widthOfString(run.text, { features: [] });
      }
      known.set(grapheme, width);
    }
    return width;
  };
}

/** Writes a text from the sheet's height downwards. Returns the height below it. */
function write(sheet: Sheet, text: string, style: Style): number {
  const { doc, fonts } = sheet;
  const { x, width, size, colour, maxLines } = style;
  let { y } = sheet;
  for (const line of wrapText(text, { width, maxLines }, createMeasure(sheet, size))) {
    let at = x;
    for (const run of splitRuns(line, fonts)) {
      selectFont(sheet, run.fontIndex, size);
      doc.fillColor(colour).text(run.text, at, y, asOneRun);
      at += doc.widthOfString(run.text, { features: [] });
    }
    y += size * 1.45;
  }
  return y;
}

function drawRule(sheet: Sheet): void {
  const { doc, y } = sheet;
  doc.moveTo(page.margin, y).lineTo(page.width - page.margin, y);
  doc.lineWidth(0.75).strokeColor(colours.line).stroke();
}

function drawWarning(sheet: Sheet, warning: string): void {
  const width = page.width - 2 * page.margin;
  sheet.doc.rect(page.margin, sheet.y, width, 32).lineWidth(1.5).strokeColor(colours.warning).stroke();
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

/** The receipt as the bytes of a PDF. */
export async function drawReceipt(receipt: Receipt): Promise<Uint8Array> {
  const fonts = openFonts();
  const doc = new PDFDocument({
    size: [page.width, page.height],
    margin: page.margin,
    lang: receipt.locale,
    info: {
      Title: `${receipt.title}, ${receipt.merchant}`,
      Producer: 'Paylink',
      Creator: 'Paylink',
      CreationDate: receipt.at,
      ModDate: receipt.at,
    },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.once('end', resolve);
    doc.once('error', reject);
  });
  // pdfkit takes an opened font, too, which its types do not tell.
  for (const [index, font] of fonts.entries()) doc.registerFont(`font${index}`, font as unknown as Buffer);
  draw({ doc, fonts, y: page.margin }, receipt);
  doc.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}
