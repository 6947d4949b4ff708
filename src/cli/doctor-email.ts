// What `paylink doctor` can find out about mail: whether the server takes us as it would before a mail. It must never
// send one, nor print the password or what the server says to a login, which may repeat it.

import type { Config } from '../config.ts';
import { checkSmtpServer, type SmtpServer } from '../mails/transport.ts';
import { type CheckResult, fail, isLoopback, ok, warn } from './doctor-checks.ts';

const limits = { connectMs: 5_000, idleMs: 5_000, totalMs: 10_000 };

/** Where mails go, and whether they can. */
export async function checkEmail({ smtp, baseUrl }: Config): Promise<CheckResult> {
  if (smtp) return await checkServer(smtp);
  const detail = 'SMTP_URL is not set: mails are files in DATA_DIR/mails, and reach nobody';
  // On somebody's own machine that is as it should be.
  return baseUrl.startsWith('https:') ? warn('mail', `${detail}.`, 'Set SMTP_URL.') : ok('mail', detail);
}

async function checkServer(smtp: SmtpServer): Promise<CheckResult> {
  const place = `${smtp.host}, port ${smtp.port}`;
  try {
    const { isEncrypted } = await checkSmtpServer(smtp, limits);
    if (!isEncrypted && !isLoopback(smtp.host) && smtp.host !== '::1')
      return warn(
        'mail',
        `${place} answers without TLS: mails can be read on their way.`,
        'Use smtps://, or a server that offers STARTTLS.',
      );
    const how = isEncrypted ? 'by TLS' : 'without TLS';
    return ok('mail', `${place} answers ${how}${smtp.login ? ' and takes the login' : ''}`);
  } catch (error) {
    return explain(place, error as Error & { code?: string; responseCode?: number });
  }
}

function explain(place: string, fault: Error & { code?: string; responseCode?: number }): CheckResult {
  if (fault.code === 'EAUTH')
    return fail(
      'mail',
      `${place} refuses the login (${fault.responseCode ?? 'no code'}).`,
      'Mend name and password in SMTP_URL; special characters are percent-encoded.',
    );
  return fail(
    'mail',
    `${place}: ${fault.message}`,
    'See that SMTP_URL names the right host and port, that smtp:// and smtps:// are not mixed up, and that no firewall is between.',
  );
}
