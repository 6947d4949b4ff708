// Renders an email as plain text. It has everything that the HTML has.

import { shownAddress } from '../companies/contact-lines.ts';
import { isolate } from '../http/interpolate.ts';
import type { EmailContent, LabelledLink } from './email-content.ts';

const linkLines = ({ label, url }: LabelledLink) => `${label}:\n${url}`;

/** Lines with an amount: `Blue mug (2 × €9.50): €19.00`. */
function rowLines(content: EmailContent): string {
  const { locale, items, moreItems, sums } = content;
  const lineOf = ({ label, note, amount }: EmailContent['items'][number]) => {
    const noted = note ? `${isolate(locale, label)} (${isolate(locale, note)})` : isolate(locale, label);
    return `${noted}: ${isolate(locale, amount)}`;
  };
  const more = moreItems && `${moreItems.label}: ${moreItems.url}`;
  const list = [...items.map(lineOf), more].filter(Boolean).join('\n');
  return [list, sums.map(lineOf).join('\n')].filter(Boolean).join('\n\n');
}

/** An email address and a number are their own labels, and a website is its own address. */
function contactLine({ label, url }: LabelledLink): string {
  if (!/^https?:/.test(url)) return label;
  return shownAddress(url) === label ? url : `${label}: ${url}`;
}

function imprintLines({ imprint, locale }: EmailContent): string {
  if (!imprint) return '';
  const { address, vatId, links } = imprint;
  return [...address, vatId && `${vatId.label}: ${isolate(locale, vatId.value)}`, ...links.map(contactLine)]
    .filter(Boolean)
    .join('\n');
}

/** The email as plain text. */
export function renderText(content: EmailContent): string {
  const { locale, warning, heading, amount, lead, button, download, facts, foot } = content;
  const factLines = facts.map(({ label, value }) => `${label}: ${isolate(locale, value)}`).join('\n');
  const blocks = [
    warning,
    [heading, amount].filter(Boolean).join('\n'),
    lead,
    button && linkLines(button),
    download && linkLines(download),
    rowLines(content),
    factLines,
    `-- \n${foot}`,
    imprintLines(content),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}
