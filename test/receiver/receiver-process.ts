// The receiver as a separate process that survives kills of the service: `node receiver-process.ts <journal file>`. It
// prints its port as JSON.

import { openReceived } from './journal.ts';
import { startReceiver } from './receiver.ts';

const journal = openReceived(process.argv[2] ?? '');
const receiver = await startReceiver(journal.append);
process.stdout.write(`${JSON.stringify({ port: receiver.port })}\n`);
// Exits with the process that started it.
process.stdin.on('end', () => process.exit(0)).resume();
