// The receiver as a process of its own, so that it outlives every kill of the service:
// `node receiver-process.ts <journal file>`. It prints its port as JSON, and takes everything.

import { openReceived } from './journal.ts';
import { startReceiver } from './receiver.ts';

const journal = openReceived(process.argv[2] ?? '');
const receiver = await startReceiver(journal.append);
process.stdout.write(`${JSON.stringify({ port: receiver.port })}\n`);
// Whoever started it holds the other end; when they are gone, so is it.
process.stdin.on('end', () => process.exit(0)).resume();
