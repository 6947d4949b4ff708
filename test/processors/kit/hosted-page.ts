// The page of a fake processor: one form with a button for each action of the customer, without scripts.

export type Button = 'pay' | 'decline' | '3ds' | 'back' | 'pass' | 'fail';

const labels: Readonly<Record<Button, string>> = {
  pay: 'Pay',
  decline: 'Pay with a card that is declined',
  '3ds': 'Pay with 3-D Secure',
  back: 'Back to the shop',
  pass: 'Confirm',
  fail: 'Refuse',
};

export type HostedPage = {
  /** The name of the fake, such as `Fake Stripe`. */
  title: string;
  /** The payee, the amount and the purpose. */
  lines: readonly string[];
  /** The error of the last action. */
  message?: string;
  buttons: readonly Button[];
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** The page as a document. Its form is posted to the page's own address; the button's value comes as `do`. */
export function renderHostedPage(page: HostedPage): string {
  const lines = page.lines.map((line) => `<p>${escapeText(line)}</p>`).join('\n');
  const message = page.message ? `<p role="alert">${escapeText(page.message)}</p>\n` : '';
  const buttons = page.buttons
    .map((button) => `<button type="submit" name="do" value="${button}">${labels[button]}</button>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeText(page.title)}</title>
<link rel="icon" href="data:,"></head>
<body>
<h1>${escapeText(page.title)}</h1>
${lines}
${message}<form method="post">
${buttons}
</form>
</body>
</html>
`;
}
