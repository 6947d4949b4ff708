// Writes an email as a message: addresses, headers and parts, passed as values and never as header lines, so that
// nothing in them can start another one. Must not write to an address that could be read as two.

import type { SendMailOptions } from 'nodemailer';
import { plainEmailAddress } from '../base/email-address.ts';
import { titleText } from '../http/html.ts';
import type { EmailContent } from './email-content.ts';
import type { EmailContext } from './read-email-context.ts';
import { renderHtml } from './render-email.ts';
import { renderText } from './render-email-text.ts';
import type { ClaimedEmail } from './store.ts';

/** Thrown for an address that no email can be sent to. A retry would not help. */
export class InvalidAddressError extends Error {
  override readonly name = 'InvalidAddressError';
}

export type EmailMessage = SendMailOptions & { envelope: { from: string; to: string } };

/** A PDF that an email carries. */
export type EmailAttachment = { fileName: string; pdf: Uint8Array };

type Sender = { mailFrom: string; baseUrl: string };

/** Whether the merchant is the recipient. Customers get their email in the merchant's name. */
const isToMerchant = ({ kind }: ClaimedEmail) =>
  ['notice', 'link_request', 'endpoint', 'password', 'account', 'invitation'].includes(kind);

/**
 * Replies to the merchant's email go to the customer, if it is about one, and replies to the customer's email go to the
 * merchant.
 */
function replyAddress(mail: ClaimedEmail, context: EmailContext): string | null {
  if (!('payment' in context)) return null;
  const { company } = context;
  const address = isToMerchant(mail) ? context.payment.email : (company.replyTo ?? company.supportEmail);
  return address && plainEmailAddress.test(address) ? address : null;
}

/** The message of an email. Throws InvalidAddressError. */
export function writeMessage(
  sender: Sender,
  mail: ClaimedEmail,
  written: { context: EmailContext; content: EmailContent; attachment: EmailAttachment | null; at: Date },
): EmailMessage {
  const { context, content, attachment, at } = written;
  const { recipient } = mail;
  if (!plainEmailAddress.test(recipient)) throw new InvalidAddressError('the address is not a plain one');
  const replyTo = replyAddress(mail, context);
  const name = isToMerchant(mail) ? 'Paylink' : titleText(context.company.name);
  return {
    from: { name, address: sender.mailFrom },
    to: { name: '', address: recipient },
    ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
    envelope: { from: sender.mailFrom, to: recipient },
    subject: content.subject,
    // The same for each attempt, so that a mail program can drop the second of two.
    messageId: `<${mail.mailId}@${new URL(sender.baseUrl).hostname.replace(/[[\]]/g, '')}>`,
    date: at,
    xMailer: false,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': content.locale,
    },
    text: renderText(content),
    html: renderHtml(content),
    attachments: attachment
      ? [
          {
            filename: attachment.fileName,
            content: Buffer.from(attachment.pdf),
            contentType: 'application/pdf',
          },
        ]
      : [],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
