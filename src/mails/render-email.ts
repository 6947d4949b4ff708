// Renders an email as plain text, and as HTML with inline styles that loads nothing and sets no background, so that it
// is readable in dark mode, too. The html tag escapes every value. Must not put a value into a style, and must not load
// anything.

import { directionOfLocale } from '../base/locale.ts';
import { type Html, html, userText, webAddress } from '../http/html.ts';
import type { EmailContent } from './email-content.ts';

/** The email as plain text. */
export function renderText(content: EmailContent): string {
  const { warning, heading, lead, button, download, facts, foot } = content;
  const blocks = [
    warning,
    heading,
    lead,
    ...[button, download].map((link) => link && `${link.label}:\n${link.url}`),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    `-- \n${foot}`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

/** Outlook does not know the logical properties of CSS. */
const labelStyles = {
  ltr: 'padding:4px 16px 4px 0;text-align:left;',
  rtl: 'padding:4px 0 4px 16px;text-align:right;',
} as const;

function renderFacts(content: EmailContent): Html {
  const rows = content.facts.map(
    ({ label, value }) => html`<tr>
<th scope="row" style="${labelStyles[directionOfLocale(content.locale)]}vertical-align:top;font-weight:normal;opacity:0.75">${label}</th>
<td style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere;word-break:break-word"><bdi>${value}</bdi></td>
</tr>
`,
  );
  return html`<table style="border-collapse:collapse;margin:24px 0;font-size:16px;line-height:24px">
${rows}</table>`;
}

function renderButton(button: EmailContent['button']): Html | null {
  const url = webAddress(button?.url);
  if (!button || !url) return null;
  // The URL is repeated below, so that the reader can see where a button leads.
  return html`<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background-color:#1849a9;color:#ffffff;font-weight:bold;text-decoration:none">${userText(button.label)}</a></p>
<p style="margin:24px 0;font-size:14px;overflow-wrap:anywhere;word-break:break-all"><a href="${url}" style="color:inherit">${url}</a></p>
`;
}

function renderDownload(download: EmailContent['download']): Html | null {
  const url = webAddress(download?.url);
  if (!download || !url) return null;
  return html`<p style="margin:24px 0"><a href="${url}" style="color:inherit">${userText(download.label)}</a></p>
`;
}

/** The email as a whole HTML document. */
export function renderHtml(content: EmailContent): string {
  const { locale, subject, heading, lead, foot, warning } = content;
  const direction = directionOfLocale(locale);
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px">
<div dir="${direction}" style="max-width:560px;margin:0 auto">
${warning && html`<p style="margin:0 0 24px;padding:8px 12px;border:2px solid #b54708;border-radius:8px;font-weight:bold">${warning}</p>\n`}<h1 style="margin:0 0 16px;font-size:24px;line-height:32px;overflow-wrap:anywhere">${heading}</h1>
<p style="margin:0 0 16px;overflow-wrap:anywhere">${lead}</p>
${renderButton(content.button)}${renderDownload(content.download)}${renderFacts(content)}
<p style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #98a2b3;font-size:14px;overflow-wrap:anywhere">${foot}</p>
</div>
</body>
</html>
`.html;
}
