// A fake acquirer: `node acquirer.ts <journal file>`. It prints its port as JSON, deduplicates by idempotency key, and
// fails as each charge's script says. Must not: respond before its journal is on disk, or import code of the service.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChargeLine, openJournal } from './journal.ts';
import type { Script } from './scripts.ts';

type ChargeRequest = {
  key: string;
  amountMinor: number;
  currency: string;
  about: string;
  script?: Script;
  /** Where it reports the charge, if the script says so. */
  notifyUrl?: string;
};
type RefundRequest = { key: string; chargeKey: string; amountMinor: number };
type Control = {
  /** For charges without a script. */
  defaultScript?: Script;
  refundScript?: Script;
  /** Refuses queries; charges and refunds still work. */
  refusesQuestions?: boolean;
  /** The stopped time of its clock; null lets the clock run. */
  clockMs?: number | null;
};

const journal = openJournal(process.argv[2] ?? '');
const control: Required<Control> = {
  defaultScript: 'approve',
  refusesQuestions: false,
  refundScript: 'approve',
  clockMs: null,
};
const now = () => control.clockMs ?? Date.now();

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : JSON.parse(text);
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Responds as a script says, after its action. */
function respondByScript(response: ServerResponse, script: Script, body: object): void {
  const text = JSON.stringify(body);
  if (script === 'timeout_before' || script === 'timeout_after') return;
  if (script === 'nonsense')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Everything is fine</h1>');
  else if (script === 'error_500_before' || script === 'error_500_after')
    respond(response, 500, { error: 'on purpose' });
  else if (script === 'reset_mid_answer') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  } else respond(response, 200, body);
}

/** Charges pending charges that are due. */
function settleDue(): void {
  for (const charge of journal.charges.values()) {
    if (charge.state !== 'pending' || (charge.dueAtMs ?? 0) > now()) continue;
    const { dueAtMs: _, ...settled } = charge;
    journal.append({ ...settled, state: 'charged' });
  }
}

function makeCharge(request: ChargeRequest, script: Script): ChargeLine {
  const { key, amountMinor, currency, about } = request;
  const [name, argument = ''] = script.split(':');
  const line: ChargeLine = {
    type: 'charge',
    key,
    state: 'charged',
    reference: randomUUID(),
    amountMinor,
    currency,
    about,
  };
  if (name === 'decline') Object.assign(line, { state: 'declined', code: argument });
  if (name === 'late') Object.assign(line, { state: 'pending', dueAtMs: now() + Number(argument) });
  if (name === 'wrong_amount') line.amountMinor += 1;
  return line;
}

/** Reports a charge once. True when the report was accepted. */
async function notify(
  request: ChargeRequest,
  line: ChargeLine,
  signal = AbortSignal.timeout(2_000),
): Promise<boolean> {
  if (!request.notifyUrl) return true;
  const reported = fetch(request.notifyUrl, { method: 'POST', body: JSON.stringify(line), signal });
  return await reported.then(({ ok }) => ok).catch(() => false);
}

/** Reports a charge until the report is accepted, or the caller disconnects. */
async function notifyUntilAcknowledged(
  request: ChargeRequest,
  line: ChargeLine,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  while (!gone.signal.aborted && !(await notify(request, line, gone.signal))) await sleep(20);
}

/** Reports and responds in the order of the script. */
async function notifyAndRespond(
  request: ChargeRequest,
  script: Script,
  line: ChargeLine,
  response: ServerResponse,
): Promise<void> {
  // The response is out of order only if the report arrived first.
  if (script === 'out_of_order') await notifyUntilAcknowledged(request, line, response);
  if (script === 'twice' || script === 'twice_late') await notify(request, line);
  respondByScript(response, script, script === 'out_of_order' ? { ...line, state: 'pending' } : line);
  if (script === 'twice_late') await sleep(1_000);
  if (script === 'twice' || script === 'twice_late') await notify(request, line);
}

async function sleepUntil(atMs: number): Promise<void> {
  while (now() < atMs) await sleep(20);
}

async function charge(request: ChargeRequest, response: ServerResponse): Promise<void> {
  const script = request.script ?? control.defaultScript;
  const known = journal.charges.get(request.key);
  if (known) return respond(response, 200, known);
  if (script === 'timeout_before' || script === 'error_500_before')
    return respondByScript(response, script, {});
  if (script.startsWith('slow:')) await sleepUntil(now() + Number(script.slice(5)));
  // The key may have been used or voided while this request waited.
  const existing = journal.charges.get(request.key);
  if (existing) return respond(response, 200, existing);
  const line = makeCharge(request, script);
  journal.append(line);
  await notifyAndRespond(request, script, line, response);
}

/** Voids a key, unless it has a charge. */
function makeVoid(key: string): ChargeLine {
  const known = journal.charges.get(key);
  if (known) return known;
  const line: ChargeLine = {
    type: 'charge',
    key,
    state: 'void',
    reference: randomUUID(),
    amountMinor: 0,
    currency: 'XXX',
    about: '',
  };
  journal.append(line);
  return line;
}

function refund(request: RefundRequest, response: ServerResponse): void {
  const known = journal.refunds.get(request.key);
  if (known) {
    respond(response, 200, known);
    return;
  }
  const script = control.refundScript;
  if (script === 'timeout_before' || script === 'error_500_before') {
    respondByScript(response, script, {});
    return;
  }
  const { key, chargeKey, amountMinor } = request;
  const charged = journal.charges.get(chargeKey);
  const refunded = [...journal.refunds.values()].filter(
    (other) => other.chargeKey === chargeKey && other.state === 'refunded',
  );
  const left = (charged?.amountMinor ?? 0) - refunded.reduce((sum, other) => sum + other.amountMinor, 0);
  const state = charged?.state === 'charged' && amountMinor <= left ? 'refunded' : 'refused';
  const currency = charged?.currency ?? 'XXX';
  const line = {
    type: 'refund',
    key,
    chargeKey,
    state,
    reference: randomUUID(),
    amountMinor,
    currency,
  } as const;
  journal.append(line);
  respondByScript(response, script, line);
}

/** All moved money, by the journal. */
function listMovements(): object[] {
  const charges = [...journal.charges.values()].filter(({ state }) => state === 'charged');
  const refunds = [...journal.refunds.values()].filter(({ state }) => state === 'refunded');
  return [...charges, ...refunds].map(({ type: kind, key, reference, amountMinor, currency }) => ({
    kind,
    key,
    reference,
    amountMinor,
    currency,
  }));
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const [, collection, key, action] = (request.url ?? '').split('/');
  const route = `${request.method} ${collection}${action ? `/${action}` : ''}`;
  if (route === 'POST control') {
    Object.assign(control, body);
    return respond(response, 200, control);
  }
  settleDue();
  if (route === 'POST charges') return await charge(body as ChargeRequest, response);
  if (route === 'POST refunds') return refund(body as RefundRequest, response);
  if (route === 'GET movements') return respond(response, 200, listMovements());
  if (control.refusesQuestions) return respond(response, 503, { error: 'ask later' });
  if (route === 'POST charges/void') return respond(response, 200, makeVoid(key ?? ''));
  const known = route === 'GET charges' ? journal.charges.get(key ?? '') : undefined;
  respond(response, known ? 200 : 404, known ?? {});
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    if (!response.headersSent) respond(response, 400, { error: String(error) });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
setInterval(settleDue, 100);
// Exits with the process that started it.
process.stdin.on('end', () => process.exit(0)).resume();
