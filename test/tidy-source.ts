// Reads the source into facts (imports, functions, calls, strings) with the TypeScript compiler's own parser.
// TypeScript 7 calls this interface unstable: its version is pinned, and only this file uses it.

import {
  type Expression,
  isArrowFunction,
  isBigIntLiteral,
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
  isExportDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isRegularExpressionLiteral,
  isStatement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
export type SourceText = { path: string; text: string };

export type FunctionFact = { name: string; line: number; lines: number; isTestCallback: boolean };

/**
 * A string as written, with `runTime` in place of interpolated parts. `isStatement`: it is the argument of a
 * `query(…)`. `isArgued`: a comment `// safe: reason` is beside it, or it is a template of db/statements.ts, whose
 * parts are safe by their types.
 */
export type StringFact = { text: string; line: number; isStatement: boolean; isArgued: boolean };

export type Facts = SourceText & {
  imports: { specifier: string; line: number }[];
  functions: FunctionFact[];
  /** Calls and reads as text: `Date.now()`, `new Date()`, `new Date(…)`, `process.env`, `x.toFixed(…)`, `any`. */
  uses: { what: string; line: number }[];
  strings: StringFact[];
  /** Regular expressions as written, such as `/a+/u`. */
  expressions: { text: string; line: number }[];
  /** Every name that the file declares or uses. */
  identifiers: { name: string; line: number }[];
};

const testFunctions = new Set([
  'test',
  'it',
  'describe',
  'suite',
  'before',
  'after',
  'beforeEach',
  'afterEach',
]);
/** Replaces a part of a string that is only known at run time. */
export const runTime = '‹…›';

/** Parses TypeScript or JavaScript files. Throws if the compiler cannot be started. */
export function readFacts(files: readonly SourceText[]): Facts[] {
  const base = '/tidy/';
  const texts = new Map(files.map((file) => [base + file.path, file.text]));
  const names = [...texts.keys()];
  const options = {
    noLib: true,
    noResolve: true,
    allowJs: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const module = { module: 'nodenext', moduleResolution: 'nodenext', target: 'esnext', types: [] };
  texts.set(
    `${base}tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...options, ...module }, files: names }),
  );
  const api = new API({
    cwd: base,
    fs: {
      readFile: (name) => texts.get(name) ?? null,
      fileExists: (name) => texts.has(name),
      directoryExists: (name) =>
        `${name}/`.startsWith(base) || names.some((file) => file.startsWith(`${name}/`)),
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (name) => name,
    },
  });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${base}tsconfig.json`] });
    const program = snapshot.getProjects()[0]?.program;
    return files.map((file) => {
      const source = program?.getSourceFile(base + file.path);
      if (!source) throw new Error(`the compiler did not read ${file.path}`);
      return factsOf(file, source);
    });
  } finally {
    endQuietly(api);
  }
}

/** Killed, because the compiler writes to stderr when it is ended while waiting. */
function endQuietly(api: API): void {
  const { client } = api as unknown as { client?: { channel?: { child?: { kill(signal: string): void } } } };
  const child = client?.channel?.child;
  if (child) child.kill('SIGKILL');
  else api.close();
}

function factsOf(file: SourceText, source: SourceFile): Facts {
  const facts: Facts = {
    ...file,
    imports: [],
    functions: [],
    uses: [],
    strings: [],
    expressions: [],
    identifiers: [],
  };
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const lines = file.text.split('\n');
  const constants = constantStrings(source);
  const visit = (node: Node): void => {
    const line = lineOf(node.getStart(source));
    const specifier = specifierOf(node);
    if (specifier !== null) facts.imports.push({ specifier, line });
    const use = useOf(node);
    if (use !== null) facts.uses.push({ what: use, line });
    if (isIdentifier(node)) facts.identifiers.push({ name: node.text, line });
    if (isRegularExpressionLiteral(node)) facts.expressions.push({ text: node.text, line });
    if (isFunctionLikeDeclaration(node)) {
      const length = lineOf(node.getEnd()) - line + 1;
      facts.functions.push({ name: nameOf(node), line, lines: length, isTestCallback: isTestCallback(node) });
    }
    if (!isPartOfString(node)) {
      const text = stringText(node, constants);
      if (text !== null) {
        const isArgued =
          isOfSqlTag(node) ||
          neighbours(node, source, lineOf).some((at) => /\/\/ safe: \S/.test(lines[at - 1] ?? ''));
        facts.strings.push({ text, line, isStatement: isQueryText(node), isArgued });
      }
    }
    node.forEachChild(visit);
  };
  visit(source);
  return facts;
}

/** The target of an import, a re-export, an `import(…)` or an import type. */
function specifierOf(node: Node): string | null {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (isImportTypeNode(node)) return isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : null;
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword)
    return literal(node.arguments[0]);
  return null;
}

function literal(node: Node | undefined): string | null {
  return node && (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) ? node.text : null;
}

/** A call or read in the form of the rules. */
function useOf(node: Node): string | null {
  if (node.kind === SyntaxKind.AnyKeyword) return 'any';
  if (isImportDeclaration(node)) return `import ${literal(node.moduleSpecifier)}`;
  if (isCallExpression(node)) {
    const name = dotted(node.expression) + (node.typeArguments ? '<…>' : '');
    return `${name}(${node.arguments.length > 0 ? '…' : ''})`;
  }
  if (isNewExpression(node)) return `new ${dotted(node.expression)}(${node.arguments?.length ? '…' : ''})`;
  if (isPropertyAccessExpression(node) || isElementAccessExpression(node)) return dotted(node);
  if (isPropertyAssignment(node) && isTestOption(node)) return `test option ${node.name.getText()}`;
  return null;
}

/** `a.b.c`; a part that is not a name (a call, a bracket) becomes `x`, and `globalThis.` is dropped. */
function dotted(node: Expression): string {
  if (isIdentifier(node)) return node.text;
  if (isPropertyAccessExpression(node)) return join(node.expression, node.name.text);
  if (isElementAccessExpression(node)) return join(node.expression, literal(node.argumentExpression) ?? 'x');
  return 'x';
}

function join(left: Expression, right: string): string {
  const name = dotted(left);
  return name === 'globalThis' || name === 'global' ? right : `${name}.${right}`;
}

/** Options like `{ skip: … }` of a test function. */
function isTestOption(node: Node): boolean {
  const call = isObjectLiteralExpression(node.parent) ? node.parent.parent : null;
  return call !== null && isCallExpression(call) && testFunctions.has(lastName(call.expression));
}

function lastName(callee: Expression): string {
  return dotted(callee).split('.').at(-1) ?? '';
}

function isTestCallback(node: Node): boolean {
  const call = node.parent;
  if (!isCallExpression(call) || !call.arguments.some((argument) => argument === node)) return false;
  return dotted(call.expression)
    .split('.')
    .some((name) => testFunctions.has(name));
}

function nameOf(node: Node): string {
  const named = 'name' in node && node.name ? node : node.parent;
  const name = 'name' in named ? (named.name as Node | undefined) : undefined;
  return name?.getText() ?? (isArrowFunction(node) ? 'an arrow function' : 'a function without a name');
}

/** Whether a string belongs to a larger one (`'a' + 'b'`) that has been read already. */
function isPartOfString(node: Node): boolean {
  return (
    node.parent && isBinaryExpression(node.parent) && node.parent.operatorToken.kind === SyntaxKind.PlusToken
  );
}

/** The text of a string, a template or a sum of them; null for other nodes. */
function stringText(node: Node, constants: ReadonlySet<string>): string | null {
  if (isTemplateExpression(node)) {
    const parts = node.templateSpans.map((span) => valueText(span.expression, constants) + span.literal.text);
    return node.head.text + parts.join('');
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken) {
    const [left, right] = [node.left, node.right].map((side) => stringText(side, constants));
    if (left === null && right === null) return null;
    return (left ?? valueText(node.left, constants)) + (right ?? valueText(node.right, constants));
  }
  return literal(node);
}

/** An interpolated part: a literal constant of the file, or else known only at run time. */
function valueText(node: Expression, constants: ReadonlySet<string>): string {
  return isIdentifier(node) && constants.has(node.text) ? `{${node.text}}` : runTime;
}

/** The top-level constants with a literal text or number. */
function constantStrings(source: SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!isVariableStatement(statement) || !/^(export )?const /.test(statement.getText(source))) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const text = initializer && !isNumber(initializer) ? stringText(initializer, names) : '';
      if (initializer && text !== null && !text.includes(runTime)) names.add(name.getText(source));
    }
  }
  return names;
}

function isNumber(node: Node): boolean {
  return isNumericLiteral(node) || isBigIntLiteral(node);
}

function isOfSqlTag(node: Node): boolean {
  if (!isTaggedTemplateExpression(node.parent)) return false;
  const { tag } = node.parent;
  return /^(sql|statement)$/.test(dotted(isCallExpression(tag) ? tag.expression : tag));
}

function isQueryText(node: Node): boolean {
  const call = node.parent;
  return isCallExpression(call) && call.arguments[0] === node && lastName(call.expression) === 'query';
}

/** The lines for a comment about a string: its own, the previous one, and its statement's first two. */
function neighbours(node: Node, source: SourceFile, lineOf: (position: number) => number): number[] {
  const first = lineOf(node.getStart(source));
  const last = lineOf(node.getEnd());
  let statement = node;
  while (!isStatement(statement) && statement.parent) statement = statement.parent;
  const top = lineOf(statement.getStart(source));
  return [top - 1, top, first - 1, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)];
}
