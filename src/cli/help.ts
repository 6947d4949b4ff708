// The help of all commands, of a group and of one command, generated from the table of commands.

import type { ArgumentSpec, Command, OptionSpec } from './command.ts';
import { type ExitCode, exitCodeMeanings } from './command-error.ts';
import { findCommand, findGroup, globalOptions } from './parse.ts';

const showOption = ({ name, value, short }: OptionSpec) =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;

const showArgument = ({ name, isOptional }: ArgumentSpec) => (isOptional ? `[${name}]` : name);

/** `payments cancel CODE`: the words and the arguments of a command. */
export function signatureOf(command: Command): string {
  return [command.name, ...(command.arguments ?? []).map(showArgument)].join(' ');
}

function align(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

function describeOption({ help, isRequired, isRepeatable, choices }: OptionSpec): string {
  const notes = [
    ...(isRequired ? ['required'] : []),
    ...(choices ? [choices.join(', ')] : []),
    ...(isRepeatable ? ['repeatable'] : []),
  ];
  return notes.length > 0 ? `${help} (${notes.join('; ')})` : help;
}

function describeArgument({ name, help, choices = [] }: ArgumentSpec): string[] {
  return [`  ${name}  ${help}`, ...choices.map((choice) => `    ${choice}`)];
}

const showExamples = (examples: readonly string[]) => examples.map((example) => `  paylink ${example}`);

function helpOfCommand(command: Command): string {
  const options = [...(command.options ?? []), ...globalOptions];
  const parts = [
    [`Usage: paylink ${signatureOf(command)} [options]`],
    [
      `${command.summary}.`,
      ...(command.details ? [command.details] : []),
      ...(command.earlierNames ?? []).map((name) => `Its earlier name "${name}" also works.`),
    ],
    ...(command.arguments ? [['Arguments:', ...command.arguments.flatMap(describeArgument)]] : []),
    ['Options:', ...align(options.map((option) => [showOption(option), describeOption(option)]))],
    ['Examples:', ...showExamples(command.examples)],
  ];
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

const listCommands = (commands: readonly Command[]) =>
  align(commands.map((command) => [signatureOf(command), command.summary]));

function helpOfGroup(group: string, commands: readonly Command[]): string {
  return [
    `Usage: paylink ${group} <command> [options]`,
    listCommands(commands).join('\n'),
    ['Examples:', ...showExamples(commands.flatMap(({ examples }) => examples.slice(0, 1)))].join('\n'),
    `For more about a command: paylink ${group} <command> --help`,
  ].join('\n\n');
}

function helpOfAll(table: readonly Command[]): string {
  const codes = Object.entries(exitCodeMeanings) as unknown as [ExitCode, string][];
  return [
    'Usage: paylink <command> [options]',
    listCommands(table).join('\n'),
    ['Options:', ...align(globalOptions.map((option) => [showOption(option), option.help]))].join('\n'),
    ['Exit codes:', ...align(codes.map(([code, meaning]) => [String(code), meaning]))].join('\n'),
    [
      'Examples:',
      ...showExamples([
        'login --url http://localhost:3000',
        'payments create --amount 19.99 --currency EUR --email ada@example.com',
        'doctor',
      ]),
    ].join('\n'),
    'For more about a command: paylink <command> --help',
  ].join('\n\n');
}

/** The help for a command or group, by its words; null for unknown words. */
export function helpFor(words: readonly string[], table: readonly Command[]): string | null {
  if (words.length === 0) return helpOfAll(table);
  const exact = findCommand(words, table);
  if (exact) return helpOfCommand(exact.command);
  const found = findGroup(words, table);
  return found ? helpOfGroup(found.group, found.commands) : null;
}
