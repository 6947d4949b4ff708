// Serves one client over standard input and output, until it closes its end or a signal comes. Must not: write anything
// but messages of the protocol to standard output.

import { Readable, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { maxMessageBytes, readExactMessages } from './exact-messages.ts';
import { createMcpServer, type ServerDeps } from './server.ts';

export type Streams = { stdin: Readable; stdout: Writable };

const maxNoteLength = 200;

/** The errors of the SDK's schemas have many lines. */
const firstWords = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, maxNoteLength);

/** Resolves when the connection is closed. */
export async function serveMcp(
  deps: ServerDeps,
  { stdin, stdout }: Streams,
  signal: AbortSignal,
): Promise<void> {
  const messages = Readable.from(readExactMessages(stdin));
  const transport = new StdioServerTransport(messages, stdout, { maxBufferSize: 2 * maxMessageBytes });
  const handle = serveStdio(() => createMcpServer(deps), {
    transport,
    onerror: (error) => deps.note(`A message was not understood: ${firstWords(error.message)}`),
  });
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  const close = () => void handle.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  await closed;
  signal.removeEventListener('abort', close);
  // An open standard input would keep the process alive. Its end in the middle of a message is no error any more.
  messages.on('error', () => undefined);
  stdin.destroy();
}
