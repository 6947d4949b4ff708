// `paylink completion bash|zsh`: scripts for the shell, made from the table. It must never call paylink
// while somebody types.

import type { Command, OptionSpec } from './command.ts';
import { exitCodes } from './fault.ts';
import { globalOptions } from './parse.ts';

/** What may follow some words: the words of commands, and the options once a command is whole. */
type CompletionPoint = { words: string; next: readonly string[] };

function listPlaces(table: readonly Command[]): CompletionPoint[] {
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

/** The options that take a value, each once, with the values to choose from. */
function listValued(table: readonly Command[]): OptionSpec[] {
  const valued = table.flatMap(({ options = [] }) => options).filter(({ value }) => value !== undefined);
  return [...new Map(valued.map((option) => [option.name, option])).values()];
}

/** The lines of a case that finds the place: known words are gone along, everything else is passed over. */
function positionScript(places: readonly CompletionPoint[]): string[] {
  return places
    .filter(({ words }) => words !== '')
    .map(({ words }) => `      '${words}') path='${words}' ;;`);
}

// Words of the table are letters, digits, dots and dashes: nothing of them needs quoting.
const quoted = (words: readonly string[]) => `'${words.join(' ')}'`;

function casesOf(
  places: readonly CompletionPoint[],
  table: readonly Command[],
  assign: (words: string) => string,
) {
  const valued = listValued(table);
  const chosen = valued.filter(({ choices }) => choices);
  const free = valued.filter(({ choices }) => !choices).map(({ name }) => `--${name}`);
  return {
    values: [
      ...chosen.map(({ name, choices = [] }) => `    --${name}) ${assign(quoted(choices))} ;;`),
      `    ${free.join('|')}) return 1 ;;`,
    ],
    places: places.map(({ words, next }) => `      '${words}') ${assign(quoted(next))} ;;`),
  };
}

/** The script for bash. */
export function bashScript(table: readonly Command[]): string {
  const places = listPlaces(table);
  const cases = casesOf(places, table, (words) => `words=${words}`);
  return `# bash completion for paylink. Load it with: source <(paylink completion bash)
_paylink() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
${positionScript(places).join('\n')}
    esac
  done
  COMPREPLY=()
  case "$prev" in
${cases.values.join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$path" in
${cases.places.join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _paylink paylink
`;
}

/** The script for zsh. */
export function zshScript(table: readonly Command[]): string {
  const places = listPlaces(table);
  const cases = casesOf(places, table, (words) => `options=(\${=:-${words.slice(1, -1)}})`);
  return `#compdef paylink
# zsh completion for paylink. Load it with: source <(paylink completion zsh)
_paylink() {
  local prev="\${words[CURRENT-1]}" path_so_far='' i
  local -a options
  for ((i = 2; i < CURRENT; i++)); do
    case "\${path_so_far:+$path_so_far }\${words[i]}" in
${positionScript(places)
  .map((line) => line.replace('path=', 'path_so_far='))
  .join('\n')}
    esac
  done
  case "$prev" in
${cases.values.join('\n')}
  esac
  if (( ! \${#options} )); then
    case "$path_so_far" in
${cases.places.join('\n')}
    esac
  fi
  compadd -- $options
}
# From a folder of fpath this file is the function itself; from source it has to be made known.
if [[ "$funcstack[1]" == _paylink ]]; then
  _paylink "$@"
else
  compdef _paylink paylink
fi
`;
}

/** The command itself; it is given the whole table, of which it is a row. */
export function completionCommand(readTable: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    arguments: [{ name: 'SHELL', help: 'which', isRequired: true, choices: ['bash', 'zsh'] }],
    examples: ['completion bash >> ~/.bashrc', 'completion zsh > ~/.zfunc/_paylink'],
    run: async ({ terminal }, given) => {
      const shell = given.argument('SHELL');
      const script = (shell === 'bash' ? bashScript : zshScript)(readTable());
      terminal.report({ json: { shell, script }, lines: [script.trimEnd()] });
      return exitCodes.ok;
    },
  };
}
