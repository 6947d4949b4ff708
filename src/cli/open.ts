// `paylink open`: a page of the dashboard, or the description of the API. Must not: put a credential into the address.

import { openInBrowser } from './browser.ts';
import type { Command } from './command.ts';
import { exitCodes } from './command-error.ts';
import { profileOption, readServiceUrl } from './session.ts';

/** The paths of the pages that need no ID. */
export const pages: Readonly<Record<string, string>> = {
  overview: '/dashboard',
  payments: '/dashboard/payments',
  'new-payment': '/dashboard/payments/new',
  cases: '/dashboard/cases',
  balances: '/dashboard/balances',
  webhooks: '/dashboard/webhooks',
  processors: '/dashboard/processors',
  keys: '/dashboard/keys',
  team: '/dashboard/team',
  audit: '/dashboard/audit',
  requests: '/dashboard/requests',
  settings: '/dashboard/settings',
  start: '/dashboard/start',
  operation: '/dashboard/operation',
  account: '/dashboard/account',
  docs: '/docs',
};

const open: Command = {
  name: 'open',
  summary: 'Open a page of the dashboard in a browser',
  details:
    'The page is on the service of the login. If no browser starts, the URL is printed. BROWSER names the program\n' +
    'to start. "docs" is the description of the API.',
  arguments: [{ name: 'PAGE', help: 'default: overview', choices: Object.keys(pages), isOptional: true }],
  options: [{ name: 'print', help: 'print the URL, and start no browser' }, profileOption],
  examples: ['open', 'open webhooks', 'open docs --print'],
  run: async ({ terminal, env }, given) => {
    const url = await readServiceUrl(env, given.text('profile'));
    const address = url + pages[given.optionalArgument('PAGE') ?? 'overview'];
    const isOpened = given.has('print') ? false : await openInBrowser(address, env);
    terminal.report({
      json: { url: address, opened: isOpened },
      lines: [isOpened ? `Opened ${address}` : address],
    });
    if (!isOpened && !given.has('print') && !terminal.isJson)
      terminal.note('No browser could be started. Open this URL yourself.');
    return exitCodes.ok;
  },
};

export const openCommands: readonly Command[] = [open];
