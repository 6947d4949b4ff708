// The frame of every hosted page: head, test-mode ribbon, card, footer. The Content-Security-Policy blocks inline
// scripts, inline styles and event attributes.

import { LRUCache } from 'lru-cache';
import { directionOfLocale, type Locale } from '../base/locale.ts';
import type { ContactSource } from '../companies/contact-lines.ts';
import { type Html, html } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { pageTexts } from '../texts/texts.ts';
import type { PageAssets } from './branding.ts';
import { renderContact } from './contact.ts';
import { type LanguageForm, renderLanguageForm } from './language-form.ts';

export type PageFrame = {
  locale: Locale;
  /** As the merchant wrote it. Empty if no merchant is known or none may be named. */
  merchantName: string;
  /** URL paths of what the page loads, with their content hash. */
  assets: PageAssets;
  isTestMode: boolean;
  /** How to reach the merchant. Missing if no merchant is known or none may be named. */
  contact?: ContactSource;
  /** The choice of language; a page without a payment has none, and a preview does not show it. */
  languageForm?: LanguageForm;
  /** A preview is inert and never reloads. */
  isPreview?: boolean;
};

export type PageFact = { label: string; value: Html };

export function renderFacts(facts: readonly PageFact[]): Html {
  if (facts.length === 0) return html``;
  return html`<dl class="facts">${facts.map(
    (fact) => html`<div><dt>${fact.label}</dt><dd>${fact.value}</dd></div>`,
  )}</dl>`;
}

// For browsers without script.
function renderRefresh(refresh: { path: string; seconds: number }): Html {
  return html`<noscript><meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.path}"></noscript>
`;
}

// The logo is also the icon, so a page with a logo loads no more files than a page without.
function renderIcon({ icon, logo }: PageAssets): Html {
  const type = logo?.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
  if (logo) return html`<link rel="icon" type="${type}" href="${logo}">`;
  return html`<link rel="icon" type="image/svg+xml" href="${icon}">`;
}

/** The height of a logo in the stylesheet, in pixels at the browser's default size of text. */
const logoHeight = 48;

/** Its shape, from which the browser reserves its place: the text beside it does not move when the file arrives. */
function renderSize({ logoRatio }: PageAssets): Html | null {
  if (logoRatio === null) return null;
  const width = Math.max(1, Math.round((logoHeight * logoRatio) / 1_000));
  return html` width="${width}" height="${logoHeight}"`;
}

// Its alt is empty: every page with a logo names the merchant in text.
function renderLogo(assets: PageAssets): Html | null {
  const { logo, darkLogo } = assets;
  if (logo === null) return null;
  const image = html`<img src="${logo}"${renderSize(assets)} alt="" decoding="async">`;
  if (!darkLogo) return html`<p class="logo">${image}</p>\n`;
  const source = html`<source srcset="${darkLogo}" media="(prefers-color-scheme: dark)">`;
  return html`<p class="logo two"><picture>${source}${image}</picture></p>\n`;
}

/** The parts of a document that do not depend on its payment, in order. */
type DocumentParts = {
  head: Html;
  links: Html;
  body: Html;
  start: Html;
  logo: Html | null;
  foot: Html;
  end: Html;
};

function makeParts({
  locale,
  assets,
  isTestMode,
  isPreview,
  contact,
  merchantName,
}: PageFrame): DocumentParts {
  const text = pageTexts(locale);
  return {
    head: html`<!doctype html>
<html lang="${locale}" dir="${directionOfLocale(locale)}">
<head>
<meta charset="utf-8">
<title>`,
    links: html`</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
`,
    body: html`${renderIcon(assets)}
<link rel="stylesheet" href="${assets.css}">
${assets.js && html`<script src="${assets.js}" defer></script>\n`}</head>
<body${isPreview && html` inert`}`,
    start: html`>
${isTestMode && html`<header class="ribbon"><p>${text.testMode}</p></header>\n`}<main class="card">
`,
    logo: renderLogo(assets),
    foot: html`
</main>
<footer class="foot">${contact && renderContact(contact, { locale, merchantName })}<p>${text.footer}</p>`,
    end: html`</footer>
</body>
</html>
`,
  };
}

/** Recently used parts: a company's pages in one language and mode share them. */
const knownParts = new LRUCache<string, DocumentParts>({ max: 1_000 });

function documentParts(frame: PageFrame): DocumentParts {
  const { css, js, icon, logo, darkLogo, logoRatio } = frame.assets;
  const files = `${css} ${js} ${icon} ${logo} ${darkLogo} ${logoRatio}`;
  const who = frame.contact ? JSON.stringify([frame.merchantName, frame.contact]) : '';
  const key = `${frame.locale} ${frame.isTestMode} ${frame.isPreview} ${files} ${who}`;
  const known = knownParts.get(key);
  if (known) return known;
  const parts = makeParts(frame);
  knownParts.set(key, parts);
  return parts;
}

/**
 * `title` is plain text, with an "Error:" prefix if `hasError`. The page's only h1 is in `heading`, which is shown beside
 * the logo, or in `main`.
 */
export function renderLayout(options: {
  frame: PageFrame;
  title: string;
  heading?: Html;
  main: Html;
  hasError?: boolean;
  refresh?: { path: string; seconds: number } | null;
}): Html {
  const { frame, heading, main } = options;
  const refresh = frame.isPreview ? null : options.refresh;
  // A page that reloads within seconds would close the list while the customer reads it.
  const isCalm = !refresh || refresh.seconds >= 30;
  const text = pageTexts(frame.locale);
  const title = options.hasError
    ? interpolateText(frame.locale, text.errorTitle, { title: options.title })
    : options.title;
  const { head, links, body, start, logo, foot, end } = documentParts(frame);
  return html`${head}${title}${links}${refresh && renderRefresh(refresh)}${body}${
    refresh && html` data-refresh="${refresh.path}" data-seconds="${refresh.seconds}"`
  }${start}${heading ? html`<div class="head">\n${logo}${heading}\n</div>\n` : logo}${main}${foot}${
    frame.languageForm && !frame.isPreview && isCalm && renderLanguageForm(frame.languageForm, frame.locale)
  }${end}`;
}
