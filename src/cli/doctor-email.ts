// The check of the mail server. Must not: send an email, or print the password or the response to the login.

import type { Config } from '../config.ts';
import { checkSmtpServer, type SmtpServer } from '../mails/transport.ts';
import { type CheckResult, fail, isLoopback, ok, warn } from './doctor-checks.ts';

const limits = { connectMs: 5_000, idleMs: 5_000, totalMs: 10_000 };

/** Where emails go, and whether the server accepts them. */
export async function checkEmail({ smtp, baseUrl }: Config): Promise<CheckResult> {
  if (smtp) return await checkServer(smtp);
  const detail = 'SMTP_URL is not set: emails are written to DATA_DIR/mails and not sent';
  return baseUrl.startsWith('https:') ? warn('mail', `${detail}.`, 'Set SMTP_URL.') : ok('mail', detail);
}

async function checkServer(smtp: SmtpServer): Promise<CheckResult> {
  const place = `${smtp.host}, port ${smtp.port}`;
  try {
    const { isEncrypted } = await checkSmtpServer(smtp, limits);
    if (!isEncrypted && !isLoopback(smtp.host) && smtp.host !== '::1')
      return warn(
        'mail',
        `${place} responds without TLS: others can read the emails.`,
        'Use smtps://, or a server that offers STARTTLS.',
      );
    const how = isEncrypted ? 'with TLS' : 'without TLS';
    return ok('mail', `${place} responds ${how}${smtp.login ? ' and accepts the login' : ''}`);
  } catch (error) {
    return explain(place, error as Error & { code?: string; responseCode?: number });
  }
}

function explain(place: string, error: Error & { code?: string; responseCode?: number }): CheckResult {
  if (error.code === 'EAUTH')
    return fail(
      'mail',
      `${place} rejects the login (${error.responseCode ?? 'no code'}).`,
      'Correct the name and password in SMTP_URL; special characters must be percent-encoded.',
    );
  return fail(
    'mail',
    `${place}: ${error.message}`,
    'Check the host, the port and the scheme (smtp:// or smtps://) in SMTP_URL, and firewalls.',
  );
}
