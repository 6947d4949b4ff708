// Renders an email as HTML: inline styles, with a style sheet only for dark mode and small screens. The html tag escapes
// every value. Must not put a value into a style except a checked colour, and must not load anything except the company's
// logo, whose URL is the same for every recipient.

import { directionOfLocale } from '../base/locale.ts';
import { type Html, html, userText, webAddress } from '../http/html.ts';
import type { ReceiptRow } from '../receipts/receipt-rows.ts';
import type { EmailContent, LabelledLink } from './email-content.ts';
import { buttonText, lightColours, styleColour, styleSheet } from './email-styles.ts';

const { page, card, ink, muted, line, warning: warningColour } = lightColours;
const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const logoHeight = 48;

/** Outlook does not know the logical properties of CSS. */
const sides = {
  ltr: { start: 'left', end: 'right' },
  rtl: { start: 'right', end: 'left' },
} as const;

const sidesOf = ({ locale }: EmailContent) => sides[directionOfLocale(locale)];

/** Fills the line that a list of emails shows, so that it does not go on with the text of the email. */
const filler = html`${'\u034f\u200c\u00a0'.repeat(40)}`;

// Hidden in every way that some mail program needs.
function renderPreheader({ preheader }: EmailContent): Html {
  return html`<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${userText(preheader)}${filler}</div>
`;
}

// The logo is on white also in dark mode: most are drawn for it. If it is not loaded, its text is the name.
function renderBrand({ brand }: EmailContent): Html {
  const logo = webAddress(brand.logoUrl ?? undefined);
  if (!logo)
    return html`<p class="ink" style="margin:0 0 24px;color:${ink};font-size:18px;line-height:24px;font-weight:bold;overflow-wrap:anywhere">${userText(brand.name)}</p>
`;
  return html`<p style="margin:0 0 24px"><img src="${logo}" alt="${brand.name}" height="${logoHeight}" style="display:inline-block;height:${logoHeight}px;width:auto;max-width:100%;padding:4px;border:0;border-radius:6px;background-color:#ffffff;color:${ink};font-size:18px;font-weight:bold"></p>
`;
}

function renderWarning({ warning }: EmailContent): Html | null {
  if (!warning) return null;
  return html`<p class="warning" style="margin:0 0 24px;padding:8px 12px;border:2px solid ${warningColour};border-radius:8px;color:${warningColour};font-weight:bold">${warning}</p>
`;
}

function renderAmount({ amount }: EmailContent): Html | null {
  if (!amount) return null;
  return html`<p class="ink amount" style="margin:4px 0 0;color:${ink};font-size:36px;line-height:44px;font-weight:bold;overflow-wrap:anywhere"><bdi>${amount}</bdi></p>
`;
}

// A table, because Outlook gives no padding to a link. The URL is repeated below, so that the reader can see where the
// button leads.
function renderButton({ button, brand }: EmailContent): Html | null {
  const url = webAddress(button?.url);
  if (!button || !url) return null;
  const color = styleColour(brand.color);
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;border-collapse:separate"><tr>
<td class="button" align="center" bgcolor="${color}" style="border:1px solid ${color};border-radius:8px;background-color:${color};mso-padding-alt:12px 24px"><a href="${url}" style="display:inline-block;padding:12px 24px;color:${buttonText};font-size:17px;line-height:24px;font-weight:bold;text-decoration:none">${userText(button.label)}</a></td>
</tr></table>
<p class="muted" style="margin:12px 0 0;color:${muted};font-size:13px;line-height:20px;overflow-wrap:anywhere;word-break:break-all"><a class="muted" href="${url}" style="color:${muted}">${url}</a></p>
`;
}

function renderDownload({ download }: EmailContent): Html | null {
  const url = webAddress(download?.url);
  if (!download || !url) return null;
  return html`<p class="ink" style="margin:16px 0 0;color:${ink}"><a class="ink" href="${url}" style="color:${ink}">${userText(download.label)}</a></p>
`;
}

/** A short text that moves to the next line as a whole if it does not fit. */
const unbroken = (text: string) => html`<bdi style="display:inline-block">${text}</bdi>`;

function renderRow(content: EmailContent, row: ReceiptRow, isTotal: boolean): Html {
  const { start, end } = sidesOf(content);
  const total = isTotal ? `font-weight:bold;border-top:1px solid ${line}` : 'font-weight:normal';
  const cell = `padding:6px 0;vertical-align:top;color:${ink};${total}`;
  const note =
    row.note &&
    html` <span class="muted" style="color:${muted};font-size:14px;font-weight:normal">${unbroken(row.note)}</span>`;
  return html`<tr>
<th class="ink line" scope="row" style="${cell};text-align:${start};overflow-wrap:anywhere;word-break:break-word"><bdi>${row.label}</bdi>${note}</th>
<td class="ink line" style="${cell};padding-${start}:16px;text-align:${end};white-space:nowrap"><bdi>${row.amount}</bdi></td>
</tr>
`;
}

function renderMore(content: EmailContent): Html | null {
  const { moreItems } = content;
  const url = webAddress(moreItems?.url);
  if (!moreItems || !url) return null;
  return html`<tr>
<td colspan="2" style="padding:6px 0;text-align:${sidesOf(content).start}"><a class="ink" href="${url}" style="color:${ink}">${moreItems.label}</a></td>
</tr>
`;
}

const tableStyle = `width:100%;margin:24px 0 0;border-collapse:collapse;border-top:1px solid ${line}`;

function renderRows(content: EmailContent): Html | null {
  const { items, sums } = content;
  if (items.length + sums.length === 0) return null;
  return html`<table class="line" width="100%" style="${tableStyle}">
${items.map((row) => renderRow(content, row, false))}${renderMore(content)}${sums.map((row, index) =>
  renderRow(content, row, index === 0),
)}</table>
`;
}

function renderFacts(content: EmailContent): Html | null {
  const { facts } = content;
  if (facts.length === 0) return null;
  const { start, end } = sidesOf(content);
  const rows = facts.map(
    ({ label, value }) => html`<tr>
<th class="muted" scope="row" width="36%" style="padding:6px 0;overflow-wrap:break-word;padding-${end}:16px;text-align:${start};vertical-align:top;color:${muted};font-weight:normal">${label}</th>
<td class="ink" style="padding:6px 0;text-align:${start};vertical-align:top;color:${ink};overflow-wrap:anywhere;word-break:break-word"><bdi>${value}</bdi></td>
</tr>
`,
  );
  return html`<table class="line" width="100%" style="${tableStyle}">
${rows}</table>
`;
}

/** The addresses to which an imprint may link: pages, email addresses and phone numbers. */
function contactAddress(url: string): string | null {
  return /^(mailto:[^?\s]+|tel:[+\d]+)$/.test(url) ? url : webAddress(url);
}

function renderLink({ label, url }: LabelledLink): Html {
  const address = contactAddress(url);
  if (!address) return userText(label);
  return html`<a class="muted" href="${address}" style="color:${muted}"><bdi>${label}</bdi></a>`;
}

const joined = (parts: readonly Html[]) =>
  parts.map((part, index) => (index === 0 ? part : html` · ${part}`));

function renderImprint(content: EmailContent): Html | null {
  const { imprint } = content;
  if (!imprint) return null;
  const { address, vatId, links } = imprint;
  const lines = [
    joined(address.map(unbroken)),
    vatId ? [html`${vatId.label}: <bdi>${vatId.value}</bdi>`] : [],
    joined(links.map(renderLink)),
  ].filter((parts) => parts.length > 0);
  return html`${lines.map(
    (parts) =>
      html`<p class="muted" style="margin:4px 0 0;color:${muted};overflow-wrap:anywhere">${parts}</p>\n`,
  )}`;
}

function renderBody(content: EmailContent): Html {
  const { heading, lead, foot } = content;
  return html`${renderBrand(content)}${renderWarning(content)}<h1 class="ink" style="margin:0;color:${ink};font-size:20px;line-height:28px;overflow-wrap:anywhere">${heading}</h1>
${renderAmount(content)}<p class="ink" style="margin:16px 0 0;color:${ink};overflow-wrap:anywhere">${lead}</p>
${renderButton(content)}${renderDownload(content)}${renderRows(content)}${renderFacts(content)}<p class="muted line" style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid ${line};color:${muted};font-size:14px;line-height:22px;overflow-wrap:anywhere">${foot}</p>
`;
}

/** The email as a whole HTML document. */
export function renderHtml(content: EmailContent): string {
  const { locale, subject } = content;
  const direction = directionOfLocale(locale);
  const imprint = renderImprint(content);
  const { start } = sidesOf(content);
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${subject}</title>
<style>
${styleSheet}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${page}">
${renderPreheader(content)}<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${direction}" style="background-color:${page};${fonts};font-size:16px;line-height:24px"><tr>
<td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;margin:0 auto;table-layout:fixed"><tr>
<td class="card inner" align="${start}" style="padding:32px;border-radius:12px;background-color:${card};text-align:${start}">
${renderBody(content)}</td>
</tr>${
    imprint &&
    html`<tr>
<td class="under" align="${start}" style="padding:16px 32px 0;text-align:${start};font-size:13px;line-height:20px">
${imprint}</td>
</tr>`
  }</table>
<!--[if mso]></td></tr></table><![endif]-->
</td>
</tr></table>
</body>
</html>
`.html;
}
