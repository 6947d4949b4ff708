// Does what a chapter of docs/generated-clients.md says, in a folder of its own, and compares what its program did with
// what the service has stored.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Credentials, call, type Json, logIn } from './client.ts';
import { sectionOf } from './documents.ts';
import { type Paylink, startPaylink } from './paylink.ts';
import { root } from './process.ts';
import { createServiceKey } from './service-keys.ts';

const exec = promisify(execFile);

/** The amount in the programs of the page. */
export const amountOfPage = 19.99;

/** Either a file to save or commands to run. */
export type Step = { file: string; text: string } | { commands: string };

/** The blocks of a chapter in order. A block is a file if the line before it ends with a name in backticks and a colon. */
export function readSteps(chapter: string): Step[] {
  return [...chapter.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language, 2: text = '', index }) => {
    const file = /`([\w.-]+)`:\n\n$/.exec(chapter.slice(0, index))?.[1];
    if (file !== undefined) return { file, text };
    assert.equal(language, 'sh', `this block has no file name:\n${text}`);
    return { commands: text };
  });
}

export type Workshop = {
  paylink: Paylink;
  /** A new folder. */
  folder(name: string): Promise<string>;
  /** Carries out steps in a folder, with further variables. Returns the output of the last commands. */
  follow(steps: readonly Step[], folder: string, variables?: Record<string, string>): Promise<string>;
  /** Fails unless the program paid the amount, refunded all of it once, and printed the result. */
  checkOrder(output: string, amount: number): Promise<void>;
  close(): Promise<void>;
};

/** A service with a key for the programs, and a temporary folder. */
export async function openWorkshop(): Promise<Workshop> {
  const home = await mkdtemp(join(tmpdir(), 'paylink-generated-'));
  const paylink = await startPaylink('server');
  const credentials = await logIn(paylink);
  const scopes = ['payments:create', 'payments:read', 'payments:refund'];
  const { key } = await createServiceKey(paylink, credentials, { scopes });
  const environment = {
    ...inheritedEnvironment(),
    PAYLINK_BASE_URL: paylink.baseUrl,
    PAYLINK_SERVICE_KEY: key,
    PIP_CONSTRAINT: join(root, 'test/openapi-generators.requirements.txt'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    // Otherwise compilers keep their code in the temporary folder.
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  return {
    paylink,
    folder: async (name) => {
      const made = join(home, name);
      await mkdir(made);
      return made;
    },
    follow: async (steps, folder, variables = {}) => {
      let output = '';
      for (const step of steps)
        if ('file' in step) await writeFile(join(folder, step.file), step.text);
        else output = await runCommands(step.commands, folder, { ...environment, ...variables });
      return output;
    },
    checkOrder: async (output, amount) => await checkOrder(paylink, credentials, { output, amount }),
    close: async () => {
      await paylink.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: __, ...inherited } = process.env;
  return inherited;
}

/** Rejects with what they print. */
async function runCommands(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await exec('sh', ['-ec', commands], { cwd, env, maxBuffer: 2 ** 26 }).catch(
    ({ stdout: printed, stderr }) => {
      throw new Error(`${commands}\n${printed}${stderr}`);
    },
  );
  return stdout;
}

async function checkOrder(
  paylink: Paylink,
  credentials: Credentials,
  { output, amount }: { output: string; amount: number },
): Promise<void> {
  const [, code = ''] = /\/pay\/(\w+)\n/.exec(output) ?? [];
  const get = async (path: string) => (await call(paylink, credentials, ['GET', path])).body;
  const payment = await get(`/v1/payments/${code}`);
  assert.deepEqual(
    [payment.status, payment.amount, payment.refundedAmount, payment.mode],
    ['paid', amount, amount, 'test'],
    output,
  );
  const refunds = (await get(`/v1/payments/${code}/refunds`)).data as Json[];
  assert.deepEqual(
    refunds.map((refund) => [refund.amount, refund.status, refund.reason]),
    [[amount, 'succeeded', 'Out of stock']],
  );
  const lines = output.trimEnd().split('\n').slice(-2);
  assert.deepEqual(lines, [
    `Refund ${refunds[0]?.refundId} is succeeded: ${amount} of ${amount} EUR`,
    'A second refund is refused: stale_remaining',
  ]);
}

/** The steps of a chapter of the page: those that make the client, the program, and the commands that run it. */
export function readChapter(page: string, heading: string): { making: Step[]; program: Step; running: Step } {
  const steps = readSteps(sectionOf(page, heading));
  const [program, running] = steps.slice(-2);
  assert.ok(program && 'file' in program && running && 'commands' in running, heading);
  return { making: steps.slice(0, -2), program, running };
}
