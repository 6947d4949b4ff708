// The service as a process to kill, with the fake acquirer: `node spawned-app.ts`, with Paylink's settings, ACQUIRER_URL,
// and optionally CRASH_AT, PLANTED_BUG and ASK_TIMEOUT_MS. A second server takes refunds and the acquirer's
// notifications. Prints its ports as JSON once it listens.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createApp } from '../../src/app.ts';
import { ApiError } from '../../src/base/errors.ts';
import { readConfig } from '../../src/config.ts';
import type { ReportOutcome } from '../../src/processors/processor.ts';
import { refundPayment } from '../../src/refunds/refund-payment.ts';
import { createLogger } from '../../src/telemetry.ts';
import { createAcquirerProcessor, onlyProcessor, readNotification } from '../acquirer/acquirer-processor.ts';
import { armDatabase, armProcessor, type CrashPoint } from './crash-points.ts';
import { type PlantedBug, plantInDatabase, plantInProcessor } from './planted-bugs.ts';

const { ACQUIRER_URL = '', CRASH_AT, PLANTED_BUG, ASK_TIMEOUT_MS = '600' } = process.env;
const point = CRASH_AT as CrashPoint | undefined;
const bug = PLANTED_BUG as PlantedBug | undefined;
const config = readConfig(process.env);
const processorTimeoutMs = Number(ASK_TIMEOUT_MS);

const controlServer = createServer().listen(0, '127.0.0.1');
await once(controlServer, 'listening');
const address = controlServer.address();
const controlPort = typeof address === 'object' ? address?.port : 0;
const notifyUrl = (companyId: string) => `http://127.0.0.1:${controlPort}/notifications/${companyId}`;
let reportOutcome: ReportOutcome | undefined;

const app = await createApp({
  config,
  log: createLogger({ level: config.logLevel, destination: process.stderr }),
  processorTimeoutMs,
  firstReconcileSeconds: Math.ceil(processorTimeoutMs / 1_000),
  leaseSeconds: 1,
  webhookTimings: { timeoutMs: 1_000, leaseSeconds: 2 },
  workTimings: { pollMs: 500, workLeaseSeconds: 2, firstPauseMs: 1_000 },
  processors: (deps) => {
    reportOutcome = deps.reportOutcome;
    const acquirer = createAcquirerProcessor(ACQUIRER_URL, notifyUrl);
    const flawed = bug ? plantInProcessor(acquirer, bug, processorTimeoutMs / 2) : acquirer;
    return onlyProcessor(point ? armProcessor(flawed, point) : flawed);
  },
});
// Plant the bug last: its wrapper is outermost, so that crash points lie within the bug's extra transactions.
if (point) armDatabase(app.deps.db, point);
if (bug) plantInDatabase(app.deps.db, bug);
await app.listen();

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function refund(text: string, response: ServerResponse): Promise<void> {
  const order = JSON.parse(text) as { companyId: string; code: string; amount?: number };
  try {
    const { refundId, state, amountMinor } = await refundPayment(app.deps, {
      mode: 'test',
      ...order,
      createdBy: 'test',
    });
    response.end(JSON.stringify({ refundId, state, amountMinor }));
  } catch (error) {
    response.writeHead(error instanceof ApiError ? 409 : 500).end(JSON.stringify({ error: String(error) }));
  }
}

async function handleNotification(text: string, companyId: string, response: ServerResponse): Promise<void> {
  try {
    await reportOutcome?.({ mode: 'test', companyId, ...readNotification(JSON.parse(text)) });
    response.end();
  } catch {
    response.writeHead(500).end();
  }
}

controlServer.on('request', async (request, response) => {
  const text = await readText(request);
  const companyId = /^\/notifications\/(\w+)$/.exec(request.url ?? '')?.[1];
  if (companyId) await handleNotification(text, companyId, response);
  else await refund(text, response);
});
process.stdout.write(`${JSON.stringify({ port: config.port, controlPort })}\n`);
// Exits with the process that started it.
process.stdin.on('end', () => process.exit(0)).resume();
