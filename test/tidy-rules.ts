// The rules for the source, as data. tidy.test.ts checks every file and plants a violation of each rule.

/** The rank of a module: it may import lower modules only. Files directly in src/ are the module "top". */
export const rank: Readonly<Record<string, number>> = {
  base: 0,
  db: 1,
  tracing: 1,
  texts: 1,
  // A client of the service, for the command line: it uses the SDK and nothing of the service.
  mcp: 1,
  http: 2,
  work: 2,
  cells: 2,
  events: 3,
  'request-log': 3,
  processors: 3,
  ledger: 4,
  companies: 4,
  'api-keys': 5,
  'service-keys': 5,
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
  receipts: 13,
  webhooks: 14,
  checkout: 14,
  mails: 14,
  move: 14,
  bank: 14,
  dashboard: 14,
  docs: 14,
  'cell-moves': 15,
  // What an operator has to know about all of the others.
  'cell-admin': 15,
  'test-mode': 15,
  status: 15,
  metrics: 16,
  top: 17,
  // The command line is a client of the service and an operator of its database.
  cli: 18,
};

/** The same for folders of web/src/; a screen must not import another. Files directly in web/src/ rank highest. */
export const webRank: Readonly<Record<string, number>> = {
  base: 0,
  api: 1,
  texts: 2,
  parts: 3,
  screens: 4,
  shell: 5,
};

/** Screens that use another's files, for passwords and passkeys. */
export const webSideways: readonly { from: string; to: string }[] = [{ from: 'account', to: 'sign-in' }];

/** The only files outside web/ that the dashboard may import: the types of the API. */
export const webOutside = /^(sdk\/src\/api-(routes|types)\.ts|web\/src\/look\/)/;

/** Files outside of src/ that may be imported, and by whom. */
export const outside: readonly { target: RegExp; by: RegExp }[] = [
  { target: /^package\.json$/, by: /^src\// },
  { target: /^sdk\/src\/index\.ts$/, by: /^src\/(cli|mcp)\// },
  // A rehearsal restores a dump into a temporary PostgreSQL.
  { target: /^scripts\/(cluster|system-packages)\.mjs$/, by: /^src\/cli\/restore-backup\.ts$/ },
];

/** Files that only certain files may import, whatever their rank. */
export const guarded: readonly { target: RegExp; by: readonly RegExp[]; instead: string }[] = [
  {
    target: /^src\/(config|telemetry)\.ts$/,
    by: [
      /^src\/(app|deps|serve|master-key|open-database)\.ts$/,
      /^src\/cli\/(settings|doctor(-[\w-]+)?|admin|rotate|move|company|cells|cell-moves)\.ts$/,
    ],
    instead: 'take the setting or the logger as an argument: app.ts passes it',
  },
  {
    target: /^src\/processors\/registry\.ts$/,
    // The doctor checks live credentials without a service.
    by: [/^src\/app\.ts$/, /^src\/cli\/doctor-live\.ts$/],
    instead: 'take the processor as an argument: app.ts looks it up',
  },
  {
    target: /^src\/processors\/(?!bank-transfer\/)[^/]+\//,
    // The first start prints the sandbox's cards; src/test-mode/ pays with them and settles their charges.
    by: [/^src\/(bootstrap|register-routes)\.ts$/, /^src\/processors\/registry\.ts$/, /^src\/test-mode\//],
    instead: 'use the Processor interface: only the registry and register-routes.ts know a processor by name',
  },
  {
    target: /^src\/processors\/bank-transfer\//,
    // src/bank/ writes statements into its tables.
    by: [/^src\/processors\/registry\.ts$/, /^src\/bank\//],
    instead: 'use the Processor interface: only the registry and src/bank/ use these tables',
  },
];

/** The only module that writes each table. Every table of migrations/ has exactly one row. */
export const tableOwner: Readonly<Record<string, string>> = {
  schema_migrations: 'db',
  master_key_checks: 'db',
  database_moves: 'db',
  rate_limits: 'http',
  idempotency_keys: 'http',
  events: 'events',
  event_seals: 'events',
  seal_progress: 'events',
  event_numbers: 'events',
  cells: 'cells',
  company_cells: 'cells',
  directory_logins: 'cells',
  this_cell: 'cells',
  company_homes: 'cells',
  companies: 'companies',
  company_logos: 'companies',
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
  service_keys: 'service-keys',
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
  scheduled_jobs: 'work',
  mails: 'mails',
  sandbox_charges: 'processors/sandbox',
  sandbox_refunds: 'processors/sandbox',
  payment_words: 'search',
  payment_word_positions: 'search',
  payment_word_progress: 'search',
  bank_transfers: 'processors/bank-transfer',
  bank_refunds: 'processors/bank-transfer',
  bank_statements: 'bank',
  bank_lines: 'bank',
  api_requests: 'request-log',
  test_clocks: 'test-mode',
};

/** The published client, which runs in browsers and foreign programs. */
export const published = /^sdk\/src\//;

/** An integration with a shop system. It imports its own files, what the integrations share, and the client. */
export const integration = /^integrations\/(\w+)\/src\//;
export const sharedByIntegrations = /^(integrations\/shared|sdk\/src)\//;

/** Generated files. */
export const generated = /^sdk\/src\/api-(types|routes)\.ts$/;

export const maxFileLines = 400;
export const maxFunctionLines = 70;

export const fileName = {
  kebab: /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/,
  /** Migrations are numbered, in PostgreSQL's style. */
  migration: /^migrations\/\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/,
  /** A service key is a term of the glossary. */
  layer: /(service(?!-key)|repository|repositories|manager|helper|util)/,
  /** External programs for tests, not a layer. */
  allowed: new Set(['test/harness/services.ts']),
};

const entryPoints = /^src\/(serve|cli\/main)\.ts$/;
const browserScript = /^src\/(checkout|docs)\/assets\//;

export type Ban = {
  /** The fact as tidy-source.ts writes it. */
  what: RegExp;
  instead: string;
  /** Exempt files of src/; tests and scripts are exempt too, except with `everywhere`. */
  allowedIn?: RegExp;
  everywhere?: true;
  /** A violation that the test plants. */
  planted: string;
};

export const bans: readonly Ban[] = [
  {
    what: /^Date\.now\(/,
    instead: 'take a Clock and pass the time down (base/clock.ts)',
    allowedIn: browserScript,
    planted: 'export const at = Date.now();',
  },
  {
    what: /^(new )?Date\(\)$/,
    instead: 'take a Clock and pass the time down (base/clock.ts)',
    allowedIn: /^src\/(base\/clock\.ts$|checkout\/assets\/)/,
    planted: 'export const at = new Date();',
  },
  {
    what: /^Math\.random\(/,
    instead: 'generate IDs and secrets with base/ids.ts',
    planted: 'export const id = Math.random();',
  },
  {
    what: /^(Number\.)?parseFloat\(/,
    instead: 'parse amounts with base/money.ts',
    allowedIn: /^src\/base\/money\.ts$/,
    planted: 'export const amount = Number.parseFloat("1.1");',
  },
  {
    what: /\.toFixed\(/,
    instead: 'format amounts with base/money.ts',
    allowedIn: /^src\/base\/money\.ts$/,
    planted: 'export const amount = (1.005).toFixed(2);',
  },
  {
    what: /^console\.\w+$/,
    instead: 'use the logger of telemetry.ts, which drops secret fields',
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
    allowedIn: /^src\/(db\/(statements|unnest)|ledger\/verify-ledger)\.ts$/,
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

/** Texts that no file may contain, not even in a comment. */
export const textBans: readonly TextBan[] = [
  {
    what: /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|\bsrcdoc=/i,
    name: 'markup from a string',
    instead: 'create elements: user text must never become markup',
    allowedIn: /^test\//,
    planted: 'page.innerHTML = text;',
  },
  {
    what: /@ts-(ignore|nocheck|expect-error)\b/,
    name: 'a silenced compiler',
    instead: 'fix the types',
    // The project's types lack the DOM.
    allowedIn: browserScript,
    planted: '// @ts-ignore',
  },
  {
    what: /\b(TODO|FIXME)\b/,
    name: 'a postponed task',
    instead: 'do it now, or open an issue and leave no mark here',
    planted: '// TODO round it',
  },
  {
    what: /stripe|mollie|paypal/i,
    name: 'a processor by its name',
    instead: 'use the Processor interface: keep code for one processor in its folder',
    // Its folder, the registry, the settings, the values of its texts, docs and tests.
    allowedIn:
      /^(src\/processors\/(stripe|mollie|paypal)\/|web\/src\/texts\/(text-values|texts\.test)\.ts$|src\/(processors\/registry|config)(\.test)?\.ts$|test\/|bench\/|docs\/|[^/]+$)/,
    planted: "export const name = 'stripe';",
  },
];
