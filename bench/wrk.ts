// Drives an address with wrk: writes the plan that drive.lua follows, runs it, and holds every answer to the
// status that its request had to get. It must never give figures of a run in which one answer was another.

import { randomInt } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PlainFault } from '../scripts/toolchain.mjs';
import { randomBase32 } from '../src/base/ids.ts';
import { findWrongResponses, type LoadResult, parseWrkOutput } from './figures.ts';
import { runProgram } from './spawn-child.ts';

export type PayLink = { code: string; token: string };

/**
 * A request as it goes over the wire. In braces: `order`, an id that no other request has; `again`, the last
 * of those; `customer`, the number of the
 * customer of the order; `view`, the code of a link to look at; `pay` and `token`, those of a link that nobody has used.
 */
export type RequestTemplate = { text: string; status: number };

export type LoadPlan = {
  templates: readonly RequestTemplate[];
  /** The order in which templates come, by their index. */
  cycle: readonly number[];
  connections: number;
  seconds: number;
  /** How many requests at most. */
  limit?: number;
  views?: readonly string[];
  pays?: readonly PayLink[];
};

export type BenchTools = { wrk: string; pgbench: string; folder: string };

const threads = 2;

/** How long wrk waits for the answers to what it has sent, when the time is up. */
const drainSeconds = 3;

/** A text as Lua writes it: any byte but letters and digits by its number. */
function luaText(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) => {
    const letter = String.fromCharCode(byte);
    return /[\w ]/.test(letter) ? letter : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

function writePlan(plan: LoadPlan, run: string): string {
  const list = (texts: readonly string[]) => `{ ${texts.join(', ')} }`;
  const { templates, cycle, seconds, limit = 0, views = [], pays = [] } = plan;
  const paying = cycle.filter((index) => templates[index]?.text.includes('{pay}')).length;
  const links = pays.map(({ code, token }) => `{ code = ${luaText(code)}, token = ${luaText(token)} }`);
  const fields = {
    threads,
    seconds,
    limit,
    run: luaText(run),
    first_customer: randomInt(250_000),
    requests_per_link: paying === 0 ? 0 : cycle.length / paying,
    cycle: list(cycle.map((index) => String(index + 1))),
    templates: list(templates.map(({ text }) => luaText(text))),
    views: list(views.map(luaText)),
    pays: list(links),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = ${value},`);
  return `return {\n${lines.join('\n')}\n}\n`;
}

function checkResponses(plan: LoadPlan, driven: LoadResult): void {
  const unanswered = driven.sent.reduce((sum, count) => sum + count, 0) - driven.answered;
  const faults = findWrongResponses(
    driven,
    plan.templates.map(({ status }) => status),
  );
  if (unanswered !== 0) faults.push(`${unanswered} requests got no answer within ${drainSeconds} s`);
  if (faults.length > 0) throw new PlainFault(`These figures are worth nothing: ${faults.join('; ')}`);
}

/**
 * Runs a plan against an address.
 * @returns what wrk measured, and `run`, with which the order ids of the run begin.
 * @throws when an answer was wrong or missing.
 */
export async function runWrk(
  { wrk, folder }: BenchTools,
  url: string,
  plan: LoadPlan,
): Promise<LoadResult & { run: string }> {
  const run = randomBase32(8);
  const file = path.join(folder, `plan-${run}.lua`);
  await writeFile(file, writePlan(plan, run), { mode: 0o600 });
  const script = new URL('drive.lua', import.meta.url).pathname;
  const shape = [`-t${threads}`, `-c${plan.connections}`, `-d${plan.seconds + drainSeconds}s`];
  try {
    const output = await runProgram(wrk, [...shape, '--timeout=60s', '-s', script, url, '--', file]);
    const driven = parseWrkOutput(output);
    checkResponses(plan, driven);
    return { ...driven, run };
  } finally {
    await rm(file);
  }
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** The length of the text that a placeholder becomes: all of a kind have one, so that a length can be told before. */
const filledLengths: Readonly<Record<string, number>> = {
  order: 20,
  again: 20,
  customer: 7,
  view: 30,
  pay: 30,
  token: 41,
};

function filledLength(body: string): number {
  const filled = body.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => 'x'.repeat(filledLengths[name] ?? 0));
  return Buffer.byteLength(filled);
}

/** A request as text, for a template. */
export function formatRawRequest(
  host: string,
  [method, target]: readonly [method: string, target: string],
  headers: RequestHeaders = {},
  body?: string,
): string {
  const length = body === undefined ? {} : { 'content-length': String(filledLength(body)) };
  const all = Object.entries({ host, ...headers, ...length });
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
