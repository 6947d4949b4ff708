// The rules for the source, as data. tidy.test.ts checks every file and plants a violation of each rule.

/** How high a module stands: it may import lower modules only. Files directly in src/ are the module "top". */
export const rank: Readonly<Record<string, number>> = {
  base: 0,
  db: 1,
  http: 2,
  jobs: 2,
  events: 3,
  processors: 3,
  ledger: 4,
  companies: 4,
  'api-keys': 5,
  passwords: 5,
  'second-factors': 6,
  'sign-in': 7,
  team: 8,
  connections: 8,
  payments: 9,
  links: 10,
  refunds: 11,
  search: 11,
  attempts: 12,
  reconciliation: 13,
  overview: 13,
  webhooks: 14,
  checkout: 14,
  mails: 14,
  bank: 14,
  dashboard: 14,
  top: 15,
  // The command line stands above all: it is a client of the service, and an operator of its database.
  cli: 16,
};

/**
 * The same for the dashboard: a folder of web/src/ may import lower ones, and a screen no other screen. Files directly in
 * web/src/ stand above all.
 */
export const webRank: Readonly<Record<string, number>> = {
  base: 0,
  api: 1,
  texts: 2,
  parts: 3,
  screens: 4,
  shell: 5,
};

/** Screens that use another's files: what one knows of passwords and passkeys, the other needs. */
export const webSideways: readonly { from: string; to: string }[] = [{ from: 'account', to: 'sign-in' }];

/** All that the dashboard may know of the rest: what the API takes and answers. Its look may be imported by all. */
export const webOutside = /^(sdk\/src\/api-(routes|types)\.ts|web\/src\/look\/)/;

/** What of ours outside src/ may be imported, and by whom: the command line is a client like any other. */
export const outside: readonly { target: RegExp; by: RegExp }[] = [
  { target: /^package\.json$/, by: /^src\// },
  { target: /^sdk\/src\/index\.ts$/, by: /^src\/cli\// },
];

/** Files that only the named ones may import, whatever their rank. A folder ends with a slash. */
export const guarded: readonly { target: RegExp; by: readonly RegExp[]; instead: string }[] = [
  {
    target: /^src\/(config|telemetry)\.ts$/,
    by: [
      /^src\/(app|deps|serve|master-key)\.ts$/,
      /^src\/cli\/(settings|doctor(-[\w-]+)?|admin|rotate)\.ts$/,
    ],
    instead: 'take the setting or the logger as an argument: app.ts hands it down',
  },
  {
    target: /^src\/processors\/registry\.ts$/,
    // The doctor asks every processor whether live credentials hold, without a service.
    by: [/^src\/app\.ts$/, /^src\/cli\/doctor-live\.ts$/],
    instead: 'take the processor as an argument: app.ts looks it up',
  },
  {
    target: /^src\/processors\/(?!bank-transfer\/)[^/]+\//,
    // The first start prints the sandbox's cards; `paylink trigger` pays with them.
    by: [/^src\/(app|bootstrap)\.ts$/, /^src\/processors\/registry\.ts$/, /^src\/cli\/trigger\.ts$/],
    instead: 'use the Processor interface: only the registry and app.ts know a processor by name',
  },
  {
    target: /^src\/processors\/bank-transfer\//,
    // Statements are its news: src/bank/ writes them into its books.
    by: [/^src\/processors\/registry\.ts$/, /^src\/bank\//],
    instead: 'use the Processor interface: only the registry and the room of statements know these books',
  },
];

/** Who writes a table; all others ask that room. Every table of migrations/ has exactly one row here. */
export const tableOwner: Readonly<Record<string, string>> = {
  schema_migrations: 'db',
  master_key_checks: 'db',
  rate_limits: 'http',
  idempotency_keys: 'http',
  events: 'events',
  event_seals: 'events',
  seal_progress: 'events',
  companies: 'companies',
  accounts: 'companies',
  logins: 'companies',
  sessions: 'sign-in',
  browser_sessions: 'sign-in',
  password_resets: 'sign-in',
  totp_secrets: 'second-factors',
  recovery_codes: 'second-factors',
  passkeys: 'second-factors',
  passkey_challenges: 'second-factors',
  api_keys: 'api-keys',
  login_failures: 'passwords',
  known_clients: 'passwords',
  invitations: 'team',
  payments: 'payments',
  attempts: 'payments',
  refunds: 'payments',
  processor_cases: 'payments',
  connections: 'connections',
  processor_notices: 'connections',
  processor_notice_counts: 'connections',
  webhook_endpoints: 'webhooks',
  webhook_deliveries: 'webhooks',
  webhook_tries: 'webhooks',
  ledger_entries: 'ledger',
  ledger_totals: 'ledger',
  mails: 'mails',
  sandbox_charges: 'processors/sandbox',
  sandbox_refunds: 'processors/sandbox',
  bank_transfers: 'processors/bank-transfer',
  bank_refunds: 'processors/bank-transfer',
  bank_statements: 'bank',
  bank_lines: 'bank',
};

/** What the published client is made of: it runs in browsers and in other people's programs. */
export const published = /^sdk\/src\//;

/** Files that a program writes whole: nobody reads them from top to bottom. */
export const generated = /^sdk\/src\/api-(types|routes)\.ts$/;

export const maxFileLines = 400;
export const maxFunctionLines = 70;

export const fileName = {
  kebab: /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/,
  /** Migrations are numbered; their names follow PostgreSQL's habit. */
  migration: /^migrations\/\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/,
  layer: /(service|repository|repositories|manager|helper|util)/,
  /** The outside programs that a test stands on; nothing to do with a layer of that name. */
  allowed: new Set(['test/harness/services.ts']),
};

const entryPoints = /^src\/(serve|cli\/main)\.ts$/;
const browserScript = /^src\/checkout\/assets\//;

export type Ban = {
  /** What the code does, as tidy-source.ts writes it. */
  what: RegExp;
  instead: string;
  /** Files of src/ that may, besides tests; a ban with `everywhere` holds in tests and scripts, too. */
  allowedIn?: RegExp;
  everywhere?: true;
  /** A line that breaks the rule: the test plants it. */
  planted: string;
};

export const bans: readonly Ban[] = [
  {
    what: /^Date\.now\(/,
    instead: 'take a Clock and pass the moment down (base/clock.ts)',
    allowedIn: browserScript,
    planted: 'export const at = Date.now();',
  },
  {
    what: /^(new )?Date\(\)$/,
    instead: 'take a Clock and pass the moment down (base/clock.ts)',
    allowedIn: /^src\/(base\/clock\.ts$|checkout\/assets\/)/,
    planted: 'export const at = new Date();',
  },
  {
    what: /^Math\.random\(/,
    instead: 'make ids and secrets with base/ids.ts',
    planted: 'export const id = Math.random();',
  },
  {
    what: /^(Number\.)?parseFloat\(/,
    instead: 'read amounts with base/money.ts',
    allowedIn: /^src\/base\/money\.ts$/,
    planted: 'export const amount = Number.parseFloat("1.1");',
  },
  {
    what: /\.toFixed\(/,
    instead: 'write amounts with base/money.ts',
    allowedIn: /^src\/base\/money\.ts$/,
    planted: 'export const amount = (1.005).toFixed(2);',
  },
  {
    what: /^console\.\w+$/,
    instead: 'use the logger of telemetry.ts, which drops what must not be logged',
    allowedIn: entryPoints,
    planted: 'console.log("paid");',
  },
  {
    what: /^process\.env$/,
    instead: 'read the setting in config.ts, which checks it at start',
    allowedIn: /^src\/(config|main|serve|cli\/main)\.ts$/,
    planted: 'export const port = process["env"].PORT;',
  },
  {
    what: /^process\.exit\(/,
    instead: 'throw, and let the entry point decide, by endProcess',
    allowedIn: /^src\/(cli\/main|end-process)\.ts$/,
    planted: 'process.exit(1);',
  },
  {
    what: /^import (node:)?process$/,
    instead: 'write process.… in full, so that the other rules can see it',
    planted: "import { env } from 'node:process';",
  },
  {
    what: /(^|\.)query<…>\(/,
    instead: 'declare the rows of the statement (db/statements.ts): a type argument proves nothing',
    // The driver's own clients.
    allowedIn: /^src\/db\/(embedded|embedded-maintenance|server-pool)\.ts$/,
    planted: "await tx.query<{ at: Date }>('select at from events');",
  },
  {
    what: /^raw\(/,
    instead: 'write the part as a template of sql: raw makes SQL of any text',
    allowedIn: /^src\/(db\/(statements|unnest)|search\/store|ledger\/verify-ledger)\.ts$/,
    planted: 'export const part = raw(name);',
  },
  {
    what: /^any$/,
    instead: 'name the type, or take unknown and check it',
    everywhere: true,
    planted: 'export const x = JSON.parse("1") as any;',
  },
  {
    what: /(^|\.)(test|it|describe|suite|t)\.(only|skip|todo)\(|^test option (only|skip|todo)$/,
    instead: 'run every test, or delete it',
    everywhere: true,
    planted: "test('a', { skip: true }, () => {});",
  },
];

export type TextBan = { what: RegExp; name: string; instead: string; allowedIn?: RegExp; planted: string };

/** Words that may stand in no file of ours, not even in a comment. */
export const textBans: readonly TextBan[] = [
  {
    what: /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|\bsrcdoc=/i,
    name: 'markup from a string',
    instead: 'make elements: text of people must never become markup',
    allowedIn: /^test\//,
    planted: 'page.innerHTML = text;',
  },
  {
    what: /@ts-(ignore|nocheck|expect-error)\b/,
    name: 'a silenced compiler',
    instead: 'make the types right',
    // The project's types know no document.
    allowedIn: browserScript,
    planted: '// @ts-ignore',
  },
  {
    what: /\b(TODO|FIXME)\b/,
    name: 'a promise to do it later',
    instead: 'do it now, or open an issue and leave no mark here',
    planted: '// TODO round it',
  },
  {
    what: /stripe|mollie|paypal/i,
    name: 'a processor by its name',
    instead: 'use the Processor interface: what only one processor needs stands in its own folder',
    // Its folder, the registry and the settings; and what speaks of the whole to people, or tries it.
    allowedIn:
      /^(src\/processors\/(stripe|mollie|paypal)\/|web\/src\/(screens\/processors\/german-words|texts\/events)\.ts$|src\/(processors\/registry|config)(\.test)?\.ts$|test\/|bench\/|docs\/|[^/]+$)/,
    planted: "export const name = 'stripe';",
  },
];
