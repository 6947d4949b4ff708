// Compares docs/cli.md with the table of commands, and runs its command from a clone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Command } from '../src/cli/command.ts';
import { exitCodeMeanings } from '../src/cli/command-error.ts';
import { commands } from '../src/cli/commands.ts';
import { signatureOf } from '../src/cli/help.ts';
import { createHome } from './harness/cli.ts';
import { commandPath, guardMs, root } from './harness/process.ts';

const page = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8');

/** The text of each command, by its heading without "paylink". */
function readSections(): Map<string, string> {
  const parts = page.split(/^### paylink /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [heading = '', ...lines] = part.split(/^## /m)[0]?.split('\n') ?? [];
      return [heading, lines.join('\n')];
    }),
  );
}

/** The first two cells of each row of a table. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, left, right]) => [left, right]).slice(1);

const optionRows = ({ options = [] }: Command) =>
  options.map(({ name, value, help, isRequired }) => [
    `\`--${name}${value ? ` ${value}` : ''}\``,
    isRequired ? `${help}; required` : help,
  ]);

test('docs/cli.md has every command with its summary, options and examples, and no other', () => {
  const sections = readSections();
  assert.deepEqual([...sections.keys()].sort(), commands.map(signatureOf).sort());
  for (const command of commands) {
    const text = sections.get(signatureOf(command)) ?? '';
    assert.ok(text.includes(`${command.summary}.`), command.name);
    assert.deepEqual(rowsOf(text), optionRows(command), command.name);
    const examples = [...text.matchAll(/^```text\n([\s\S]*?)\n```$/gm)].flatMap(([, block = '']) =>
      block.split('\n'),
    );
    assert.deepEqual(
      examples,
      command.examples.map((example) => `paylink ${example}`),
    );
    for (const { choices = [] } of command.arguments ?? [])
      for (const choice of choices) assert.ok(text.includes(`\`${choice}\``), `${command.name} ${choice}`);
  }
});

test('docs/cli.md has every earlier name of a command with its present name', () => {
  const [, section = ''] = page.split('\n## Payments\n');
  assert.deepEqual(
    rowsOf(section.split(/^### /m)[0] ?? ''),
    commands.flatMap(({ name, earlierNames = [] }) =>
      earlierNames.map((one) => [`\`${one}\``, `\`${name}\``]),
    ),
  );
});

test('docs/cli.md has every exit code with its meaning', () => {
  const [, section = ''] = page.split('\n## Exit codes\n');
  assert.deepEqual(rowsOf(section.split(/^## /m)[0] ?? ''), Object.entries(exitCodeMeanings));
});

test('docs/cli.md lists the variables that the command line reads', () => {
  const [, section = ''] = page.split('\n## Variables\n');
  const documented = rowsOf(section.split(/^## /m)[0] ?? '').flatMap(([names = '']) =>
    [...names.matchAll(/\w+/g)].map(([name]) => name),
  );
  const files = [
    'session',
    'login',
    'client',
    'admin',
    'browser',
    'config-folder',
    'terminal',
    'credentials',
    'open',
  ];
  const sources = files.map((name) =>
    readFileSync(new URL(`../src/cli/${name}.ts`, import.meta.url), 'utf8'),
  );
  const read = new Set(
    sources
      .flatMap((text) => [...text.matchAll(/\benv\.([A-Z_]+)|\{ ([A-Z_]+): \w+ \} = context\.env/g)])
      .map(([, a, b]) => a ?? b),
  );
  // Every terminal program uses these.
  for (const usual of ['HOME', 'COLUMNS', 'TERM']) read.delete(usual);
  assert.deepEqual(documented.sort(), [...read].sort());
});

test('the command in docs/cli.md runs from a clone and from another folder, with no other output', async () => {
  const home = await createHome();
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const command = /^node (scripts\/\S+) login/m.exec(page)?.[1] ?? '';
  const env = { PATH: commandPath(), HOME: home.folder };
  try {
    for (const [cwd, program] of [
      [root, command],
      [home.folder, path.join(root, command)],
    ] as const) {
      const printed = execFileSync('node', [program, '--version'], {
        cwd,
        env,
        encoding: 'utf8',
        timeout: guardMs,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      assert.equal(printed, `${version}\n`);
    }
  } finally {
    await home.remove();
  }
});
