// The table and what is made from it: parsing, help, completion.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CommandError, exitCodeMeanings, exitCodes } from './command-error.ts';
import { commands } from './commands.ts';
import { bashScript, fishScript, zshScript } from './completion.ts';
import { helpFor, signatureOf } from './help.ts';
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
    const names = commands.flatMap(({ name, earlierNames = [] }) => [name, ...earlierNames]);
    assert.equal(new Set(names).size, names.length);
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
      '--json payments cancel abc',
      'payments --json cancel abc',
      'payments cancel abc --json',
      'pay cancel --json abc',
    ]) {
      const parsed = parse(split(line), commands);
      assert.ok(parsed.kind === 'run');
      assert.deepEqual(
        [parsed.command.name, parsed.given.argument('CODE'), parsed.isJson],
        ['payments cancel', 'abc', true],
      );
    }
  });

  test('a value that looks like a command is a value', () => {
    const parsed = parse(split('jobs --rerun dead dead'), commands);
    assert.ok(parsed.kind === 'run');
    assert.deepEqual([parsed.command.name, parsed.given.text('rerun')], ['jobs dead', 'dead']);
  });

  test('unknown commands and options are rejected, with a suggestion', () => {
    assert.match(errorOf('paymnets list'), /no command "paymnets list"\. Did you mean "payments list"\?/);
    assert.match(errorOf('pya list'), /no command "pya list"\. Did you mean "payments list"\?/);
    assert.match(errorOf('payments'), /^"payments" needs one more word: create, list, get, /);
    assert.match(errorOf('webhooks'), /^"webhooks" needs one more word: endpoints, deliveries, resend\.$/);
    assert.match(errorOf('webhooks endpoints'), /^"webhooks endpoints" needs one more word: list, create, /);
    assert.match(errorOf('webhooks endpoints delte whe_1'), /Did you mean "webhooks endpoints delete"\?/);
    assert.match(errorOf('payments list --stauts paid'), /Unknown option --stauts\. Did you mean --status\?/);
    assert.match(errorOf('zzzzzzzz'), /^There is no command "zzzzzzzz"\. See: paylink --help$/);
    assert.match(errorOf('--json'), /The command is missing/);
  });

  test('missing, extra, repeated and invalid values are rejected by name', () => {
    assert.match(errorOf('payments create --currency EUR --email a@b.c'), /^--amount is required\.$/);
    assert.match(errorOf('payments list --limit 1 --limit 2'), /^--limit was given more than once\.$/);
    assert.match(errorOf('payments list --status good'), /^--status must be one of open, .*, not "good"\.$/);
    assert.match(errorOf('payments get'), /^CODE is missing: paylink payments get CODE$/);
    assert.match(errorOf('pay show a b'), /^paylink payments get does not take "b"\.$/);
    assert.match(errorOf('open nowhere'), /^PAGE must be one of overview, payments, .*, not "nowhere"\.$/);
    assert.match(errorOf('open payments keys'), /^paylink open does not take "keys"\.$/);
    assert.match(errorOf('refunds list'), /^--payment is required\.$/);
    assert.match(errorOf('trigger payment.nothing'), /^EVENT must be one of payment\.created, /);
    assert.match(errorOf('listen --forward-to'), /argument missing/);
    assert.match(
      errorOf('admin cells add eu1 --weight -1'),
      /^--weight needs a value\. Write one .* --weight=VALUE/,
    );
    assert.match(
      errorOf('admin cells weight eu1'),
      /^NUMBER is missing: paylink admin cells weight CELL NUMBER$/,
    );
  });

  test('every earlier name runs the same command with the same arguments', () => {
    const renamed = commands.flatMap(({ name, earlierNames = [] }) =>
      earlierNames.map((earlier) => [earlier, name]),
    );
    assert.deepEqual(renamed, [
      ['pay create', 'payments create'],
      ['pay list', 'payments list'],
      ['pay show', 'payments get'],
      ['pay cancel', 'payments cancel'],
      ['pay refund', 'payments refund'],
      ['pay open', 'payments open'],
    ]);
    for (const { earlierNames = [], examples } of commands)
      for (const earlier of earlierNames)
        for (const example of examples) {
          const words = split(example);
          const [now, before] = [words, [...earlier.split(' '), ...words.slice(2)]].map((argv) =>
            parse(argv, commands),
          );
          assert.ok(now?.kind === 'run' && before?.kind === 'run');
          assert.equal(before.command, now.command);
          for (const { name } of now.command.arguments ?? [])
            assert.equal(before.given.argument(name), now.given.argument(name));
        }
  });

  test('an option that may be repeated keeps every value', () => {
    const parsed = parse(split('events tail --type a --type b'), commands);
    assert.ok(parsed.kind === 'run');
    assert.deepEqual(parsed.given.texts('type'), ['a', 'b']);
  });
});

describe('help', () => {
  test('no words at all are a request for help, and so is a group with --help', () => {
    assert.deepEqual(parse([], commands), { kind: 'help', words: [] });
    assert.match(
      helpFor(['webhooks', 'endpoints'], commands) ?? '',
      /^Usage: paylink webhooks endpoints <com/,
    );
    assert.match(helpFor(['pay'], commands) ?? '', /^Usage: paylink payments <command>/);
    assert.match(helpFor(['pay', 'show', 'abc'], commands) ?? '', /"pay show" also works/);
    assert.match(helpFor(['open'], commands) ?? '', /^Usage: paylink open \[PAGE\] \[options\]/);
  });

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
      assert.ok(help.startsWith(`Usage: paylink ${signatureOf(command)} [options]`), command.name);
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
    assert.ok(!help.includes('payments create'));
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
  fish: {
    args: ['--no-config', '-c'],
    script: fishScript(commands),
    ask: (words: string) => `echo (complete -C "${words.replaceAll("'", '')}")`,
  },
};
type Shell = keyof typeof shells;

function completeIn(shell: Shell, lines: readonly string[]): string[][] {
  const { args, script, ask } = shells[shell];
  const asks = lines.map((line) => {
    const words = line.split(' ');
    return ask(words.map((word) => `'${word}'`).join(' '), words.length);
  });
  const printed = execFileSync(shell, [...args, [script, ...asks].join('\n')], { encoding: 'utf8' });
  const offered = printed.split('\n').slice(0, -1);
  // zsh itself filters by the prefix, and fish also offers words that only contain it.
  return offered.map((line, index) =>
    line.split(' ').filter((word) => word !== '' && word.startsWith(lines[index]?.split(' ').at(-1) ?? '')),
  );
}

/** The installed shells. bash always is. */
const present = (['bash', 'zsh', 'fish'] as const).filter((shell) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/${shell}`)),
);

describe('completion', () => {
  test('the shell completes words, options and values', () => {
    assert.ok(present.includes('bash'));
    const lines = [
      'paylink pa',
      'paylink payments c',
      'paylink payments list --st',
      'paylink payments list --status p',
      'paylink --json payments create --amount 5 --currency ',
      'paylink payments create --email ',
      'paylink trigger refund.',
      'paylink admin company cre',
      'paylink webhooks endpoints r',
      'paylink open ke',
      'paylink completion b',
      'paylink nothing x',
    ];
    const expected = [
      ['payments', 'patch'],
      ['create', 'cancel'],
      ['--status'],
      ['processing', 'paid'],
      ['USD', 'EUR'],
      [],
      ['refund.created', 'refund.escalated', 'refund.failed', 'refund.succeeded'],
      ['create'],
      ['roll', 'resend'],
      ['keys'],
      ['bash'],
      [],
    ];
    // fish sorts what it offers.
    const sorted = (offered: readonly string[][]) => offered.map((words) => words.toSorted());
    for (const shell of present) assert.deepEqual(sorted(completeIn(shell, lines)), sorted(expected), shell);
  });

  test('the scripts have every command and option, no earlier name, and no word that needs quoting', () => {
    for (const script of [bashScript(commands), zshScript(commands), fishScript(commands)])
      for (const { name, earlierNames = [], options = [] } of commands) {
        assert.ok(script.includes(`'${name}'`), name);
        for (const earlier of earlierNames) assert.ok(!script.includes(`'${earlier}'`), earlier);
        for (const option of options) assert.ok(script.includes(`--${option.name}`), option.name);
      }
    const words = commands.flatMap(({ name, options = [] }) => [
      ...name.split(' '),
      ...options.flatMap((option) => [option.name, ...(option.choices ?? [])]),
    ]);
    for (const word of words) assert.match(word, /^[\w.-]+$/);
  });
});
