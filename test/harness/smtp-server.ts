// An SMTP server that stores mails and can reject them or stop responding, and readers for the mails.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { extractText, getDocumentProxy } from 'unpdf';
import { until } from './process.ts';

/** The server's response to a recipient or a message: accepted, none, or a refusal with a code. */
export type SmtpReply = 'take' | 'hang' | { code: number; text: string };

export type ReceivedEmail = { sender: string; recipients: string[]; raw: string; email: Email };

export type TestSmtpServer = {
  port: number;
  /** The setting for a service that sends to this server. */
  url: string;
  caught: ReceivedEmail[];
  /** The responses; change them during a test. */
  answers: { recipient: (address: string) => SmtpReply; message: () => SmtpReply };
  /** Waits for `count` emails to an address, in order of arrival. */
  waitFor(recipient: string, count?: number): Promise<ReceivedEmail[]>;
  /** The emails to an address so far. */
  mailsTo(recipient: string): ReceivedEmail[];
  stop(): Promise<void>;
};

type Done = (error?: Error | null) => void;

function sendReply(answer: SmtpReply, done: Done): void {
  if (answer === 'hang') return;
  if (answer === 'take') done();
  else done(Object.assign(new Error(answer.text), { responseCode: answer.code }));
}

async function readStream(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts the server on a free port, or on a given one. */
export async function openSmtpServer(
  options: SMTPServerOptions & { port?: number } = {},
): Promise<TestSmtpServer> {
  const { port: wantedPort = 0, ...settings } = options;
  const caught: ReceivedEmail[] = [];
  const answers: TestSmtpServer['answers'] = { recipient: () => 'take', message: () => 'take' };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 1,
    ...settings,
    onRcptTo: ({ address }, _session, done) => sendReply(answers.recipient(address), done),
    onData: (stream, session, done) => {
      void readStream(stream).then(async (raw) => {
        const { mailFrom, rcptTo } = session.envelope;
        caught.push({
          sender: mailFrom ? mailFrom.address : '',
          recipients: rcptTo.map(({ address }) => address),
          raw,
          email: await PostalMime.parse(raw),
        });
        sendReply(answers.message(), done);
      });
    },
  });
  // Tests kill clients and use untrusted certificates, so errors are expected.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailsTo = (recipient: string) => caught.filter(({ recipients }) => recipients.includes(recipient));
  return {
    port,
    url: `${settings.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    caught,
    answers,
    mailsTo,
    waitFor: async (recipient, count = 1) => {
      await until(() => mailsTo(recipient).length >= count, `${count} mails to ${recipient}`);
      return mailsTo(recipient);
    },
    stop: async () => await new Promise((resolve) => server.close(resolve)),
  };
}

/** The value of a header. Fails unless it occurs exactly once. */
export function headerOf(mail: Pick<ReceivedEmail, 'email'>, name: string): string {
  const found = mail.email.headers.filter(({ key }) => key === name.toLowerCase());
  assert.equal(found.length, 1, `${name} is there ${found.length} times`);
  return found[0]?.value ?? '';
}

/** The text of a PDF, with normalized spaces. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text.replace(/\s+/gu, ' ');
}

/** The text of the only PDF that is attached to an email. */
export async function readAttachedPdf({ email }: Pick<ReceivedEmail, 'email'>): Promise<string> {
  const [attachment, ...others] = email.attachments;
  assert.ok(attachment && others.length === 0, `${email.attachments.length} files are attached`);
  assert.equal(attachment.mimeType, 'application/pdf');
  assert.ok(typeof attachment.content !== 'string');
  return await readPdf(new Uint8Array(attachment.content));
}
