// Compares a declared statement with PostgreSQL's description of it, without running it. The catalogue knows whether a
// plain column may be null. Expressions and tables of outer joins are checked by check-rows.ts.

import type pg from 'pg';
import type { Columns } from '../../src/db/statements.ts';

/** A column of a result, as the protocol describes it. */
type Field = { name: string; tableID: number; columnID: number; dataTypeID: number };

/** The methods that the protocol's client calls during a query. */
type Connection = Record<'parse' | 'describe', (message: object) => void> & { sync(): void };

async function describeStatement(client: pg.Client, text: string): Promise<Field[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Field[]>();
  let fields: Field[] = [];
  let fault: Error | null = null;
  client.query({
    submit: (connection: Connection) => {
      connection.parse({ text, name: '', types: [] });
      connection.describe({ type: 'S', name: '' });
      connection.sync();
    },
    handleRowDescription: (message: { fields: Field[] }) => {
      fields = message.fields;
    },
    handleError: (error: Error) => {
      fault = error;
      reject(error);
    },
    handleReadyForQuery: () => {
      if (!fault) resolve(fields);
    },
  } as unknown as pg.Submittable);
  return await promise;
}

export type StatementChecker = (text: string, columns: Columns) => Promise<string[]>;

/** Reads the catalogue once. Returns a function that lists the errors of a statement. */
export async function createStatementChecker(client: pg.Client): Promise<StatementChecker> {
  const types = await client.query<{ oid: number; name: string }>(
    'select oid::integer, typname as name from pg_type',
  );
  const notNull = await client.query<{ column: string }>(
    `select attrelid::integer || '.' || attnum as column from pg_attribute where attnum > 0 and attnotnull`,
  );
  const required = await client.query<{ table: string; columns: string[] }>(
    `select relname::text as table, array_agg(attname::text) as columns
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where attnum > 0 and attnotnull and not atthasdef and attidentity = '' and relnamespace = 'public'::regnamespace
       and relkind = 'r'
     group by relname`,
  );
  const requiredOf = new Map(required.rows.map(({ table, columns }) => [table, columns]));
  const nameOfType = new Map(types.rows.map(({ oid, name }) => [oid, name]));
  const isNotNull = new Set(notNull.rows.map(({ column }) => column));
  return async (text, columns) => {
    const fields = await describeStatement(client, text);
    const hasOuterJoin = /\b(left|right|full)\s+join\b/i.test(text);
    const given = new Map(fields.map((field) => [field.name, field]));
    const faults = fields
      .filter(({ name }) => !Object.hasOwn(columns, name))
      .map(({ name }) => `${name} is selected and not declared`);
    const [, table = '', list = ''] = /^insert into (\w+)(?: as \w+)?\s*\(([^)]*)\)/.exec(text) ?? [];
    const written = new Set(list.split(/,\s*/));
    const missing = (requiredOf.get(table) ?? []).filter((name) => !written.has(name));
    faults.push(...missing.map((name) => `${name} is missing in the insert`));
    for (const [name, column] of Object.entries(columns)) {
      const field = given.get(name);
      const add = (fault: string) => faults.push(`${name} ${fault}`);
      if (!field) {
        add('is declared and not selected');
        continue;
      }
      const type = nameOfType.get(field.dataTypeID);
      if (type !== column.postgres) add(`is ${type} and declared as ${column.postgres}`);
      if (field.tableID === 0) continue;
      const mayBeNull = !isNotNull.has(`${field.tableID}.${field.columnID}`);
      if (mayBeNull && !column.isNullable && !column.excludesNull) add('may be null and is not declared so');
      if (!mayBeNull && column.isNullable && !hasOuterJoin) add('is never null and declared nullable');
    }
    if (fields.length !== given.size) faults.push('two columns have the same name');
    return faults;
  };
}
