// Draws a receipt as a PDF with embedded fonts. The same receipt gives the same bytes. It may take much CPU time, so
// it runs in its own thread: receipt-worker.ts. Must not load anything from a network.

import { directionOfLocale } from '../base/locale.ts';
import type { Receipt } from './compose-receipt.ts';
import { flattenLogo } from './flatten-logo.ts';
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
const amountWidth = 110;
/** Between two columns. */
const gap = 16;
/** Between two rows. */
const rowGap = 8;
const logoSize = { width: 200, height: 48 };

function drawWarning(sheet: Sheet, warning: string): void {
  const { document, y } = sheet;
  document.rect(page.margin, y, contentWidth, 32).lineWidth(1.5).stroke(colours.warning);
  const style = { start: page.margin + 12, width: contentWidth - 24, size: 11, colour: colours.warning };
  print(sheet, wrap(sheet, warning, { ...style, maxLines: 1 }), y + 8);
  sheet.y += 56;
}

/** Returns whether it was drawn: a picture that is damaged or too large must not cost the customer the receipt. */
function drawLogo(sheet: Sheet, file: Uint8Array): boolean {
  const { document, isMirrored, y } = sheet;
  const logo = flattenLogo(file);
  if (!logo) return false;
  const left = isMirrored ? page.width - page.margin - logoSize.width : page.margin;
  const align = isMirrored ? 'right' : undefined;
  const fit: [number, number] = [logoSize.width, logoSize.height];
  document.image(Buffer.from(logo), left, y, { fit, ...(align && { align }) });
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
    const labelStyle = {
      start: page.margin,
      width: labelWidth,
      size: 10,
      colour: colours.quiet,
      maxLines: 2,
    };
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

/** Rows of a label, a note and an amount. A row is never divided between two pages. */
function drawRows(sheet: Sheet, rows: readonly ReceiptRow[], { size = 10, noteWidth = 130 } = {}): void {
  const amountStart = page.margin + contentWidth - amountWidth;
  const noteStart = amountStart - gap - noteWidth;
  const atEnd = { align: 'end', maxLines: 3 } as const;
  for (const { label, note, amount } of rows) {
    const labelWidth = (note ? noteStart : amountStart) - gap - page.margin;
    const blocks = [
      wrap(sheet, label, { start: page.margin, width: labelWidth, size, colour: colours.ink, maxLines: 12 }),
      wrap(sheet, note ?? '', { start: noteStart, width: noteWidth, size, colour: colours.quiet, ...atEnd }),
      wrap(sheet, amount, { start: amountStart, width: amountWidth, size, colour: colours.ink, ...atEnd }),
    ];
    const height = Math.max(...blocks.map(heightOf)) + rowGap;
    requireHeight(sheet, height);
    for (const block of blocks) print(sheet, block, sheet.y + rowGap / 2);
    sheet.y += height;
  }
}

/** The total with what follows it, together on one page as far as there are few rows. */
function drawSums(sheet: Sheet, [total, ...others]: readonly ReceiptRow[]): void {
  requireHeight(sheet, 40 + 30 * Math.min(others.length, 16));
  drawRule(sheet);
  sheet.y += 6;
  if (total) drawRows(sheet, [total], { size: 12 });
  // The time of a refund, on one line.
  drawRows(sheet, others, { noteWidth: 200 });
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
    drawRows(sheet, items);
    sheet.y += 8;
  }
  drawSums(sheet, sums);
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
