// Splits a migration into statements without a grammar.

export type Statement = {
  /** In lower case, on one line; strings are '' and dollar-quoted bodies $$. */
  text: string;
  /** Its dollar-quoted bodies, in lower case. */
  bodies: string[];
  /** The comments before and in it. */
  comments: string[];
  line: number;
};

type Piece = { kind: 'comment' | 'string' | 'body' | 'end' | 'code'; text: string; at: number };

const pieces =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>\be'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*')|(?<body>(\$[a-z_]*\$)[\s\S]*?\4)|(?<end>;)|(?<code>[a-z0-9_]+|"[^"]*"|[\s\S])/gi;

function* cut(sql: string): Generator<Piece> {
  for (const match of sql.matchAll(pieces)) {
    const [kind, text = ''] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [
      'code',
    ];
    yield { kind: kind as Piece['kind'], text, at: match.index };
  }
}

const shown: Readonly<Record<Piece['kind'], (text: string) => string>> = {
  comment: () => ' ',
  string: () => "''",
  body: () => '$$',
  end: () => '',
  // Quoted names in our migrations don't need their quotes.
  code: (text) => (text.startsWith('"') ? text.slice(1, -1) : text.toLowerCase()),
};

export function readStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  const lineAt = (at: number) => sql.slice(0, at).split('\n').length;
  const begin = (): Statement => ({ text: '', bodies: [], comments: [], line: 0 });
  let current = begin();
  const close = () => {
    current.text = current.text.replaceAll(/\s+/g, ' ').trim();
    if (current.text) statements.push(current);
    current = begin();
  };
  for (const { kind, text, at } of cut(sql)) {
    if (kind === 'end') close();
    if (kind === 'comment') current.comments.push(text.replaceAll(/^(--|\/\*)\s*|\s*\*\/$/g, '').trim());
    if (kind === 'body') current.bodies.push(text.toLowerCase());
    if (current.line === 0 && kind !== 'comment' && kind !== 'end' && text.trim()) current.line = lineAt(at);
    current.text += shown[kind](text);
  }
  close();
  return statements;
}

/** Splits a text at commas outside of parentheses. */
export function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

export function withoutParentheses(text: string): string {
  let depth = 0;
  let outside = '';
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (depth === 0) outside += sign;
    if (sign === ')') depth -= 1;
  }
  return outside;
}
