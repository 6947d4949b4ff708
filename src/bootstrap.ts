// The first start on an empty database: creates a sandbox company, its owner and one payment link, and prints
// instructions.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBase62 } from './base/ids.ts';
import { OperatorError } from './base/operator-error.ts';
import { shopPaths } from './checkout/shop-routes.ts';
import { EmailTaken, isEmpty } from './companies/logins.ts';
import { createCompany } from './create-company.ts';
import type { Database } from './db/database.ts';
import type { AppDeps } from './deps.ts';
import { createPayment } from './links/create-payment.ts';
import type { Client } from './passwords/login-pause.ts';
import { passwordError } from './passwords/password-policy.ts';
import { paymentLink } from './payments/present-payment.ts';
import { groupDigits, testCards } from './processors/sandbox/test-cards.ts';
import { logIn } from './sign-in/log-in.ts';

type FirstLogin = {
  email: string;
  /** Null if the settings contain it: then it is not printed. */
  generatedPassword: string | null;
};

export type FirstStart = FirstLogin & { token: string; apiKey: string; companyId: string; link: string };

async function createDemoLink(
  deps: AppDeps,
  owner: { companyId: string; accountId: string },
): Promise<string> {
  const shop = shopPaths(deps.baseUrl);
  const { payment } = await createPayment(
    deps,
    { ...owner, mode: 'test' },
    {
      customerOrderId: 'demo-1',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      amount: 19.99,
      currency: 'EUR',
      description: 'One demo order',
      success_url: shop.success,
      failure_url: shop.failure,
    },
  );
  return paymentLink(deps.baseUrl, payment.code);
}

/** The policy for every new password. Throws a sentence for the operator. */
async function requireGoodPassword(password: string, email: string): Promise<void> {
  const fault = await passwordError(password, email, 'BOOTSTRAP_PASSWORD');
  if (fault) throw new OperatorError(`The password in BOOTSTRAP_PASSWORD cannot be used: ${fault.detail}`);
}

/**
 * Binds the port for a moment. Throws like `listen`. A generated password is printed once, when the service
 * is ready. So nothing is created when the service cannot become ready.
 */
async function requirePort({ port, host }: { port: number; host: string }): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** The client of the first login: this process. */
const bootstrapClient: Client = { networks: [{ name: 'bootstrap', times: 1 }] };

/** How long another process may take for the first start. */
const firstStartLimitMs = 10_000;

/** Waits until another process, which has claimed the address, has created the company. Throws an OperatorError if it does not. */
async function waitForOther(db: Database, email: string): Promise<void> {
  for (const until = performance.now() + firstStartLimitMs; await isEmpty(db); await pause(100))
    if (performance.now() > until)
      throw new OperatorError(
        `The first start was interrupted: ${email} is reserved for an account that was not created. ` +
          'Start again in ten minutes.',
      );
}

/**
 * Creates the sandbox company on an empty database. Null when an account exists already, or when another
 * process was first. Prints the login when the company was created and a later step failed.
 */
export async function bootstrap(deps: AppDeps, print: (text: string) => void): Promise<FirstStart | null> {
  if (!(await isEmpty(deps.db))) return null;
  const email = deps.config.bootstrapEmail;
  const generated = deps.config.bootstrapPassword === null ? randomBase62(20) : null;
  const password = generated ?? deps.config.bootstrapPassword ?? '';
  if (generated === null) await requireGoodPassword(password, email);
  const login: FirstLogin = { email, generatedPassword: generated };
  await requirePort(deps.config);
  try {
    const owner = await createCompany(deps, { name: 'Sandbox Company', country: 'DE', email, password });
    try {
      const link = await createDemoLink(deps, owner);
      const { token, apiKey } = await logIn(deps, { email, password, client: bootstrapClient });
      return { ...login, token, apiKey, companyId: owner.companyId, link };
    } catch (error) {
      // The password is stored nowhere, and the next start finds the account.
      print(describeLogin(login));
      throw error;
    }
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error;
    await waitForOther(deps.db, email);
    return null;
  }
}

/** Quotes a text for a POSIX shell: an address may contain an apostrophe. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curlLines(baseUrl: string, first: FirstStart): string[] {
  const login = JSON.stringify({
    email: first.email,
    password: first.generatedPassword ?? '<BOOTSTRAP_PASSWORD>',
  });
  const shop = shopPaths(baseUrl);
  const order = JSON.stringify({
    customerOrderId: 'order-1001',
    email: 'grace@example.com',
    amount: 42.5,
    currency: 'EUR',
    success_url: shop.success,
    failure_url: shop.failure,
  });
  const post = `-H 'Content-Type: application/json'`;
  return [
    `curl -i -X POST ${baseUrl}/v1/auth/login ${post} -d ${shellWord(login)}`,
    `curl -i -X POST ${baseUrl}/v1/payment/process ${post} -H 'Authorization: Bearer ${first.token}' ` +
      `-H 'X-API-KEY: ${first.apiKey}' -H 'X-COMPANY-ID: ${first.companyId}' -d ${shellWord(order)}`,
  ];
}

export function describeStart(deps: AppDeps, first: FirstStart | null): string {
  const where = deps.db.kind === 'embedded' ? `embedded, in ${deps.config.dataDir}` : 'PostgreSQL';
  const head = `\nPaylink is ready: ${deps.baseUrl}\nDatabase: ${where}; ${deps.db.durability}\n`;
  if (!first) return `${head}Sign in with the account of the first start. docs/guide.md shows the calls.\n`;
  return `${head}${describeAccount(deps, first)}`;
}

function describeLogin({ email, generatedPassword }: FirstLogin): string {
  const password = generatedPassword
    ? `${generatedPassword}   (shown this once)`
    : '(the one in BOOTSTRAP_PASSWORD)';
  return `
A sandbox company was created. No real money moves in it.
  Email      ${email}
  Password   ${password}
`;
}

export function describeAccount(deps: AppDeps, first: FirstStart): string {
  const [login, process] = curlLines(deps.baseUrl, first);
  const cards = testCards.map((card) => `  ${groupDigits(card.number)}   ${card.description}`);
  return `${describeLogin(first)}
Log in:
${login}

Create a payment link (this token is valid for 60 minutes):
${process}

Or pay this link in a browser now:
  ${first.link}

Test cards (any later expiry date, any 3 digits as security code):
${cards.join('\n')}
`;
}
