// Draws a receipt as a PDF with embedded fonts. The same receipt gives the same bytes. It may take much CPU time, so
// it runs in its own thread: receipt-worker.ts. Must not load anything from a network.

import { directionOfLocale } from '../base/locale.ts';
import type { Receipt } from './compose-receipt.ts';
import type { ReceiptRow } from './receipt-rows.ts';
import {
  colours,
  contentWidth,
  drawRule,
  finishSheet,
  heightOf,
  numberPages,
  openSheet,
  page,
  print,
  requireHeight,
  type Sheet,
  wrap,
  write,
} from './sheet.ts';

const labelWidth = 150;
const amountWidth = 130;
/** Between two columns. */
const gap = 16;
const logoSize = { width: 200, height: 48 };

function drawWarning(sheet: Sheet, warning: string): void {
  const { document, y } = sheet;
  document.rect(page.margin, y, contentWidth, 32).lineWidth(1.5).stroke(colours.warning);
  const style = { start: page.margin + 12, width: contentWidth - 24, size: 11, colour: colours.warning };
  print(sheet, wrap(sheet, warning, { ...style, maxLines: 1 }), y + 8);
  sheet.y += 56;
}

/** Returns whether it could be drawn: a damaged picture must not cost the customer the receipt. */
function drawLogo(sheet: Sheet, logo: Uint8Array): boolean {
  const { document, isMirrored, y } = sheet;
  const left = isMirrored ? page.width - page.margin - logoSize.width : page.margin;
  try {
    document.image(Buffer.from(logo), left, y, {
      fit: [logoSize.width, logoSize.height],
      align: (isMirrored ? 'right' : 'left') as 'right',
    });
  } catch {
    return false;
  }
  sheet.y += logoSize.height + 12;
  return true;
}

/** Who was paid. Without a logo, the name is large. */
function drawMerchant(sheet: Sheet, { merchant, address, logo }: Receipt): void {
  const hasLogo = logo !== null && drawLogo(sheet, logo);
  write(sheet, merchant, { size: hasLogo ? 12 : 18, colour: colours.ink, maxLines: 4 });
  for (const line of address) write(sheet, line, { size: 10, colour: colours.quiet, maxLines: 2 });
  sheet.y += 28;
}

function drawFacts(sheet: Sheet, { facts }: Receipt): void {
  const valueStart = page.margin + labelWidth + gap;
  const valueWidth = contentWidth - labelWidth - gap;
  for (const { label, value } of facts) {
    const labelStyle = { start: page.margin, width: labelWidth, size: 10, colour: colours.quiet, maxLines: 2 };
    const valueStyle = { start: valueStart, width: valueWidth, size: 10, colour: colours.ink, maxLines: 12 };
    const labelBlock = wrap(sheet, label, labelStyle);
    const valueBlock = wrap(sheet, value, valueStyle);
    const height = Math.max(heightOf(labelBlock), heightOf(valueBlock));
    requireHeight(sheet, height + 15);
    drawRule(sheet);
    print(sheet, labelBlock, sheet.y + 8);
    print(sheet, valueBlock, sheet.y + 8);
    sheet.y += height + 15;
  }
  drawRule(sheet);
}

/** Rows with an amount at their end. A row is never divided between two pages. */
function drawRows(sheet: Sheet, rows: readonly ReceiptRow[], colour: string): void {
  const width = contentWidth - amountWidth - gap;
  const size = 10;
  for (const { label, note, amount } of rows) {
    const style = { start: page.margin, width };
    const labelBlock = wrap(sheet, label, { ...style, size, colour, maxLines: 12 });
    const noteBlock = note ? wrap(sheet, note, { ...style, size: 9, colour: colours.quiet, maxLines: 2 }) : null;
    const amountBlock = wrap(sheet, amount, {
      ...{ start: page.margin + width + gap, width: amountWidth, size, colour },
      ...{ maxLines: 2, align: 'end' as const },
    });
    const height = heightOf(labelBlock) + (noteBlock ? heightOf(noteBlock) : 0);
    requireHeight(sheet, height + 9);
    print(sheet, labelBlock, sheet.y + 5);
    print(sheet, amountBlock, sheet.y + 5);
    if (noteBlock) print(sheet, noteBlock, sheet.y + 5 + heightOf(labelBlock));
    sheet.y += Math.max(height, heightOf(amountBlock)) + 9;
  }
}

function draw(sheet: Sheet, receipt: Receipt): void {
  const { title, amount, items, sums, foot, contact, warning } = receipt;
  if (warning) drawWarning(sheet, warning);
  drawMerchant(sheet, receipt);
  write(sheet, title, { size: 22, colour: colours.ink, maxLines: 2 });
  write(sheet, amount, { size: 28, colour: colours.ink, maxLines: 1 });
  sheet.y += 16;
  drawFacts(sheet, receipt);
  sheet.y += 20;
  if (items.length > 0) {
    drawRows(sheet, items, colours.ink);
    sheet.y += 4;
  }
  requireHeight(sheet, 30);
  drawRule(sheet);
  sheet.y += 4;
  drawRows(sheet, sums, colours.ink);
  requireHeight(sheet, 60);
  sheet.y += 14;
  write(sheet, foot, { size: 9, colour: colours.quiet, maxLines: 3 });
  for (const line of contact) {
    requireHeight(sheet, 20);
    write(sheet, line, { size: 9, colour: colours.quiet, maxLines: 2 });
  }
}

/** The receipt as the bytes of a PDF. */
export async function drawReceipt(receipt: Receipt): Promise<Uint8Array> {
  const { title, merchant, locale, number, paidAt } = receipt;
  const sheet = openSheet({
    locale,
    isMirrored: directionOfLocale(locale) === 'rtl',
    title: `${title}, ${merchant}`,
    at: paidAt,
  });
  draw(sheet, receipt);
  numberPages(sheet, (one, count) => `${number} · ${one}/${count}`);
  return await finishSheet(sheet);
}
