// Sends emails: to an SMTP server through a small pool of connections, or, without one, into a folder. Must not let a
// slow or silent server hold an email for longer than its limits.

import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Clock, systemClock } from '../base/clock.ts';
import { type SpanStart, traceCall } from '../base/spans.ts';
import { removeOldEmailFiles } from './email-files.ts';
import type { EmailMessage } from './write-message.ts';

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise the connection starts with STARTTLS if the server offers it. */
  isImplicitTls: boolean;
  login: { user: string; password: string } | null;
};

export type EmailTransport = {
  /** Where emails go, for the log. */
  description: string;
  /**
   * Delivers a message. Rejects with EmailRejectedError if it will never be accepted, and with any other error if a
   * retry may help.
   */
  deliver(mailId: string, message: EmailMessage): Promise<void>;
  close(): void;
};

/** Thrown if the server permanently refuses this email. */
export class EmailRejectedError extends Error {
  override readonly name = 'EmailRejectedError';
}

/** How long to wait for a server. */
export type SmtpTimeouts = {
  connectMs: number;
  idleMs: number;
  /** For a whole email: a server that keeps sending a little is never idle. */
  totalMs: number;
};

export type SmtpLimits = SmtpTimeouts & {
  /** For deliveries under way when the transport is closed. */
  closeGraceMs: number;
};
const defaultLimits: SmtpLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 60_000,
  closeGraceMs: 5_000,
};

/** How many emails one process sends at the same time. */
export const maxConnections = 4;

type SmtpError = Error & { responseCode?: number; command?: string };

/**
 * Whether the server refused this recipient or this content. A refusal of the sender or the login is a problem of our
 * configuration.
 */
function isRejection({ responseCode = 0, command = '' }: SmtpError): boolean {
  return responseCode >= 500 && responseCode < 600 && ['RCPT TO', 'DATA'].includes(command);
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the SMTP server took longer than ${limitMs} ms`)),
    limitMs,
  );
  // The loser of the race may still fail, and nothing awaits it.
  work.catch(() => undefined);
  return await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** How to connect to a server. With a login, TLS is required, and an invalid certificate is refused. */
function connectionTo(server: SmtpServer, limits: SmtpTimeouts) {
  const { host, port, isImplicitTls, login } = server;
  return {
    host,
    port,
    secure: isImplicitTls,
    requireTLS: login !== null && !isImplicitTls,
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.idleMs,
  };
}

const credentialsOf = ({ user, password }: NonNullable<SmtpServer['login']>) => ({ user, pass: password });

/** The server alone: an email has addresses and a subject. */
const describeSending = ({ host, port }: SmtpServer): SpanStart => ({
  ...{ name: 'send email', kind: 'client', attributes: { 'server.address': host, 'server.port': port } },
});

/** Sends by SMTP. A password never travels without TLS, and an invalid certificate is refused. */
export function openSmtp(server: SmtpServer, limits: SmtpLimits = defaultLimits): EmailTransport {
  const { host, port, login } = server;
  const pool = createTransport({
    ...connectionTo(server, limits),
    ...(login ? { auth: credentialsOf(login) } : {}),
    pool: true,
    maxConnections,
    maxMessages: 100,
  });
  return {
    description: `emails are sent through the SMTP server ${host}, port ${port}`,
    deliver: async (_mailId, message) => {
      // Closes the connection of this email and no other, so that an abandoned email is not sent later.
      const late = AbortSignal.timeout(limits.totalMs);
      try {
        await traceCall(
          () => describeSending(server),
          async () => await pool.sendMail({ ...message, signal: late }),
        );
      } catch (error) {
        const fault = error as SmtpError;
        if (isRejection(fault)) throw new EmailRejectedError(fault.message, { cause: fault });
        if (late.aborted)
          throw new Error(`the SMTP server took longer than ${limits.totalMs} ms`, { cause: fault });
        throw fault;
      }
    },
    close: () => {
      pool.close();
      setTimeout(() => pool.close({ force: true }), limits.closeGraceMs).unref();
    },
  };
}

/**
 * Greets a server, and logs in if that is configured, as before an email. Sends none. Returns whether the connection
 * used TLS. Rejects with the error.
 */
export async function checkSmtpServer(
  server: SmtpServer,
  limits: SmtpTimeouts = defaultLimits,
): Promise<{ isEncrypted: boolean }> {
  const { login } = server;
  const connection = new SMTPConnection(connectionTo(server, limits));
  const step = async (begin: (done: (error?: Error | null) => void) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A connection may break without a report to the current step, and an unhandled error would end the process.
    connection.on('error', reject);
    begin((error) => (error ? reject(error) : resolve()));
    await within(promise, limits.totalMs);
  };
  try {
    await step((done) => connection.connect(done));
    if (login) await step((done) => connection.login({ credentials: credentialsOf(login) }, done));
    connection.quit();
    return { isEncrypted: connection.secure };
  } finally {
    connection.close();
  }
}

const cleanupIntervalMs = 60 * 60 * 1000;

/** Writes each email into a file of its own, readable by its owner only. Removes old files as new ones come. */
export async function openFileTransport(folder: string, clock: Clock = systemClock): Promise<EmailTransport> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  let cleanedAt = Number.NEGATIVE_INFINITY;
  const cleanUp = async () => {
    const now = clock.now();
    if (now.getTime() - cleanedAt < cleanupIntervalMs) return;
    cleanedAt = now.getTime();
    // A failed removal must not look like a failed write of this email.
    await removeOldEmailFiles(folder, now).catch(() => 0);
  };
  await cleanUp();
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    description: `SMTP_URL is not set: emails are not sent but written to ${folder}`,
    deliver: async (mailId, message) => {
      const { message: bytes } = await composer.sendMail(message);
      const file = join(folder, `${mailId}.eml`);
      // Renamed when it is complete: a watcher of the folder never reads half an email.
      await writeFile(`${file}.new`, bytes as Buffer, { mode: 0o600 });
      await rename(`${file}.new`, file);
      await cleanUp();
    },
    close: () => composer.close(),
  };
}
