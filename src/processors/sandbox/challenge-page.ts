// The 3-D Secure page of the sandbox's fictitious bank: approve, decline, or leave. Must not: look like a
// real bank, ask for a secret, or contain an inline script or style.

import { chooseLocale, directionOfLocale, type Locale } from '../../base/locale.ts';
import { type Html, html, plainText, userText, webAddress } from '../../http/html.ts';
import { type Texts, texts } from '../../texts/texts.ts';

export type ChallengeView = {
  /** A language tag. */
  locale: string;
  merchantName: string;
  /** Already formatted for the locale, such as `€19.99`. */
  amount: string;
  /** The address that the decision is posted to. */
  approveAction: string;
  token: string;
  stylesheet: string;
  /** The target of the link to leave: a path, or an absolute http(s) address. */
  leaveUrl: string;
};

/** The language of the page: the one of the tag if it is supported, else English. */
export function challengeLanguage(tag: string): Locale {
  return chooseLocale({ wanted: [tag] });
}

/** Accepts a path of this site or an absolute http(s) address; `//host` and other schemes are refused. */
function linkTarget(url: string): string {
  const isPath = /^\/(?![/\\])/.test(url);
  const target = isPath ? url : webAddress(url);
  if (target === null) throw new TypeError('the link to leave is neither a path nor an http(s) address');
  return target;
}

function renderDecision(view: ChallengeView, text: Texts['challenge']): Html {
  return html`<form method="post" action="${view.approveAction}">
<input type="hidden" name="token" value="${view.token}">
<button type="submit" class="button" name="decision" value="approve">${text.approve}</button>
<button type="submit" class="button quiet" name="decision" value="decline">${text.decline}</button>
</form>
<p class="center"><a class="away" href="${linkTarget(view.leaveUrl)}">${text.leave}</a></p>`;
}

/** Posts `decision` = `approve` or `decline` and `token`. Throws a TypeError if the link could run a script. */
export function renderChallengePage(view: ChallengeView): string {
  const language = challengeLanguage(view.locale);
  const text = texts(language).challenge;
  return html`<!doctype html>
<html lang="${language}" dir="${directionOfLocale(language)}">
<head>
<meta charset="utf-8">
<title>${plainText(`${text.heading} – ${text.bank}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${view.stylesheet}">
</head>
<body>
<header class="ribbon"><p>${text.testMode}</p></header>
<main class="card">
<p class="payee">${text.bank}</p>
<h1>${text.heading}</h1>
<dl class="facts"><div><dt>${text.merchant}</dt><dd>${userText(view.merchantName)}</dd></div><div><dt>${text.amount}</dt><dd><strong>${view.amount}</strong></dd></div></dl>
<p>${text.about}</p>
${renderDecision(view, text)}
</main>
</body>
</html>
`.html;
}
