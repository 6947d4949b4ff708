// Rows that insertAllOf sends as JSON arrive as they were given, for every kind of column.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DatabaseFixture, openDatabaseFixture } from '../../test/harness/database-fixture.ts';
import { sqlState } from '../../test/harness/engines.ts';
import { engines } from '../../test/harness/paylink.ts';
import { insertAllOf, type RowOf, selectList, sql, t } from './statements.ts';

const Sample = {
  place: t.int4,
  someText: t.nullable(t.text),
  isSet: t.nullable(t.bool),
  amountMinor: t.nullable(t.int8),
  ratio: t.nullable(t.float8),
  createdAt: t.nullable(t.timestamptz),
  digest: t.nullable(t.bytea),
  metadata: t.nullable(t.jsonTexts),
  more: t.nullable(t.jsonObject),
  tags: t.nullable(t.array(t.text)),
  times: t.nullable(t.array(t.timestamptz)),
  mode: t.nullable(t.mode),
  currency: t.nullable(t.currency),
};
type Sample = RowOf<typeof Sample>;

const samples = insertAllOf(Sample);
const insertSql = sql`insert into samples (company_id, ${samples.names}) select $1, ${samples.names} from ${samples.rows}`;

const nothing: Omit<Sample, 'place'> = {
  someText: null,
  isSet: null,
  amountMinor: null,
  ratio: null,
  createdAt: null,
  digest: null,
  metadata: null,
  more: null,
  tags: null,
  times: null,
  mode: null,
  currency: null,
};

/** Texts that a format between here and the table could change. */
const texts = [
  '',
  ' ',
  'null',
  'NULL',
  '{}',
  '[]',
  '"quoted"',
  "it's",
  'back\\slash',
  '\\x41',
  '\\u0041',
  '\\n',
  'line\nline\r\n\ttab',
  '\u0001\u001f\u007f\u0085\u2028\u2029\ufeff',
  '{"a": "b"}',
  '{a,"b"}',
  '$1 %s',
  'Zoë Ünlü 李小龙 עברית',
  '👩🏽‍🚀 𝒳',
  'x'.repeat(10_000),
];

const values: Omit<Sample, 'place'>[] = [
  nothing,
  ...texts.map((someText) => ({
    ...nothing,
    someText,
    tags: [someText],
    metadata: { [someText]: someText },
  })),
  ...[0, 1, -1, 1999, 999_999_999_999, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER].map(
    (amountMinor) => ({
      ...nothing,
      amountMinor,
      more: { amountMinor },
    }),
  ),
  ...[0.1, -1e-300, 1e300, 1 / 3, Number.EPSILON, Number.NaN, Infinity, -Infinity].map((ratio) => ({
    ...nothing,
    ratio,
  })),
  ...['1970-01-01T00:00:00.000Z', '2026-03-29T01:30:00.001Z', '9999-12-31T23:59:59.999Z'].map((at) => ({
    ...nothing,
    createdAt: new Date(at),
    times: [new Date(at), new Date(0)],
  })),
  { ...nothing, digest: Buffer.alloc(0), tags: [], times: [], metadata: {}, more: {} },
  { ...nothing, digest: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) },
  { ...nothing, isSet: true, mode: 'live', currency: 'EUR' },
  { ...nothing, isSet: false, mode: 'test', currency: 'USD' },
  { ...nothing, more: { none: null, list: [1, 'a', null, { deep: [true] }], 'key "\\': '' } },
  { ...nothing, tags: ['a,b', '{', '"', 'null', 'NULL'] },
];

for (const engine of engines) {
  describe(`insertAllOf on the ${engine} database`, () => {
    let fixture: DatabaseFixture;
    before(async () => {
      fixture = await openDatabaseFixture(engine);
      await fixture.db.asOwner.query(
        `create table samples (company_id text not null, place integer not null, some_text text, is_set boolean,
           amount_minor bigint, ratio double precision, created_at timestamptz, digest bytea, metadata jsonb,
           more jsonb, tags text[], times timestamptz[], mode text, currency text)`,
      );
    });
    after(async () => await fixture.stop());

    const insert = async (rows: readonly Sample[]) =>
      await fixture.db.asOwner.query(insertSql, ['co_samples', samples.rowsParameter(rows)]);

    test('rows are as they were given and in their order, for every kind of column', async () => {
      const rows = values.map((value, place) => ({ place, ...value }));
      await insert(rows);
      const found = await fixture.db.asOwner.query(
        sql`select ${selectList(Sample)} from samples where company_id = $1`,
        ['co_samples'],
      );
      assert.deepEqual(found, rows);
    });

    test('a NUL character and half of a surrogate pair are refused as the error of a row', async () => {
      for (const someText of ['a\0b', '\ud800', 'x\udc00'])
        await assert.rejects(insert([{ ...nothing, place: 1, someText }]), (error: { code?: string }) =>
          /^22/.test(error.code ?? ''),
        );
    });

    test('a number that a column cannot hold is refused, not rounded or turned into null', async () => {
      for (const amountMinor of [1.5, 1e30, Number.NaN, Infinity])
        await assert.rejects(insert([{ ...nothing, place: 1, amountMinor }]), (error: { code?: string }) =>
          /^22/.test(error.code ?? ''),
        );
      await assert.rejects(insert([{ ...nothing, place: 2 ** 31 }]), sqlState('22003'));
    });

    test('an invalid time is refused', () => {
      const createdAt = new Date(Number.NaN);
      assert.throws(() => samples.rowsParameter([{ ...nothing, place: 1, createdAt }]), RangeError);
    });
  });
}
