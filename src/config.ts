// Settings: read from the environment once, at start, and validated together, so that all faults are reported
// at once. No other file reads the environment.

import { isIP } from 'node:net';
import { normaliseEmail, plainEmailAddress } from './base/email-address.ts';
import { OperatorError } from './base/operator-error.ts';
import { type DatabaseSettings, readDatabase } from './database-settings.ts';
import type { SmtpServer } from './mails/transport.ts';
import type { MetricsSettings } from './metrics/metrics-server.ts';
import { readChoice, readInteger, type SettingsReader } from './settings-reader.ts';
import { readTracing, type TracingSettings } from './tracing/settings.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type Config = DatabaseSettings & {
  port: number;
  host: string;
  /** The public address, without a trailing slash. Links use it, never the address of a request. */
  baseUrl: string;
  dataDir: string;
  /** 32 bytes; null when the data folder stores it. */
  masterKey: Buffer | null;
  /** The second master key during a rotation. */
  oldMasterKey: Buffer | null;
  bootstrapEmail: string;
  bootstrapPassword: string | null;
  /** The email addresses of the accounts that see the status of the service, in lower case. */
  operatorEmails: string[];
  logLevel: LogLevel;
  trustedProxies: string[];
  /** The largest number of open connections per client; 0: no limit. */
  connectionsPerClient: number;
  rateLimitProcessPerSecond: number;
  rateLimitLoginPerMinute: number;
  rateLimitApiPerSecond: number;
  rateLimitRefusalsPerMinute: number;
  /** How long calls stay in the request log, in days; 0: no call is recorded. */
  requestLogDays: number;
  /** How long connections are still accepted after a SIGTERM, in seconds; 0: not at all. */
  drainSeconds: number;
  /** Whether webhooks in test mode may go to this machine. */
  webhooksAllowLoopback: boolean;
  /** Null: emails are written into the data folder. */
  smtp: SmtpServer | null;
  /** The sender of emails. */
  mailFrom: string;
  /** Null: no metrics. */
  metrics: MetricsSettings | null;
  /** The addresses of processors' APIs, by name, where they differ from the documented ones. */
  processorUrls: Readonly<Record<string, string>>;
  /** Where traces and metrics go; null: nowhere. */
  tracing: TracingSettings | null;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Contains every fault of the settings: one sentence each, with the setting and the remedy. */
export class InvalidSettingsError extends OperatorError {
  override readonly name = 'InvalidSettingsError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`These settings are invalid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

const logLevels: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function readBaseUrl(reader: SettingsReader, port: number): string {
  const text = reader.text('BASE_URL');
  if (text === undefined) return `http://localhost:${port}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash &&
    url.pathname === '/'
  )
    return url.origin;
  reader.fault(
    `BASE_URL must be an address like https://pay.example.com, without a path or a query, not "${text}".`,
  );
  return '';
}

/** Decodes 32 bytes from 64 hexadecimal digits or from base64 (also base64url); null for anything else. */
export function decodeMasterKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  return bytes.length === 32 ? bytes : null;
}

const howToMakeKey = 'Make one with: openssl rand -base64 32';

function readKey(reader: SettingsReader, name: string): Buffer | null {
  const text = reader.text(name);
  if (text === undefined) return null;
  const key = decodeMasterKey(text);
  if (!key) reader.fault(`${name} must be 32 bytes, in base64 or 64 hexadecimal digits. ${howToMakeKey}`);
  return key;
}

/** The setting that names databases on servers, if one is set. */
const databaseSetting = ({ text }: SettingsReader) =>
  ['DATABASE_URL', 'DATABASE_URLS'].find((name) => text(name) !== undefined) ?? null;

function readMasterKeys(reader: SettingsReader, neededBy: string | null) {
  const masterKey = readKey(reader, 'PAYLINK_MASTER_KEY');
  const oldMasterKey = readKey(reader, 'PAYLINK_OLD_MASTER_KEY');
  if (neededBy && reader.text('PAYLINK_MASTER_KEY') === undefined)
    reader.fault(`PAYLINK_MASTER_KEY is required together with ${neededBy}. ${howToMakeKey}`);
  if (masterKey && oldMasterKey?.equals(masterKey))
    reader.fault(
      'PAYLINK_OLD_MASTER_KEY is the same key as PAYLINK_MASTER_KEY: unset it, or set the other one.',
    );
  return { masterKey, oldMasterKey };
}

function readBootstrap(reader: SettingsReader): { email: string; password: string | null } {
  const email = reader.text('BOOTSTRAP_EMAIL') ?? 'owner@example.com';
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    reader.fault(`BOOTSTRAP_EMAIL must be an email address, not "${email}".`);
  const password = reader.text('BOOTSTRAP_PASSWORD') ?? null;
  if (password !== null && password.length < 12)
    reader.fault('BOOTSTRAP_PASSWORD must have at least 12 characters.');
  return { email, password };
}

const proxyNames: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Whether a text names a proxy: an IP address, a range such as 10.0.0.0/8, or the name of a range. */
function isProxy(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0) return proxyNames.has(text);
  if (rest.length > 0) return false;
  // Fastify refuses a range of all addresses.
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}

function readTrustedProxies(reader: SettingsReader): string[] {
  const parts = (reader.text('TRUSTED_PROXIES') ?? '').split(',').map((part) => part.trim());
  const proxies = parts.filter(Boolean);
  for (const proxy of proxies.filter((part) => !isProxy(part)))
    reader.fault(
      `TRUSTED_PROXIES must list IP addresses or ranges like 10.0.0.0/8, separated by commas, not "${proxy}".`,
    );
  return proxies;
}

function readOperators(reader: SettingsReader): string[] {
  const emails = (reader.text('OPERATOR_EMAILS') ?? '').split(/[\s,]+/).filter(Boolean);
  for (const email of emails.filter((part) => !plainEmailAddress.test(part)))
    reader.fault(
      `OPERATOR_EMAILS must list email addresses of accounts, separated by spaces or commas, not "${email}".`,
    );
  return emails.map(normaliseEmail);
}

/** Percent-decodes a text; an invalid one stays unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readSmtp(reader: SettingsReader): SmtpServer | null {
  const text = reader.text('SMTP_URL');
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  if (!url || !isPlain || !/^smtps?:$/.test(url.protocol) || !url.hostname) {
    reader.fault('SMTP_URL must be an address like smtp://user:password@mail.example.com:587 or smtps://….');
    return null;
  }
  const isImplicitTls = url.protocol === 'smtps:';
  return {
    // Only URLs put an IPv6 address into brackets.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port ? Number(url.port) : isImplicitTls ? 465 : 587,
    isImplicitTls,
    login: url.username ? { user: decoded(url.username), password: decoded(url.password) } : null,
  };
}

function readMail(reader: SettingsReader) {
  const smtp = readSmtp(reader);
  const mailFrom = reader.text('MAIL_FROM');
  if (mailFrom === undefined && reader.text('SMTP_URL') !== undefined)
    reader.fault('MAIL_FROM is required together with SMTP_URL. It is the sender address of emails.');
  if (mailFrom !== undefined && !plainEmailAddress.test(mailFrom))
    reader.fault(`MAIL_FROM must be an email address like no-reply@example.com, not "${mailFrom}".`);
  return { smtp, mailFrom: mailFrom ?? 'paylink@localhost' };
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function readMetrics(reader: SettingsReader, servicePort: number): MetricsSettings | null {
  const port = readInteger(reader, 'METRICS_PORT', { min: 1, max: 65535, fallback: 0 });
  const host = reader.text('METRICS_HOST') ?? '127.0.0.1';
  const token = reader.text('METRICS_TOKEN') ?? null;
  if (reader.text('METRICS_PORT') === undefined) return null;
  if (port === servicePort)
    reader.fault(
      `METRICS_PORT must differ from PORT, which is ${servicePort}: metrics have a port of their own.`,
    );
  // The characters of a bearer token (RFC 6750).
  if (token !== null && !/^[\w.~+/-]{16,}=*$/.test(token))
    reader.fault(
      'METRICS_TOKEN must have at least 16 letters, digits or characters of -._~+/. Make one with: openssl rand -hex 32',
    );
  if (token === null && !isLoopback(host))
    reader.fault(
      `METRICS_TOKEN is required because METRICS_HOST is ${host}: other machines could read the metrics. Make one with: openssl rand -hex 32`,
    );
  return { port, host, token };
}

/** The setting for each processor with a configurable address. */
const processorSettings = { stripe: 'STRIPE_API_URL', mollie: 'MOLLIE_API_URL', paypal: 'PAYPAL_API_URL' };

function readProcessorUrls(reader: SettingsReader): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [processor, setting] of Object.entries(processorSettings)) {
    const text = reader.text(setting);
    if (text === undefined) continue;
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain = url !== null && url.pathname === '/' && !url.search && !url.hash && !url.username;
    if (isPlain && /^https?:$/.test(url.protocol)) urls[processor] = url.origin;
    else reader.fault(`${setting} must be an address like https://api.example.com, not "${text}".`);
  }
  return urls;
}

function readRateLimits(reader: SettingsReader) {
  const readLimit = (name: string, fallback: number) =>
    readInteger(reader, name, { min: 0, max: 1_000_000, fallback });
  return {
    rateLimitProcessPerSecond: readLimit('RATE_LIMIT_PROCESS_PER_SECOND', 100),
    rateLimitLoginPerMinute: readLimit('RATE_LIMIT_LOGIN_PER_MINUTE', 10),
    rateLimitApiPerSecond: readLimit('RATE_LIMIT_API_PER_SECOND', 200),
    rateLimitRefusalsPerMinute: readLimit('RATE_LIMIT_REFUSALS_PER_MINUTE', 60),
  };
}

/** Reads and validates all settings. Throws InvalidSettingsError with every fault. */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const reader: SettingsReader = {
    text: (name) => environment[name]?.trim() || undefined,
    fault: (sentence) => faults.push(sentence),
  };
  const port = readInteger(reader, 'PORT', { min: 1, max: 65535, fallback: 3000 });
  const bootstrap = readBootstrap(reader);
  const logLevel = (reader.text('LOG_LEVEL') ?? 'info') as LogLevel;
  if (!logLevels.includes(logLevel))
    reader.fault(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${logLevel}".`);
  const config: Config = {
    port,
    host: reader.text('HOST') ?? '127.0.0.1',
    baseUrl: readBaseUrl(reader, port),
    dataDir: reader.text('DATA_DIR') ?? './data',
    ...readDatabase(reader),
    ...readMasterKeys(reader, databaseSetting(reader)),
    bootstrapEmail: bootstrap.email,
    bootstrapPassword: bootstrap.password,
    operatorEmails: readOperators(reader),
    logLevel,
    trustedProxies: readTrustedProxies(reader),
    connectionsPerClient: readInteger(reader, 'MAX_CONNECTIONS_PER_CLIENT', {
      min: 0,
      max: 1_000_000,
      fallback: 256,
    }),
    ...readRateLimits(reader),
    requestLogDays: readInteger(reader, 'REQUEST_LOG_DAYS', { min: 0, max: 7, fallback: 7 }),
    drainSeconds: readInteger(reader, 'DRAIN_SECONDS', { min: 0, max: 600, fallback: 5 }),
    webhooksAllowLoopback: readChoice(reader, 'WEBHOOKS_ALLOW_LOOPBACK', ['true', 'false']) === 'true',
    ...readMail(reader),
    metrics: readMetrics(reader, port),
    processorUrls: readProcessorUrls(reader),
    tracing: readTracing(reader.text),
  };
  if (faults.length > 0) throw new InvalidSettingsError(faults);
  return config;
}

/** The settings that open the database. */
export function databaseOptions(config: Config) {
  return {
    ...(config.databaseUrl && { databaseUrl: config.databaseUrl }),
    ...(config.databaseDirectUrl && { directUrl: config.databaseDirectUrl }),
    preparesStatements: config.databasePreparedStatements,
    poolSize: config.databasePoolSize,
    dataDir: config.dataDir,
  };
}
