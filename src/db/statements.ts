// Statements with declared rows. A row is declared once, as columns: the type, the select list, the columns and
// parameters of an insert, and the test of the statement (test/statements.test.ts) follow from them. See docs/decisions/
// 0029-declared-rows.md. Must not: build a statement from a value; values are parameters.

import { type TSchema, Type } from 'typebox';
import { currencies } from '../base/money.ts';

/** A column of a row: its values in TypeScript and in PostgreSQL. */
export type Column<T> = {
  readonly schema: TSchema;
  /** The name of the type in the catalogue. */
  readonly postgres: string;
  /** Where the values come from, unless from the column of the same name. */
  readonly source?: string;
  readonly isNullable?: true;
  /** Not null, although the catalogue allows null: the statement's conditions exclude it. */
  readonly excludesNull?: true;
  readonly '~value'?: T;
};

/** Columns by their names in TypeScript: `paymentId` here is `payment_id` in SQL. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<C extends Columns> = {
  -readonly [Name in keyof C]: ValueOf<C[Name]>;
};

export type ValueOf<C> = C extends Column<infer T> ? T : never;

const keep = (columns: Columns, keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => keeps(name)));

export const pick = <C extends Columns, N extends keyof C & string>(columns: C, ...names: N[]): Pick<C, N> =>
  keep(columns, (name) => (names as string[]).includes(name)) as Pick<C, N>;

export const omit = <C extends Columns, N extends keyof C & string>(columns: C, ...names: N[]): Omit<C, N> =>
  keep(columns, (name) => !(names as string[]).includes(name)) as Omit<C, N>;

const instance = <T>(is: (value: unknown) => value is T) => Type.Refine(Type.Unsafe<T>({}), is);

const text: Column<string> = { schema: Type.String(), postgres: 'text' };
const bool: Column<boolean> = { schema: Type.Boolean(), postgres: 'bool' };
const int4: Column<number> = { schema: Type.Integer(), postgres: 'int4' };
const int8: Column<number> = { schema: Type.Integer(), postgres: 'int8' };
const float8: Column<number> = { schema: Type.Number(), postgres: 'float8' };
const timestamptz: Column<Date> = {
  schema: instance((value) => value instanceof Date),
  postgres: 'timestamptz',
};
const bytea: Column<Buffer> = {
  schema: instance((value) => Buffer.isBuffer(value)),
  postgres: 'bytea',
};

/** A text that is one of the values. */
const oneOf = <T extends string>(...values: readonly T[]): Column<T> => ({
  schema: Type.Enum([...values]),
  postgres: 'text',
});

const mode = oneOf('test', 'live');
const currency = oneOf(...currencies);

const array = <T>({ schema, postgres }: Column<T>): Column<T[]> => ({
  schema: Type.Array(schema),
  postgres: `_${postgres}`,
});

const jsonObject: Column<Record<string, unknown>> = {
  schema: Type.Record(Type.String(), Type.Unknown()),
  postgres: 'jsonb',
};
const jsonTexts: Column<Record<string, string>> = {
  schema: Type.Record(Type.String(), Type.String()),
  postgres: 'jsonb',
};

/** JSON of a form of its own. */
const jsonAs = <T>(schema: TSchema): Column<T> => ({ schema, postgres: 'jsonb' });

/** What an expression returns as JSON: an object, or a list of objects. Read them with `readJson`. */
const json: Column<Record<string, unknown>> = { schema: jsonObject.schema, postgres: 'json' };
const jsonRows: Column<Record<string, unknown>[]> = { schema: Type.Array(json.schema), postgres: 'json' };

const either = <A, B>(one: Column<A>, other: Column<B>): Column<A | B> => ({
  ...one,
  schema: Type.Union([one.schema, other.schema]),
});

const nullable = <T>(column: Column<T>): Column<T | null> => ({
  ...column,
  schema: Type.Union([column.schema, Type.Null()]),
  isNullable: true,
});

/** A nullable column in a statement whose conditions exclude null. */
const excludingNull = <T>(column: Column<T>): Column<T> => ({ ...column, excludesNull: true });

/** A column that an expression fills: `computed('booked_on::text', text)`. */
const computed = <T>(source: string, column: Column<T>): Column<T> => ({ ...column, source });

/** The kinds of columns. */
export const t = {
  ...{
    text,
    bool,
    int4,
    int8,
    float8,
    timestamptz,
    bytea,
    mode,
    currency,
    jsonTexts,
    jsonObject,
    json,
    jsonRows,
  },
  ...{ jsonAs, oneOf, array, nullable, either, excludingNull, computed },
};

/** A part of a statement. Only literals of the code become one, by `sql` or `raw`. */
export type Fragment = string & { readonly '~fragment': true };

/** The text of a statement whose rows have the type `Row`. */
export type Statement<Row> = Fragment & { readonly '~row'?: Row };

/** What a template of SQL takes: a fragment, or columns, which become a select list. */
type Part = Fragment | Columns;

/** The columns of the declared statements of all loaded modules, by their texts. Only tests read it. */
export const declared = new Map<string, Columns>();

export type DeclaredRows = { text: string; columns: Columns; rows: readonly Record<string, unknown>[] };

let listener: ((result: DeclaredRows) => void) | null = null;

/** Sets the listener for the rows of declared statements. Tests compare them with the columns. */
export function listenToRows(listen: (result: DeclaredRows) => void): void {
  listener = listen;
}

/** Reports the rows of a statement to the listener. */
export function reportRows(text: string, rows: DeclaredRows['rows']): void {
  const columns = listener && declared.get(text);
  if (columns) listener?.({ text, columns, rows });
}

const nameInSql = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const asOutput = (name: string) => (/[A-Z]/.test(name) ? `"${name}"` : name);

/** A name, a placeholder or the like that the code chooses at run time, from literals. */
export const raw = (text: string): Fragment => text as Fragment;

/** The select list of columns, of their table or of an alias. */
export function selectList(columns: Columns, alias?: string): Fragment {
  const items = Object.entries(columns).map(([name, { source }]) => {
    const value = source ?? (alias === undefined ? '' : `${alias}.`) + nameInSql(name);
    return value === name ? name : `${value} as ${asOutput(name)}`;
  });
  return raw(items.join(', '));
}

export const joined = (fragments: readonly Fragment[], separator: ', ' | ' and ' | ' union all '): Fragment =>
  raw(fragments.join(separator));

/** Columns of an alias as one JSON object, for rows of another table inside a row. `readJson` reads it. */
export function jsonOf(columns: Columns, alias: string): Fragment {
  const members = Object.entries(columns).map(([name, { postgres }]) => {
    if (postgres === 'bytea') throw new Error(`${name}: bytes cannot be read from JSON`);
    return `'${name}', ${alias}.${nameInSql(name)}`;
  });
  return raw(`json_build_object(${members.join(', ')})`);
}

function readValue(postgres: string, value: unknown): unknown {
  if (postgres === 'timestamptz' && typeof value === 'string') return new Date(value);
  if (postgres === 'int8' && value !== null && !Number.isSafeInteger(value))
    throw new RangeError('the database returned an integer beyond the safe integers');
  return value;
}

/** The row of such an object, with the same values as without JSON. */
export function readJson<C extends Columns>(columns: C, object: Readonly<Record<string, unknown>>): RowOf<C> {
  const row: Record<string, unknown> = {};
  for (const [name, { postgres }] of Object.entries(columns)) row[name] = readValue(postgres, object[name]);
  return row as RowOf<C>;
}

/** The names that a select list gives to columns, for a query around it. */
export function outputNames(columns: Columns, alias?: string): Fragment {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return raw(
    Object.keys(columns)
      .map((name) => prefix + asOutput(name))
      .join(', '),
  );
}

/** A part of a statement, or a statement without declared rows. */
export function sql(strings: TemplateStringsArray, ...parts: Part[]): Fragment {
  const texts = parts.map((part) => (typeof part === 'string' ? part : selectList(part)));
  return raw(String.raw({ raw: strings }, ...texts).trim());
}

function declare(text: string, columns: Columns): void {
  if ((declared.get(text) ?? columns) !== columns)
    throw new Error(`declared with other columns before: ${text}`);
  declared.set(text, columns);
}

/** Declares a statement and its rows, when its module is loaded: `` statement(Payment)`select ${Payment} from …` ``. */
export const statement =
  <C extends Columns>(columns: C) =>
  (strings: TemplateStringsArray, ...parts: Part[]): Statement<RowOf<C>> => {
    const text = sql(strings, ...parts);
    declare(text, columns);
    return text;
  };

/** Adds a value to a built statement, and returns its placeholder. */
export type Bind = (value: unknown) => Fragment;

/** Declares a statement that is built for each call, with its values. Tests prove the statements of the samples. */
export function builtStatement<C extends Columns, Input>(
  columns: C,
  samples: readonly Input[],
  build: (input: Input, bind: Bind) => Fragment,
): (input: Input) => [text: Statement<RowOf<C>>, values: unknown[]] {
  const make = (input: Input): [Statement<RowOf<C>>, unknown[]] => {
    const values: unknown[] = [];
    const bind: Bind = (value) => raw(`$${values.push(value)}`);
    return [build(input, bind), values];
  };
  for (const sample of samples) declare(make(sample)[0], columns);
  return (input) => {
    const made = make(input);
    if (listener) declare(made[0], columns);
    return made;
  };
}

const parameterOf = ({ postgres }: Column<unknown>, value: unknown) =>
  value !== null && postgres === 'jsonb' ? JSON.stringify(value) : value;

/** The parts of an insert of one row: `insert into t (company_id, ${x.names}) values ($1, ${x.values})`. */
export function insertOf<C extends Columns>(columns: C, firstParameter = 2) {
  const entries = Object.entries(columns);
  return {
    names: raw(entries.map(([name]) => nameInSql(name)).join(', ')),
    values: raw(entries.map((_, index) => `$${index + firstParameter}`).join(', ')),
    parameters: (row: Readonly<RowOf<C>>): unknown[] =>
      entries.map(([name, column]) => parameterOf(column, row[name])),
  };
}

/** A value of a column as a member of JSON from which PostgreSQL reads the same value. */
function toJson(postgres: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && postgres.startsWith('_'))
    return value.map((member) => toJson(postgres.slice(1), member));
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  // JSON has no such number and would write null.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value;
}

/**
 * The parts of an insert of rows: `insert into t (company_id, ${x.names}) select $1, ${x.names} from ${x.rows}`. All rows
 * are one parameter, a JSON array.
 */
export function insertAllOf<C extends Columns>(columns: C, parameter = 2) {
  const entries = Object.entries(columns).map(([name, { postgres }]) => ({
    name,
    column: nameInSql(name),
    postgres,
  }));
  const typed = entries.map(({ column, postgres }) => `${column} ${postgres}`).join(', ');
  const rowToJson = (row: Readonly<RowOf<C>>) => {
    const members: Record<string, unknown> = {};
    for (const { name, column, postgres } of entries) members[column] = toJson(postgres, row[name]);
    return members;
  };
  return {
    names: raw(entries.map(({ column }) => column).join(', ')),
    rows: raw(`json_to_recordset($${parameter}::json) as new (${typed})`),
    /** The rows, as the value of the parameter. */
    rowsParameter: (rows: readonly Readonly<RowOf<C>>[]): string => JSON.stringify(rows.map(rowToJson)),
  };
}

/** The row of a statement that finds at most one; null if it found none. */
export const first = <T>([row]: readonly T[]): T | null => row ?? null;
