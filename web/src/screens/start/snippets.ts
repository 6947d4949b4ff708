// The lines that a developer copies: a first payment link and the event feed, with curl and with the SDK, filled with
// the reader's own values. Every value is quoted for its place. Must not contain a password.

type SnippetValues = {
  baseUrl: string;
  email: string;
  companyId: string;
  apiKey: string;
  /** The placeholder for the reader's password. */
  password: string;
};

/** The prefix of the order IDs in these lines, by which the page recognises their links. */
export const orderPrefix = 'first-order-';

/** A text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as a literal of JavaScript. */
function scriptText(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

const shellHeaders = `-H "Authorization: Bearer $TOKEN" \\
  -H "X-API-KEY: $API_KEY" -H "X-COMPANY-ID: $COMPANY_ID"`;

/** Logs in with curl and creates a link. */
export function curlLink({ baseUrl, email, companyId, apiKey, password }: SnippetValues): string {
  return `PAYLINK=${shellWord(baseUrl)}
API_KEY=${shellWord(apiKey)}
COMPANY_ID=${shellWord(companyId)}

TOKEN=$(curl -sS "$PAYLINK/v1/auth/login" -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify({ email, password }))} |
  sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')

curl -sS "$PAYLINK/v1/payment/process" ${shellHeaders} \\
  -H 'Content-Type: application/json' -d '{
    "customerOrderId": "${orderPrefix}'"$(date +%s)"'",
    "email": "grace@example.com",
    "amount": 24.50,
    "currency": "EUR",
    "success_url": "'"$PAYLINK"'/sandbox/shop/success",
    "failure_url": "'"$PAYLINK"'/sandbox/shop/failure"
  }'
`;
}

/** Polls the feed with curl, after the lines above. */
export function curlFeed(): string {
  return `curl -sS "$PAYLINK/v1/events?after=latest&wait=25" ${shellHeaders}
`;
}

/** Creates a link with the SDK, which logs in by itself. */
export function scriptLink({ baseUrl, email }: Pick<SnippetValues, 'baseUrl' | 'email'>): string {
  return `import { createPaylink } from '@paylink/sdk';

const baseUrl = ${scriptText(baseUrl)};
const paylink = createPaylink({
  baseUrl,
  email: ${scriptText(email)},
  password: process.env.PAYLINK_PASSWORD ?? '',
  mode: 'test',
});

const { PaymentLink } = await paylink.payments.create({
  customerOrderId: \`${orderPrefix}\${Date.now()}\`,
  email: 'grace@example.com',
  amount: 24.5,
  currency: 'EUR',
  success_url: \`\${baseUrl}/sandbox/shop/success\`,
  failure_url: \`\${baseUrl}/sandbox/shop/failure\`,
});
console.log(PaymentLink);
`;
}

/** Follows the feed with the SDK, after the lines above. */
export function scriptFeed(): string {
  return `for await (const event of paylink.events.follow({ after: 'latest' })) {
  console.log(event.type, event.PaymentLinkCode);
}
`;
}
