// The checks of the tidy test: each takes files (or their facts) and returns violations. They read no disk.

import path from 'node:path';
import { stepOf } from '../scripts/test-files.mjs';
import { findCircles } from './tidy-circles.ts';
import {
  bans,
  fileName,
  generated,
  guarded,
  integration,
  maxFileLines,
  maxFunctionLines,
  outside,
  published,
  rank,
  sharedByIntegrations,
  tableOwner,
  textBans,
  webOutside,
  webRank,
  webSideways,
} from './tidy-rules.ts';
import { type Facts, readFacts, runTime, type SourceText } from './tidy-source.ts';
import { checkTestFiles } from './tidy-test-files.ts';
import { findRetiredWords } from './tidy-words.ts';

export type Finding = { path: string; line: number; rule: string; message: string };

/** All findings in the given files, as if they were the whole project. */
export function checkAll(files: readonly SourceText[]): Finding[] {
  const facts = readFacts(files.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file.path)));
  return [
    ...files.flatMap(checkFile),
    ...facts.flatMap(checkFacts),
    ...checkTables(files, facts),
    ...checkCircles(facts),
    ...checkTestFiles(facts),
  ];
}

/** Checks without parsing: names, length, the opening comment, banned words. */
export function checkFile(file: SourceText): Finding[] {
  return [...checkName(file), ...checkLength(file), ...checkOpening(file), ...checkText(file)];
}

/** Checks of one parsed file. */
export function checkFacts(facts: Facts): Finding[] {
  return [
    ...checkImports(facts),
    ...checkFunctions(facts),
    ...checkUses(facts),
    ...checkSql(facts),
    ...checkWrites(facts),
    ...checkWords(facts),
  ];
}

const isTest = (file: string) => stepOf(file) !== undefined || file.startsWith('test/');
const isOurCode = (file: string) => file.startsWith('src/') && !isTest(file);
const isTidyItself = (file: string) => /^test\/tidy[-.]/.test(file);

const isWeb = (file: string) => file.startsWith('web/src/') && !isTest(file);

/** Why a dashboard file must not import a target; null if it may. */
function webImportFault(from: string, target: string): string | null {
  if (webOutside.test(target)) return null;
  if (!target.startsWith('web/src/'))
    return `imports ${target}: the dashboard is a client and uses only the API`;
  const [, , module = '', screen, inScreen] = from.split('/');
  const [, , targetModule = '', targetScreen] = target.split('/');
  const own = webRank[module] ?? Number.POSITIVE_INFINITY;
  const other = webRank[targetModule] ?? Number.POSITIVE_INFINITY;
  const isAside =
    screen === targetScreen || webSideways.some((way) => way.from === screen && way.to === targetScreen);
  if (module === targetModule && (module !== 'screens' || inScreen === undefined || isAside)) return null;
  const isTop = from.split('/').length === 3;
  if (other < own || isTop) return null;
  return module === targetModule
    ? `the screen "${screen}" imports "${targetScreen}": move shared code to parts, base or texts`
    : `"${module}" imports "${targetModule}" (${target}), which has no lower rank`;
}

/** The module of a file in src/: its folder, or "top". */
function moduleOf(file: string): string {
  const [, module = '', rest] = file.split('/');
  return rest === undefined ? 'top' : module;
}

/** The module that owns tables: each processor counts as one. */
function ownerOf(file: string): string {
  return /^src\/(processors\/[^/]+)\//.exec(file)?.[1] ?? moduleOf(file);
}

function checkName({ path: file }: SourceText): Finding[] {
  if (fileName.allowed.has(file) || fileName.migration.test(file)) return [];
  const findings: Finding[] = [];
  for (const part of file.split('/')) {
    if (!fileName.kebab.test(part))
      findings.push({ path: file, line: 1, rule: 'name', message: `"${part}" is not kebab-case: rename it` });
    if (fileName.layer.test(part.toLowerCase())) {
      const message = `"${part}" names a layer: name it after what it does, verb first, or what it contains`;
      findings.push({ path: file, line: 1, rule: 'name', message });
    }
  }
  return findings;
}

function checkLength({ path: file, text }: SourceText): Finding[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines <= maxFileLines || generated.test(file)) return [];
  const message = `${lines} lines, at most ${maxFileLines}: move a named part into its own file`;
  return [{ path: file, line: maxFileLines + 1, rule: 'file length', message }];
}

function checkOpening({ path: file, text }: SourceText): Finding[] {
  if (stepOf(file) === 'test' || !/\.(ts|tsx|mjs|js|css|sql)$/.test(file)) return [];
  if (/^(#!.*\n)?(\/\/|\/\*|--)/.test(text)) return [];
  const message = 'no opening comment: describe in 1 to 3 lines what the file does';
  return [{ path: file, line: 1, rule: 'opening comment', message }];
}

function checkText({ path: file, text }: SourceText): Finding[] {
  if (isTidyItself(file)) return [];
  return text.split('\n').flatMap((line, index) =>
    textBans
      .filter((ban) => ban.what.test(line) && !ban.allowedIn?.test(file))
      .map((ban) => ({
        path: file,
        line: index + 1,
        rule: 'banned',
        message: `${ban.name}: ${ban.instead}`,
      })),
  );
}

function checkImports(facts: Facts): Finding[] {
  if (published.test(facts.path)) return checkPublishedImports(facts);
  if (facts.path.startsWith('integrations/') && !isTest(facts.path)) return checkIntegrationImports(facts);
  const findFault = isWeb(facts.path) ? webImportFault : importFault;
  if (!isWeb(facts.path) && !isOurCode(facts.path)) return [];
  return facts.imports.flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return [];
    const target = path.posix.join(path.posix.dirname(facts.path), specifier);
    const fault = findFault(facts.path, target);
    return fault === null ? [] : [{ path: facts.path, line, rule: 'import arrow', message: fault }];
  });
}

/** The published client uses no package, no Node API and no code of the service. */
function checkPublishedImports(facts: Facts): Finding[] {
  const isOwn = (specifier: string) => /^\.\/[\w-]+\.ts$/.test(specifier);
  return facts.imports
    .filter(({ specifier }) => !isOwn(specifier))
    .map(({ specifier, line }) => ({
      path: facts.path,
      line,
      rule: 'import arrow',
      message: `imports ${specifier}: sdk/src/ imports only its own files, so that it runs anywhere`,
    }));
}

/** An integration runs in the server of a shop system: it knows the service only through the client. */
function checkIntegrationImports(facts: Facts): Finding[] {
  const [, own] = integration.exec(facts.path) ?? [];
  return facts.imports.flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return [];
    const target = path.posix.join(path.posix.dirname(facts.path), specifier);
    const isOwn = own !== undefined && integration.exec(target)?.[1] === own;
    if (isOwn || sharedByIntegrations.test(target)) return [];
    const message = `imports ${target}: an integration imports its own files, integrations/shared/ and sdk/src/`;
    return [{ path: facts.path, line, rule: 'import arrow', message }];
  });
}

/** Why a file in src/ must not import a target; null if it may. */
function importFault(from: string, target: string): string | null {
  if (isTest(target)) return `imports ${target}: code needed at run time must not be in tests`;
  if (!target.startsWith('src/'))
    return outside.some((way) => way.target.test(target) && way.by.test(from))
      ? null
      : `imports ${target}: src/ imports no project files outside of src/`;
  const guard = guarded.find(({ target: pattern }) => pattern.test(target));
  if (guard && !guard.by.some((pattern) => pattern.test(from)) && ownFolder(target) !== ownFolder(from))
    return `imports ${target}: ${guard.instead}`;
  const [module, targetModule] = [moduleOf(from), moduleOf(target)];
  if (module === targetModule) return null;
  const [own, other] = [rank[module], rank[targetModule]];
  if (own === undefined || other === undefined)
    return `"${own === undefined ? module : targetModule}" has no rank: add it to tidy-rules.ts`;
  if (other < own) return null;
  return `"${module}" imports "${targetModule}" (${target}), which has no lower rank: move the code down, or take it as an argument`;
}

function checkWords(facts: Facts): Finding[] {
  if (isTidyItself(facts.path) || generated.test(facts.path)) return [];
  return findRetiredWords(facts).map((found) => ({ path: facts.path, rule: 'retired word', ...found }));
}

function checkCircles(facts: readonly Facts[]): Finding[] {
  return findCircles(facts).map((way) => ({
    path: way[0] ?? '',
    line: 1,
    rule: 'import circle',
    message: `${way.join(' → ')}: move the shared code into a file that imports neither`,
  }));
}

/** The folder of a processor, whose files may import each other; otherwise the file itself. */
function ownFolder(file: string): string {
  return /^src\/processors\/[^/]+\//.exec(file)?.[0] ?? file;
}

function checkFunctions(facts: Facts): Finding[] {
  return facts.functions
    .filter(
      ({ lines, isTestCallback }) => lines > maxFunctionLines && !(isTestCallback && isTest(facts.path)),
    )
    .map(({ name, line, lines }) => ({
      path: facts.path,
      line,
      rule: 'function length',
      message: `${name} has ${lines} lines, at most ${maxFunctionLines}: extract a function`,
    }));
}

function checkUses(facts: Facts): Finding[] {
  if (isTidyItself(facts.path)) return [];
  return facts.uses.flatMap(({ what, line }) =>
    bans
      .filter((ban) => ban.what.test(what))
      .filter((ban) => ban.everywhere || (isOurCode(facts.path) && !ban.allowedIn?.test(facts.path)))
      .map((ban) => ({ path: facts.path, line, rule: 'banned', message: `${what}: ${ban.instead}` })),
  );
}

const statementStart =
  /^\s*(select\s|insert\s+into\s|update\s+\S+\s+(as\s+\w+\s+)?set\s|delete\s+from\s|with\s+\S+\s+as\s|create\s+(table|database|role|index|view)\s|(alter|drop)\s+(table|database|role|index|view)\s)/i;

function checkSql(facts: Facts): Finding[] {
  if (!isOurCode(facts.path)) return [];
  return facts.strings.flatMap(({ text, line, isStatement, isArgued }) => {
    const at = (rule: string, message: string) => [{ path: facts.path, line, rule, message }];
    if (/\bselect\s+(distinct\s+)?(\w+\.)?\*/i.test(text))
      return at('select *', 'a column added later would come along unseen: name the columns');
    if (text.includes(runTime) && !isArgued && (isStatement || statementStart.test(text)))
      return at('built SQL', 'pass values as $1, $2, …; explain a name with "// safe: reason" beside it');
    return [];
  });
}

/** A table name with optional syntax around it. */
const named = String.raw`(?:only\s+)?(?:\w+\.)?"?(\w+)"?`;
const write = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+${named}` +
    String.raw`|\bupdate\s+${named}(?:\s+(?:as\s+)?\w+)?\s+set\b`,
  'gi',
);

/** Each statement that writes a table is in the module that owns the table. */
function checkWrites(facts: Facts): Finding[] {
  if (!isOurCode(facts.path)) return [];
  const module = ownerOf(facts.path);
  return facts.strings.flatMap(({ text, line }) =>
    [...text.matchAll(write)].flatMap((match) => {
      const table = (match[1] ?? match[2] ?? '').toLowerCase();
      const owner = Object.hasOwn(tableOwner, table) ? tableOwner[table] : undefined;
      if (owner === undefined || owner === module) return [];
      const at = line + text.slice(0, match.index).split('\n').length - 1;
      const message = `"${module}" writes ${table}, which belongs to "${owner}": call a function of that module`;
      return [{ path: facts.path, line: at, rule: 'table owner', message }];
    }),
  );
}

const creation = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?"?(\w+)"?/gi;
const removal = /\bdrop\s+table\s+(?:if\s+exists\s+)?(?:\w+\.)?"?(\w+)"?/gi;

/** tableOwner lists exactly the existing tables. */
function checkTables(files: readonly SourceText[], facts: readonly Facts[]): Finding[] {
  const places = new Map<string, { path: string; line: number }>();
  const record = (file: string, firstLine: number, text: string) => {
    for (const match of text.matchAll(creation))
      places.set(match[1] ?? '', {
        path: file,
        line: firstLine + text.slice(0, match.index).split('\n').length - 1,
      });
    for (const match of text.matchAll(removal)) places.delete(match[1] ?? '');
  };
  for (const { path: file, strings } of facts)
    if (isOurCode(file)) for (const { text, line } of strings) record(file, line, text);
  const migrations = files.filter((file) => fileName.migration.test(file.path));
  for (const { path: file, text } of migrations.sort((a, b) => (a.path < b.path ? -1 : 1)))
    record(file, 1, text.replace(/--.*$/gm, ''));
  const unowned = [...places].filter(([table]) => !Object.hasOwn(tableOwner, table));
  const stale = Object.keys(tableOwner).filter((table) => !places.has(table));
  return [
    ...unowned.map(([table, place]) => ({
      ...place,
      rule: 'table owner',
      message: `${table} has no owner: add the module that writes it to tableOwner in test/tidy-rules.ts`,
    })),
    ...stale.map((table) => ({
      path: 'test/tidy-rules.ts',
      line: 1,
      rule: 'table owner',
      message: `tableOwner names ${table}, which no migration creates: remove the row`,
    })),
  ];
}
