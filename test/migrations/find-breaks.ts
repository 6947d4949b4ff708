// Finds migrations that may break the previous release. Every statement not known as compatible is reported.

import type { Release } from '../harness/releases.ts';
import { readStatements, type Statement, splitAtCommas, withoutParentheses } from './read-statements.ts';

export type MigrationFile = { file: string; text: string };
export type Finding = { file: string; line: number; message: string };

/** The tables and functions at a point of the migrations, and which are unreleased. */
type Known = { tables: Set<string>; functions: Set<string>; unreleased: Set<string> };

const createdTable = /^create (?:unlogged )?table (?:if not exists )?(?:public\.)?(\w+)/;
const createdFunction = /^create (?:or replace )?function (?:public\.)?(\w+)/;

/** A default that does not depend on the transaction. */
const steadyDefault =
  /\bdefault (?:''(?:::[\w ]+(?:\[\])?)?|-?\d+(?:\.\d+)?|true|false|now\(\)|current_timestamp|gen_random_uuid\(\)|array\[\]::\w+\[\])(?: |$)/;

/** Why the previous release may fail with a new column, if it may. */
function findColumnBreak(action: string): string | null {
  const outside = withoutParentheses(action);
  if (/\bprimary key\b/.test(outside)) return 'adds a primary key';
  if (/\bunique\b/.test(outside)) return 'adds a unique column';
  if (!/\bnot null\b/.test(outside) || /\bgenerated\b/.test(outside)) return null;
  if (!/\bdefault\b/.test(outside)) return 'adds a column that is not null and has no default';
  return steadyDefault.test(action)
    ? null
    : 'adds a column that is not null, and its default is not a constant';
}

const knownBreaks: readonly [RegExp, string][] = [
  [/^rename\b/, 'renames'],
  [/^drop constraint\b/, 'drops a constraint, which an "on conflict" may name'],
  [/^drop\b/, 'drops a column'],
  [/^alter (column )?\w+ set not null$/, 'sets a column not null'],
  [/^alter (column )?\w+ (set data )?type\b/, 'changes the type of a column'],
  [/^alter (column )?\w+ drop default$/, 'drops a default'],
  [/^add (constraint \w+ )?check\b/, 'adds a check that also applies to the writes of the previous release'],
  [/^add (constraint \w+ )?(unique|primary key|foreign key|exclude)\b/, 'adds a constraint'],
  [/^(enable|force) row level security$/, 'binds rows to a policy'],
];

const compatibleActions =
  /^(alter (column )?\w+ (drop not null|set default .+|set statistics .+|set storage \w+)|validate constraint \w+|no force row level security|set \(.+\)|reset \(.+\)|replica identity .+)$/;

/** Why the previous release may fail after an action of `alter table`, if it may. */
function findActionBreak(action: string): string | null {
  if (compatibleActions.test(action)) return null;
  const known = knownBreaks.find(([form]) => form.test(action));
  if (known) return known[1];
  if (/^add (column )?(if not exists )?\w+ /.test(action)) return findColumnBreak(action);
  return `does "${action}", which is not known to be compatible`;
}

/** Statements that are always compatible. */
const compatible: readonly RegExp[] = [
  createdTable,
  /^create index\b/,
  /^create (sequence|type|view|extension|schema) /,
  /^create function /,
  /^(comment on|grant|insert into|update|select|with|set|reset|analyze)\b/,
];

/** Statements about a named object: compatible if it is unreleased. */
const aboutOne: readonly RegExp[] = [
  /^create unique index (?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/,
  /^create or replace function (\w+)/,
  /^create (?:or replace )?trigger .+? on (\w+)/,
  /^(?:create|alter|drop) policy (?:if exists )?\w+ on (\w+)/,
  /^(?:alter|drop) (?:table|function|trigger \w+ on|index) (?:if exists )?(?:only )?(\w+)/,
  /^revoke .+? on (?:table |function |sequence )?(\w+)/,
  /^(?:delete from|truncate(?: table)?|lock(?: table)?) (\w+)/,
];

const changesShape = /\b(alter|drop|create|rename|execute|truncate|delete|revoke)\b/;

/** Why the previous release may fail after a statement, if it may. */
function findStatementBreak({ text, bodies }: Statement, known: Known): string | null {
  const subject = aboutOne.flatMap((form) => form.exec(text)?.[1] ?? [])[0];
  if (subject !== undefined && known.unreleased.has(subject)) return null;
  const altered = /^alter table (?:if exists )?(?:only )?(\w+) (.+)$/.exec(text);
  if (altered) {
    const faults = splitAtCommas(altered[2] ?? '').flatMap((action) => findActionBreak(action) ?? []);
    return faults.length === 0 ? null : faults.join(', and ');
  }
  if (compatible.some((form) => form.test(text))) return null;
  const replaced = /^create or replace function (\w+)/.exec(text)?.[1];
  if (replaced !== undefined)
    return known.functions.has(replaced)
      ? `replaces the function ${replaced}, which the previous release calls`
      : null;
  if (/^create unique index\b/.test(text))
    return 'adds a unique index, which may reject writes of the previous release';
  if (/^create policy \w+ on \w+ (?!as restrictive)/.test(text)) return null;
  if (/^do\b/.test(text))
    return bodies.some((body) => changesShape.test(body))
      ? 'changes the schema in a block, which is not read'
      : null;
  return `does "${text.slice(0, 60)}", which is not known to be compatible`;
}

const declared = /^(contract|compatible):\s*(.*)$/;

/** The fault of a declaration; null if it is valid, undefined without one. */
function findDeclarationFault(
  { comments }: Statement,
  releases: readonly Release[],
): string | null | undefined {
  const [, kind, reason = ''] =
    comments.flatMap((comment) => [declared.exec(comment) ?? []]).find(([all]) => all) ?? [];
  if (kind === undefined) return undefined;
  if (reason.split(/\s+/).length < 4) return `"-- ${kind}:" must say why, in a sentence`;
  if (kind === 'compatible') return null;
  const named = reason.match(/\d+\.\d+\.\d+/g) ?? [];
  return named.some((version) => releases.some((release) => release.version === version))
    ? null
    : '"-- contract:" must name the release that stopped using it, and releases.json must have it';
}

function remember({ text }: Statement, known: Known, isReleased: boolean): void {
  const [table, made] = [createdTable.exec(text)?.[1], createdFunction.exec(text)?.[1]];
  const isFresh = (table && !known.tables.has(table)) || (made && !known.functions.has(made));
  if (table) known.tables.add(table);
  if (made) known.functions.add(made);
  const name = table ?? made;
  if (name && isFresh && !isReleased) known.unreleased.add(name);
}

/**
 * The statements since the last release that may break it and that no comment declares: `-- contract: …` names the
 * release that stopped using the object, `-- compatible: …` explains why the statement breaks nothing.
 */
export function findBreaks(migrations: readonly MigrationFile[], releases: readonly Release[]): Finding[] {
  const lastMigration = releases.at(-1)?.lastMigration ?? '';
  const known: Known = { tables: new Set(), functions: new Set(), unreleased: new Set() };
  const findings: Finding[] = [];
  for (const { file, text } of [...migrations].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    const isReleased = file <= lastMigration;
    for (const statement of readStatements(text)) {
      const fault = isReleased ? null : findStatementBreak(statement, known);
      remember(statement, known, isReleased);
      const declaration = findDeclarationFault(statement, releases);
      const { line } = statement;
      if (!isReleased && declaration) findings.push({ file, line, message: declaration });
      if (fault && declaration === undefined) findings.push({ file, line, message: `it ${fault}` });
    }
  }
  return findings;
}
