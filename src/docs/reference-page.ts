// The API reference as one page of HTML. It is complete without its script, which adds the forms for trying operations.

import { type Html, html } from '../http/html.ts';
import type { Description } from './description.ts';
import { exampleLanguages } from './example-languages.ts';
import { renderOperation } from './operation-view.ts';
import type { PageOfDocs } from './page-index.ts';
import { inlineText, renderSchemas } from './schema-view.ts';

const titles: Readonly<Record<string, string>> = {
  auth: 'Login',
  bank: 'Bank transfers',
  keys: 'Keys',
  session: 'Browser sessions',
  'webhook-messages': 'Webhook messages',
};

const titleOf = (tag: string) =>
  titles[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ');

function renderNavigation({ sections }: Description): Html {
  return html`<nav aria-label="Sections"><ul>
${sections.map(({ tag }) => html`<li><a href="#${tag}">${titleOf(tag)}</a></li>\n`)}<li><a href="#schemas">Schemas</a></li>
<li><a href="#pages">Pages</a></li>
</ul></nav>
`;
}

/** Not a password field: browsers would offer to store the key. The form is hidden until the script uses it. */
const keyForm = html`<form id="credentials" autocomplete="off" hidden>
<label for="key">Key</label>
<input id="key" type="text" class="secret" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-hint">
<p id="key-hint">A service key of your company, such as <code>pls_test_…</code>. It stays in this tab: it is not stored, and a reload forgets it. Requests go to this server only.</p>
<details><summary>Use the three headers of the login instead</summary>
<p>Enter the token as the key, and the two headers of the response of <code>POST /v1/auth/login</code>.</p>
<label for="api-key">X-API-KEY</label>
<input id="api-key" type="text" class="secret" autocomplete="off" autocapitalize="off" spellcheck="false">
<label for="company-id">X-COMPANY-ID</label>
<input id="company-id" type="text" autocomplete="off" autocapitalize="off" spellcheck="false">
</details>
<div id="live" role="alert"></div>
</form>
<noscript><p>Without JavaScript, this page is the reference and its examples. Trying an operation here needs JavaScript.</p></noscript>
`;

const languageChoice = html`<fieldset id="languages">
<legend>Examples in</legend>
${exampleLanguages.map(
  ({ id, title }, index) =>
    html`<label><input type="radio" name="language" id="language-${id}" value="${id}"${index === 0 && html` checked`}> ${title}</label>\n`,
)}</fieldset>
<p>The examples read the key from the environment variable <code>PAYLINK_SERVICE_KEY</code>. An <code>Idempotency-Key</code> makes a call safe to repeat: take a new one for each new call.</p>
`;

function renderSections({ sections, schemas }: Description, baseUrl: string): Html {
  return html`${sections.map(
    ({ tag, description, operations }, index) => html`<section aria-labelledby="${tag}">
<h2 id="${tag}">${titleOf(tag)}</h2>
<p>${inlineText(description)}.</p>
${operations.map((operation, place) =>
  renderOperation(operation, { baseUrl, schemas, isOpen: index === 0 && place === 0 }),
)}</section>
`,
  )}`;
}

function renderPages(pages: readonly PageOfDocs[]): Html {
  return html`<section aria-labelledby="pages">
<h2 id="pages">Pages</h2>
<p>The documentation as Markdown; <a href="/llms.txt"><code>/llms.txt</code></a> lists every page for programs.</p>
<ul class="pages">
${pages.map(({ title, path, text }) => html`<li><a href="${path}">${title}</a>${text && html`: ${inlineText(text)}`}</li>\n`)}</ul>
</section>
`;
}

export type ReferenceAssets = { css: string; js: string; icon: string };

/** `pages`: what integrators read, in order. */
export function renderReference(
  description: Description,
  { baseUrl, assets, pages }: { baseUrl: string; assets: ReferenceAssets; pages: readonly PageOfDocs[] },
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Paylink API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="alternate" type="text/markdown" href="/docs/api.md">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}" defer></script>
</head>
<body>
<a class="skip" href="#payments">Skip to the operations</a>
<header>
<h1>Paylink API</h1>
<p>Version ${description.version} · <a href="/openapi.json">OpenAPI</a> · <a href="/llms.txt">llms.txt</a> · <a href="/dashboard">Dashboard</a></p>
</header>
${renderNavigation(description)}<main>
${description.text.split('\n\n').map((part) => html`<p>${inlineText(part)}</p>\n`)}${keyForm}${languageChoice}${renderSections(
  description,
  baseUrl,
)}<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
<p>The shapes of requests and responses.</p>
${renderSchemas(description.schemas)}</section>
${renderPages(pages)}</main>
</body>
</html>
`;
}
