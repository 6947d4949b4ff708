// The table and what is made from it: parsing, help, completion.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CommandError, exitCodeMeanings, exitCodes } from './command-error.ts';
import { commands } from './commands.ts';
import { bashScript, zshScript } from './completion.ts';
import { helpFor } from './help.ts';
import { parse } from './parse.ts';

const split = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );

function errorOf(line: string): string {
  try {
    parse(split(line), commands);
  } catch (error) {
    assert.ok(error instanceof CommandError, String(error));
    assert.equal(error.exitCode, exitCodes.usage);
    return error.message;
  }
  return assert.fail(`"${line}" was accepted`);
}

describe('the table of commands', () => {
  test('every command has a unique name, a summary and a valid example', () => {
    assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length);
    for (const command of commands) {
      assert.match(command.summary, /^[A-Z][^.]*[^.]$/, command.name);
      assert.ok(command.examples.length > 0, command.name);
      for (const example of command.examples) {
        const parsed = parse(split(example.replace(/ >.*$/, '')), commands);
        assert.ok(parsed.kind === 'run');
        assert.equal(parsed.command.name, command.name);
      }
    }
  });

  test('an option has the same form and the same choices in every command', () => {
    const seen = new Map<string, string>();
    for (const { name, options = [] } of commands)
      for (const option of options) {
        const shape = JSON.stringify([option.value !== undefined, option.choices ?? null]);
        assert.equal(seen.get(option.name) ?? shape, shape, `--${option.name} of ${name}`);
        seen.set(option.name, shape);
      }
  });
});

describe('parsing', () => {
  test('options may come before, between and after the words of a command', () => {
    for (const line of [
      '--json pay cancel abc',
      'pay --json cancel abc',
      'pay cancel abc --json',
      'pay cancel --json abc',
    ]) {
      const parsed = parse(split(line), commands);
      assert.ok(parsed.kind === 'run');
      assert.deepEqual(
        [parsed.command.name, parsed.given.argument('CODE'), parsed.isJson],
        ['pay cancel', 'abc', true],
      );
    }
  });

  test('a value that looks like a command is a value', () => {
    const parsed = parse(split('jobs --rerun dead dead'), commands);
    assert.ok(parsed.kind === 'run');
    assert.deepEqual([parsed.command.name, parsed.given.text('rerun')], ['jobs dead', 'dead']);
  });

  test('unknown commands and options are rejected, with a suggestion', () => {
    assert.match(errorOf('pya list'), /no command "pya list"\. Did you mean "pay list"\?/);
    assert.match(errorOf('pay'), /"pay" needs one more word: create, list, /);
    assert.match(errorOf('pay list --stauts paid'), /Unknown option --stauts\. Did you mean --status\?/);
    assert.match(errorOf('zzzzzzzz'), /^There is no command "zzzzzzzz"\. See: paylink --help$/);
    assert.match(errorOf(''), /The command is missing/);
  });

  test('missing, extra, repeated and invalid values are rejected by name', () => {
    assert.match(errorOf('pay create --currency EUR --email a@b.c'), /^--amount is required\.$/);
    assert.match(errorOf('pay list --limit 1 --limit 2'), /^--limit was given more than once\.$/);
    assert.match(errorOf('pay list --status good'), /^--status must be one of open, .*, not "good"\.$/);
    assert.match(errorOf('pay show'), /^CODE is missing: paylink pay show CODE$/);
    assert.match(errorOf('pay show a b'), /^paylink pay show does not take "b"\.$/);
    assert.match(errorOf('trigger payment.expired'), /^EVENT must be one of payment\.created, /);
    assert.match(errorOf('listen --forward-to'), /argument missing/);
  });

  test('an option that may be repeated keeps every value', () => {
    const parsed = parse(split('events tail --type a --type b'), commands);
    assert.ok(parsed.kind === 'run');
    assert.deepEqual(parsed.given.texts('type'), ['a', 'b']);
  });
});

describe('help', () => {
  test('the first page has every command and every exit code', () => {
    const help = helpFor([], commands) ?? '';
    for (const { name, summary } of commands) {
      assert.ok(help.includes(`  ${name}`), name);
      assert.ok(help.includes(summary), name);
    }
    for (const meaning of Object.values(exitCodeMeanings)) assert.ok(help.includes(meaning));
  });

  test('the help of a command has its arguments, options and examples, and no line is wider than 120', () => {
    for (const command of commands) {
      const help = helpFor(command.name.split(' '), commands) ?? '';
      for (const { name } of command.options ?? [])
        assert.ok(help.includes(`--${name}`), `${command.name} ${name}`);
      for (const { name } of command.arguments ?? []) assert.ok(help.includes(`  ${name}`), command.name);
      for (const example of command.examples) assert.ok(help.includes(`  paylink ${example}`), command.name);
      for (const line of help.split('\n')) assert.ok(line.length <= 120, line);
    }
  });

  test('a group has a page with its commands; unknown words have none', () => {
    const help = helpFor(['keys'], commands) ?? '';
    for (const verb of ['list', 'create', 'roll', 'revoke']) assert.ok(help.includes(`keys ${verb}`));
    assert.ok(!help.includes('pay create'));
    assert.equal(helpFor(['nothing'], commands), null);
  });
});

/** How to query each shell's completions for some words, the last of which is incomplete. */
const shells = {
  bash: {
    args: ['--noprofile', '--norc', '-c'],
    script: bashScript(commands),
    ask: (words: string, count: number) =>
      `COMP_WORDS=(${words}); COMP_CWORD=${count - 1}; _paylink; echo "\${COMPREPLY[*]}"`,
  },
  zsh: {
    args: ['-f', '-c'],
    // Without the completion system: the stubs print the script's calls.
    script: `compdef() { :; }; compadd() { shift; print -r -- "$*"; }\n${zshScript(commands)}`,
    ask: (words: string, count: number) => `words=(${words}); CURRENT=${count}; _paylink || print`,
  },
};

function completeIn(shell: 'bash' | 'zsh', lines: readonly string[]): string[][] {
  const { args, script, ask } = shells[shell];
  const asks = lines.map((line) => {
    const words = line.split(' ');
    return ask(words.map((word) => `'${word}'`).join(' '), words.length);
  });
  const printed = execFileSync(shell, [...args, [script, ...asks].join('\n')], { encoding: 'utf8' });
  const offered = printed.split('\n').slice(0, -1);
  // zsh itself filters by the prefix.
  return offered.map((line, index) =>
    line.split(' ').filter((word) => word !== '' && word.startsWith(lines[index]?.split(' ').at(-1) ?? '')),
  );
}

/** The installed shells. bash always is. */
const present = (['bash', 'zsh'] as const).filter((shell) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/${shell}`)),
);

describe('completion', () => {
  test('the shell completes words, options and values', () => {
    assert.ok(present.includes('bash'));
    const lines = [
      'paylink pa',
      'paylink pay c',
      'paylink pay list --st',
      'paylink pay list --status p',
      'paylink --json pay create --amount 5 --currency ',
      'paylink pay create --email ',
      'paylink trigger refund.',
      'paylink admin company cre',
      'paylink completion b',
      'paylink nothing x',
    ];
    const expected = [
      ['pay'],
      ['create', 'cancel'],
      ['--status'],
      ['processing', 'paid'],
      ['USD', 'EUR'],
      [],
      ['refund.succeeded'],
      ['create'],
      ['bash'],
      [],
    ];
    for (const shell of present) assert.deepEqual(completeIn(shell, lines), expected, shell);
  });

  test('both scripts have every command and option, and no word that needs quoting', () => {
    for (const script of [bashScript(commands), zshScript(commands)])
      for (const { name, options = [] } of commands) {
        assert.ok(script.includes(`'${name}')`), name);
        for (const option of options) assert.ok(script.includes(`--${option.name}`), option.name);
      }
    const words = commands.flatMap(({ name, options = [] }) => [
      ...name.split(' '),
      ...options.flatMap((option) => [option.name, ...(option.choices ?? [])]),
    ]);
    for (const word of words) assert.match(word, /^[\w.-]+$/);
  });
});
