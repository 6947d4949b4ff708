// The security code of a card is in no dump, WAL, log or response. Three or four digits appear everywhere by chance (in
// IDs, times, durations, transaction numbers), so a single match proves nothing. Instead, the test pays one round with
// one code and one with another, and compares the matches of each code in both rounds, in every place and encoding.
// Chance is the same in both rounds; a leak adds one match for each payment. A number that all payments of one round share
// can contain that round's code. So only what is found for both codes counts: a leak shows each of them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startCluster } from '../scripts/cluster.mjs';
import { createLink } from './harness/client.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { postgresBin, type TestDatabase } from './harness/services.ts';
import { fillCard, type Page, visit } from './harness/visitor.ts';

/** Payments in each round. */
const payments = 60;

/** Fewer matches than a leak adds, and many more than chance. */
const leakFrom = payments * 0.75;

/** Codes that no other text of the test contains. */
const codes = ['817', '963'] as const;

/** Refused before any processor is queried; long enough to never match by chance. */
const refusedCode = '48X7QJ93KWZ';

const approved = '4242424242424242';
const declined = '4000000000000002';

/**
 * Stays within one second, so that all signed results have one time. Otherwise a time that ends with a code would put that
 * code into each result of that second. But each payment has its own millisecond: IDs of one millisecond count up, so
 * those of a whole round could have a code in common.
 */
const clock = manualClock(new Date('2026-11-23T12:00:00Z'));

type Places = Readonly<Record<'dump' | 'WAL' | 'log' | 'responses', Buffer>>;

/** The code in each encoding; for base64, the characters that encode the code at each offset. */
function encodingsOf(code: string): Record<string, string> {
  const base64At = (offset: number) => {
    const whole = Buffer.from('\0'.repeat(offset) + code)
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last character that depend only on the code.
    const from = Math.ceil((offset * 8) / 6);
    return whole.slice(from, Math.floor(((offset + code.length) * 8) / 6));
  };
  return {
    plain: code,
    hex: Buffer.from(code).toString('hex'),
    'base64 at 0': base64At(0),
    'base64 at 1': base64At(1),
    'base64 at 2': base64At(2),
    escaped: [...code].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join(''),
    reversed: [...code].reverse().join(''),
    'UTF-16': [...code].map((digit) => `${digit}\0`).join(''),
  };
}

function countIn(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count += 1;
  return count;
}

/** The number of matches, by place and encoding, of each code in the order of `codes`. */
type Counts = ReadonlyMap<string, readonly number[]>;

function countAll(places: Places): Counts {
  const encodings = codes.map(encodingsOf);
  return new Map(
    Object.entries(places).flatMap(([place, bytes]) =>
      Object.keys(encodings[0] ?? {}).map((name): [string, number[]] => [
        `${place}: ${name}`,
        encodings.map((texts) => countIn(bytes, texts[name] ?? '')),
      ]),
    ),
  );
}

/** The places and encodings in which each round adds its own code, given the counts before, between and after. */
function findLeaks([start, middle, end]: readonly [Counts, Counts, Counts]): string[] {
  return [...start.keys()].filter((key) =>
    codes.every((_, index) => {
      const [from, between, to] = [start, middle, end].map((counts) => counts.get(key)?.[index] ?? 0) as [
        number,
        number,
        number,
      ];
      const added = [between - from, to - between];
      return (added[index] ?? 0) - (added[1 - index] ?? 0) >= leakFrom;
    }),
  );
}

describe('the security code of a card', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let database: TestDatabase;
  let paylink: Paylink;
  const bin = postgresBin();
  const responses: string[] = [];

  before(async () => {
    // Keeps all WAL, uncompressed.
    const settings = [
      'wal_keep_size=4GB',
      'max_wal_size=4GB',
      'checkpoint_timeout=1d',
      'wal_compression=off',
    ];
    cluster = await startCluster(bin, ['fsync=off', ...settings]);
    database = await createFromTemplate(cluster.url);
    paylink = await startPaylink('server', { clock, settings: { DATABASE_URL: database.url } });
  });
  after(async () => {
    await paylink?.stop();
    await cluster?.stop();
  });

  async function readPlaces(): Promise<Places> {
    const { stdout } = await promisify(execFile)(
      path.join(bin, 'pg_dump'),
      ['--inserts', '--dbname', database.url],
      { maxBuffer: 1 << 30, encoding: 'buffer' },
    );
    const folder = path.join(cluster.folder, 'pg', 'data', 'pg_wal');
    const segments = readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name));
    return {
      dump: stdout,
      WAL: Buffer.concat(segments.sort().map((name) => readFileSync(path.join(folder, name)))),
      log: Buffer.from(paylink.log()),
      responses: Buffer.from(responses.join('\n')),
    };
  }

  async function payOnce(number: string, csc: string): Promise<Page> {
    clock.advanceMs(1);
    const { link } = await createLink(paylink);
    const { action, body } = fillCard(await visit(link), { number, csc });
    const page = await visit(action, { method: 'POST', body });
    responses.push(page.url, page.text, JSON.stringify([...page.headers]));
    return page;
  }

  /** A round of payments, of which half succeed and half are declined. */
  async function payRound(csc: string): Promise<Counts> {
    for (let made = 0; made < payments; made += 1) {
      const page = await payOnce(made % 2 === 0 ? approved : declined, csc);
      assert.match(page.url, made % 2 === 0 ? /shop\.example\/thanks/ : /shop\.example\/sorry/);
    }
    return countAll(await readPlaces());
  }

  test('dump, WAL, log and responses contain no security code of a payment', async () => {
    await payOnce(approved, '737');
    const start = countAll(await readPlaces());
    const middle = await payRound(codes[0]);
    const end = await payRound(codes[1]);
    assert.deepEqual(findLeaks([start, middle, end]), []);
  });

  test('a refused security code is stored nowhere', async () => {
    await payOnce(approved, refusedCode);
    const places = await readPlaces();
    assert.ok(responses.at(-2)?.includes('cc_csc'), 'the form is shown again');
    for (const [place, bytes] of Object.entries(places))
      for (const [name, text] of Object.entries(encodingsOf(refusedCode)))
        assert.equal(countIn(bytes, text), 0, `${place}, ${name}`);
  });

  /** Emails and seals of a batch have one time, which can contain a code: they must not be written during a count. */
  async function untilQuiet(): Promise<void> {
    const isQuiet = async () => {
      const [row] = await paylink.app.deps.db.asOwner.query<{ isQuiet: boolean }>(
        `select not exists (select from mails where state = 'queued') and not exists (
           select from events e where not exists (
             select from event_seals s where s.company_id = e.company_id and s.event_id = e.event_id)) as "isQuiet"`,
      );
      return row?.isQuiet === true;
    };
    await until(isQuiet, 'the emails and seals of the payments');
  }

  const write = async (text: string, values: unknown[]) =>
    void (await paylink.app.deps.db.asOwner.query(text, values));
  const planted: Readonly<Record<string, { into: string; leak: (code: string) => Promise<void> }>> = {
    'a line of the log': {
      into: 'log: plain',
      leak: async (code) => paylink.app.deps.log.info({ why: `no answer to ${code}` }, 'planted'),
    },
    'a response': {
      into: 'responses: escaped',
      leak: async (code) => void responses.push(encodingsOf(code).escaped ?? ''),
    },
    'a row': {
      into: 'dump: plain',
      leak: async (code) => await write('insert into planted values ($1)', [`{"csc":${code}}`]),
    },
    'a row, in base64 behind another text': {
      into: 'dump: base64 at 2',
      leak: async (code) =>
        await write('insert into planted values ($1)', [
          Buffer.from(`card=${code}#`).toString('base64').slice(4),
        ]),
    },
    'a row, in hexadecimal digits': {
      into: 'dump: hex',
      leak: async (code) => await write('insert into planted values ($1)', [encodingsOf(code).hex]),
    },
    'a row that is deleted at once': {
      into: 'WAL: plain',
      leak: async (code) =>
        await write(
          `with gone as (insert into planted values ($1) returning text) select count(*) from gone`,
          [code],
        ),
    },
  };
  for (const [where, { into, leak }] of Object.entries(planted))
    test(`the search finds a security code written into ${where}`, async () => {
      const { asOwner } = paylink.app.deps.db;
      await untilQuiet();
      await asOwner.query('create table if not exists planted (text text)');
      const start = countAll(await readPlaces());
      for (let made = 0; made < payments; made += 1) await leak(codes[0]);
      await asOwner.query('select pg_switch_wal()');
      const middle = countAll(await readPlaces());
      for (let made = 0; made < payments; made += 1) await leak(codes[1]);
      const end = countAll(await readPlaces());
      const leaks = findLeaks([start, middle, end]);
      assert.ok(leaks.includes(into), `found: ${leaks.join('; ')}`);
      await asOwner.query('drop table planted');
    });
});
