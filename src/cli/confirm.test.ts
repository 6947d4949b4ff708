// Confirmation: only a yes goes on, and without a terminal only --yes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandContext } from './command.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { commands } from './commands.ts';
import { confirm, requireConfirmable } from './confirm.ts';
import { parse } from './parse.ts';
import type { Terminal } from './terminal.ts';

function givenOf(...args: string[]) {
  const parsed = parse(['payments', 'refund', 'code', ...args], commands);
  assert.ok(parsed.kind === 'run');
  return parsed.given;
}

/** A context whose user answers this, and the questions that were asked. */
function contextWith(isInteractive: boolean, answer: string) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  // Confirmation uses no other member.
  const terminal = { isInteractive, ask } as Partial<Terminal> as Terminal;
  const context: CommandContext = { terminal, env: {} };
  return { context, asked };
}

const describeRefund = async () => 'Refund 5.00 EUR of order a\u001b[2J?';

test('on a terminal only y and yes go on, and the question has no control characters', async () => {
  for (const answer of ['y', 'Y', 'yes']) {
    const { context, asked } = contextWith(true, answer);
    requireConfirmable(givenOf(), context, 'refund a payment');
    await confirm(givenOf(), context, describeRefund);
    assert.deepEqual(asked, ['Refund 5.00 EUR of order a\ufffd[2J? [y/N] ']);
  }
  for (const answer of ['', 'n', 'yep', 'no', 'y n'])
    await assert.rejects(confirm(givenOf(), contextWith(true, answer).context, describeRefund), (error) => {
      assert.ok(error instanceof CommandError);
      assert.deepEqual([error.exitCode, error.message], [exitCodes.found, 'Nothing was done.']);
      return true;
    });
});

test('--yes goes on without a question; without it and a terminal the call is refused', async () => {
  for (const isInteractive of [true, false]) {
    const { context, asked } = contextWith(isInteractive, 'n');
    requireConfirmable(givenOf('--yes'), context, 'refund a payment');
    await confirm(givenOf('--yes'), context, describeRefund);
    assert.deepEqual(asked, []);
  }
  assert.throws(
    () => requireConfirmable(givenOf(), contextWith(false, 'y').context, 'refund a payment'),
    (error) => error instanceof CommandError && error.exitCode === exitCodes.usage,
  );
});
