// Runs wrk against an address: writes the plan for drive.lua, runs it, and compares every response with the
// expected status. Must not: return figures of a run with a wrong response.

import { randomInt } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PlainFault } from '../scripts/toolchain.mjs';
import { randomBase32 } from '../src/base/ids.ts';
import { findWrongResponses, type LoadResult, parseWrkOutput } from './figures.ts';
import { runProgram } from './spawn-child.ts';

export type PayLink = { code: string; token: string };

/**
 * A raw request. Placeholders in braces: `order`, a new order ID; `again`, the last order ID again;
 * `customer`, the number of the order's customer; `view`, the code of a link to open; `pay` and `token`,
 * those of an unused link; in a journey `made`, the code of a created link, and `opened` and `openedtoken`, those of a
 * link whose page was loaded.
 */
export type RequestTemplate = { text: string; status: number };

export type LoadPlan = {
  templates: readonly RequestTemplate[];
  /** The order in which templates come, by their index. */
  cycle: readonly number[];
  connections: number;
  seconds: number;
  limit?: number;
  views?: readonly string[];
  pays?: readonly PayLink[];
  /**
   * Whether the three templates follow each other: the first creates a link, the second opens it, the third pays it.
   * Each connection then does what is next instead of the cycle.
   */
  isJourney?: boolean;
};

export type BenchTools = { wrk: string; pgbench: string; folder: string };

const threads = 2;

/** How long wrk waits for outstanding responses at the end. */
const drainSeconds = 3;

/** A text as a Lua literal: every byte except letters and digits is escaped. */
function luaText(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) => {
    const letter = String.fromCharCode(byte);
    return /[\w ]/.test(letter) ? letter : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

function writePlan(plan: LoadPlan, run: string): string {
  const list = (texts: readonly string[]) => `{ ${texts.join(', ')} }`;
  const { templates, cycle, seconds, limit = 0, views = [], pays = [], isJourney = false } = plan;
  const paying = cycle.filter((index) => templates[index]?.text.includes('{pay}')).length;
  const links = pays.map(({ code, token }) => `{ code = ${luaText(code)}, token = ${luaText(token)} }`);
  const fields = {
    threads,
    seconds,
    limit,
    run: luaText(run),
    first_customer: randomInt(250_000),
    is_journey: String(isJourney),
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
 * @returns what wrk measured, and `run`, the prefix of the run's order IDs.
 * @throws when a response was wrong or missing.
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

/**
 * The length of each placeholder's value: all values of a kind have the same, so that lengths are known in
 * advance.
 */
const filledLengths: Readonly<Record<string, number>> = {
  order: 20,
  again: 20,
  customer: 7,
  view: 30,
  pay: 30,
  token: 41,
  made: 30,
  opened: 30,
  openedtoken: 41,
};

function filledLength(body: string): number {
  const filled = body.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => 'x'.repeat(filledLengths[name] ?? 0));
  return Buffer.byteLength(filled);
}

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
