// `paylink completion`: scripts from the table of commands. Must not: run paylink for each key press.

import type { Command, OptionSpec } from './command.ts';
import { exitCodes } from './command-error.ts';
import { globalOptions } from './parse.ts';

/** What may follow some words: the next words of commands, and the options of a complete command. */
type CompletionPoint = { words: string; next: readonly string[] };

function listCompletionPoints(table: readonly Command[]): CompletionPoint[] {
  const next = new Map<string, Set<string>>();
  const add = (words: string, one: string) => next.set(words, (next.get(words) ?? new Set()).add(one));
  for (const { name, options = [], arguments: specs = [] } of table) {
    const parts = name.split(' ');
    for (const [index, part] of parts.entries()) add(parts.slice(0, index).join(' '), part);
    for (const option of [...options, ...globalOptions]) add(name, `--${option.name}`);
    for (const choice of specs[0]?.choices ?? []) add(name, choice);
  }
  return [...next].map(([words, set]) => ({ words, next: [...set] }));
}

function listOptionsWithValues(table: readonly Command[]): OptionSpec[] {
  const valued = table.flatMap(({ options = [] }) => options).filter(({ value }) => value !== undefined);
  return [...new Map(valued.map((option) => [option.name, option])).values()];
}

/** The branches of a case that finds the completion point. It skips unknown words. */
function positionScript(points: readonly CompletionPoint[]): string[] {
  return points
    .filter(({ words }) => words !== '')
    .map(({ words }) => `      '${words}') path='${words}' ;;`);
}

// The words of the table contain only letters, digits, dots and dashes, so they need no escaping.
const quoted = (words: readonly string[]) => `'${words.join(' ')}'`;

function casesOf(
  points: readonly CompletionPoint[],
  table: readonly Command[],
  assign: (words: string) => string,
) {
  const valued = listOptionsWithValues(table);
  const chosen = valued.filter(({ choices }) => choices);
  const free = valued.filter(({ choices }) => !choices).map(({ name }) => `--${name}`);
  return {
    values: [
      ...chosen.map(({ name, choices = [] }) => `    --${name}) ${assign(quoted(choices))} ;;`),
      `    ${free.join('|')}) return 1 ;;`,
    ],
    points: points.map(({ words, next }) => `      '${words}') ${assign(quoted(next))} ;;`),
  };
}

export function bashScript(table: readonly Command[]): string {
  const points = listCompletionPoints(table);
  const cases = casesOf(points, table, (words) => `words=${words}`);
  return `# bash completion for paylink. Load it with: source <(paylink completion bash)
_paylink() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
${positionScript(points).join('\n')}
    esac
  done
  COMPREPLY=()
  case "$prev" in
${cases.values.join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$path" in
${cases.points.join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _paylink paylink
`;
}

export function zshScript(table: readonly Command[]): string {
  const points = listCompletionPoints(table);
  const cases = casesOf(points, table, (words) => `options=(\${=:-${words.slice(1, -1)}})`);
  return `#compdef paylink
# zsh completion for paylink. Load it with: source <(paylink completion zsh)
_paylink() {
  local prev="\${words[CURRENT-1]}" path_so_far='' i
  local -a options
  for ((i = 2; i < CURRENT; i++)); do
    case "\${path_so_far:+$path_so_far }\${words[i]}" in
${positionScript(points)
  .map((line) => line.replace('path=', 'path_so_far='))
  .join('\n')}
    esac
  done
  case "$prev" in
${cases.values.join('\n')}
  esac
  if (( ! \${#options} )); then
    case "$path_so_far" in
${cases.points.join('\n')}
    esac
  fi
  compadd -- $options
}
# In a folder of fpath, this file is the function itself. After source, it must be registered.
if [[ "$funcstack[1]" == _paylink ]]; then
  _paylink "$@"
else
  compdef _paylink paylink
fi
`;
}

export function fishScript(table: readonly Command[]): string {
  const points = listCompletionPoints(table);
  const valued = listOptionsWithValues(table);
  const offer = (words: readonly string[]) => `printf '%s\\n' ${words.join(' ')}`;
  const free = valued.filter(({ choices }) => !choices).map(({ name }) => `--${name}`);
  return `# fish completion for paylink. Load it with: paylink completion fish | source
function __paylink_words
  # The words before the one that is completed.
  set -l words (commandline -opc)
  set -l path ''
  for word in $words[2..-1]
    switch (string trim -- "$path $word")
${points
  .filter(({ words }) => words !== '')
  .map(({ words }) => `      case '${words}'\n        set path '${words}'`)
  .join('\n')}
    end
  end
  switch $words[-1]
${valued
  .filter(({ choices }) => choices)
  .map(({ name, choices = [] }) => `    case --${name}\n      ${offer(choices)}\n      return`)
  .join('\n')}
    case ${free.join(' ')}
      return
  end
  switch $path
${points.map(({ words, next }) => `    case '${words}'\n      ${offer(next)}`).join('\n')}
  end
end
complete -c paylink -f -a '(__paylink_words)'
`;
}

const scripts: Readonly<Record<string, (table: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The command. It reads the whole table, of which it is a row. */
export function completionCommand(readTable: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print the completion script for a shell',
    arguments: [{ name: 'SHELL', help: 'the shell', choices: Object.keys(scripts) }],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh > ~/.zfunc/_paylink',
      'completion fish > ~/.config/fish/completions/paylink.fish',
    ],
    run: async ({ terminal }, given) => {
      const shell = given.argument('SHELL');
      const script = scripts[shell]?.(readTable());
      if (script === undefined) throw new Error(`there is no script for ${shell}`);
      terminal.report({ json: { shell, script }, lines: [script.trimEnd()] });
      return exitCodes.ok;
    },
  };
}
