// What an expression of PromQL selects: names of series with the labels that it names. It knows as much of the
// language as deploy/ uses; promtool checks the syntax.

export type Selector = { name: string; labels: Map<string, string> };

const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'on', 'without', 'ignoring']);
const labelList = /\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** The series that an expression selects. */
export function selectorsOf(expression: string): Selector[] {
  const text = expression.replaceAll(labelList, ' ').replaceAll(/\[[^\]]*\]/g, ' ');
  return [...text.matchAll(/(?<![\w:.$"])([a-zA-Z_:][\w:]*)(?!\w)\s*(\(|\{[^}]*\})?/g)].flatMap(
    ([, name = '', next = '']) =>
      next === '(' || keywords.has(name) ? [] : [{ name, labels: matchersOf(next) }],
  );
}

function matchersOf(braces: string): Map<string, string> {
  return new Map(
    [...braces.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)].map(([, label = '', value = '']) => [
      label,
      value,
    ]),
  );
}

/** The labels by which an expression groups or joins. */
export function groupingLabelsOf(expression: string): string[] {
  return [...expression.matchAll(labelList)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []);
}
