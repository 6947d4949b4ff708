// Where mails leave the house: to an SMTP server by a small pool of connections, or, without one, into a
// folder. It must never let a server that is slow or silent hold a mail for longer than its limits.

import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Clock, systemClock } from '../base/clock.ts';
import { removeOldEmailFiles } from './email-files.ts';
import type { EmailMessage } from './write-message.ts';

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise it begins by STARTTLS where the server offers it. */
  isTlsAtOnce: boolean;
  login: { user: string; password: string } | null;
};

export type EmailTransport = {
  /** One plain sentence on where mails go, for the log. */
  sentence: string;
  /** Hands a message over. Rejects with MailRefused when it never will be taken, with any other error to try again. */
  deliver(mailId: string, message: EmailMessage): Promise<void>;
  close(): void;
};

/** Thrown when the server has said that it will not take this mail, now or later. */
export class EmailRejectedError extends Error {
  override readonly name = 'EmailRejectedError';
}

/** How long a server is waited for. */
export type SmtpTimeouts = {
  connectMs: number;
  silenceMs: number;
  /** For a mail, from beginning to end: a server that says a little now and then is never silent. */
  wholeMs: number;
};

export type SmtpLimits = SmtpTimeouts & {
  /** For what is under way when the transport is closed. */
  farewellMs: number;
};
const defaultLimits: SmtpLimits = {
  connectMs: 10_000,
  silenceMs: 30_000,
  wholeMs: 60_000,
  farewellMs: 5_000,
};

/** How many mails are on their way at once, from one process. */
export const maxConnections = 4;

type SmtpError = Error & { responseCode?: number; command?: string };

/** A refusal of this recipient or this content; one of the sender or the login is for us to mend. */
function isRejection({ responseCode = 0, command = '' }: SmtpError): boolean {
  return responseCode >= 500 && responseCode < 600 && ['RCPT TO', 'DATA'].includes(command);
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the SMTP server took longer than ${limitMs} ms`)),
    limitMs,
  );
  // Whoever lost the race may still fail; nobody waits for that any more.
  work.catch(() => undefined);
  return await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** How a server is connected to. With a login TLS is a must, and a certificate that does not hold is refused. */
function connectionTo(server: SmtpServer, limits: SmtpTimeouts) {
  const { host, port, isTlsAtOnce, login } = server;
  return {
    host,
    port,
    secure: isTlsAtOnce,
    requireTLS: login !== null && !isTlsAtOnce,
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
  };
}

const credentialsOf = ({ user, password }: NonNullable<SmtpServer['login']>) => ({ user, pass: password });

/** Sends by SMTP. A password never travels without TLS, and a certificate that does not hold is refused. */
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
    sentence: `mails are sent by the SMTP server ${host}, port ${port}`,
    deliver: async (_mailId, message) => {
      // It closes the connection of this mail and no other, so that a mail given up does not go out later.
      const late = AbortSignal.timeout(limits.wholeMs);
      try {
        await pool.sendMail({ ...message, signal: late });
      } catch (error) {
        const fault = error as SmtpError;
        if (isRejection(fault)) throw new EmailRejectedError(fault.message, { cause: fault });
        if (late.aborted)
          throw new Error(`the SMTP server took longer than ${limits.wholeMs} ms`, { cause: fault });
        throw fault;
      }
    },
    close: () => {
      pool.close();
      setTimeout(() => pool.close({ force: true }), limits.farewellMs).unref();
    },
  };
}

/**
 * Says hello to a server, and logs in where that is set, as before a mail; sends none. Tells whether that was by
 * TLS. Rejects with what went wrong.
 */
export async function checkSmtpServer(
  server: SmtpServer,
  limits: SmtpTimeouts = defaultLimits,
): Promise<{ isEncrypted: boolean }> {
  const { login } = server;
  const connection = new SMTPConnection(connectionTo(server, limits));
  const step = async (begin: (done: (error?: Error | null) => void) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A connection may break without the step's being told; and a fault that nobody hears would end the process.
    connection.on('error', reject);
    begin((error) => (error ? reject(error) : resolve()));
    await within(promise, limits.wholeMs);
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

/** Writes each mail into a file of its own, readable by its owner only. Old files are removed as new ones come. */
export async function openFileTransport(folder: string, clock: Clock = systemClock): Promise<EmailTransport> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  let tidiedAt = Number.NEGATIVE_INFINITY;
  const cleanUp = async () => {
    const now = clock.now();
    if (now.getTime() - tidiedAt < cleanupIntervalMs) return;
    tidiedAt = now.getTime();
    // What can't be removed must not look as if this mail could not be written.
    await removeOldEmailFiles(folder, now).catch(() => 0);
  };
  await cleanUp();
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    sentence: `SMTP_URL is not set: mails are not sent, but written to ${folder}`,
    deliver: async (mailId, message) => {
      const { message: bytes } = await composer.sendMail(message);
      const file = join(folder, `${mailId}.eml`);
      // Renamed when it is whole: who watches the folder never reads half a mail.
      await writeFile(`${file}.new`, bytes as Buffer, { mode: 0o600 });
      await rename(`${file}.new`, file);
      await cleanUp();
    },
    close: () => composer.close(),
  };
}
