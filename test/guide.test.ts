// Follows docs/guide.md as a reader does: runs its blocks in a shell and its programs from files, pays, and compares the
// output. Only the address, the account and the password are replaced.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf, read, sectionOf } from './harness/documents.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { commandPath, root, until } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';
import { openAsPerson } from './harness/webhook-endpoints.ts';

const guide = read('docs/guide.md');

type Shell = {
  /** Types lines for the shell or the program that it runs. */
  type(text: string): void;
  output(): string;
  hasEnded(): boolean;
  /** Closes the input and waits for the end. */
  leave(): Promise<{ code: number | null; errors: string }>;
  /** Kills it, so that a failed test leaves no process. */
  drop(): void;
};

/** A shell that stops at the first failing command. It inherits only the PATH of this process. */
function openShell(cwd: string, home: string): Shell {
  // npm needs no network: everything that it packs and installs is in the folder.
  const env = { PATH: commandPath(), HOME: home, TMPDIR: home, npm_config_offline: 'true' };
  const child = spawn('sh', ['-e'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const received = { output: '', errors: '', isOver: false };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    received.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    received.errors += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      received.isOver = true;
      resolve(code);
    });
  });
  // The exit code reports an early end, not the closed pipe.
  child.stdin.on('error', () => undefined);
  return {
    type: (text) => void child.stdin.write(text),
    output: () => received.output,
    hasEnded: () => received.isOver,
    leave: async () => {
      child.stdin.end();
      return { code: await ended, errors: received.errors };
    },
    drop: () => {
      child.stdin.destroy();
      child.kill('SIGKILL');
    },
  };
}

/** The shown output as a pattern; `…` matches anything. */
function patternOf(shown: string): RegExp {
  const open = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^\\n]*');
  // A pipe does not echo the line break of typed text, unlike a terminal.
  return new RegExp(open(shown.trimEnd()).replaceAll('\n', '\\n?'));
}

describe('the guide', () => {
  let paylink: Paylink;
  const homes: string[] = [];
  const shells: Shell[] = [];
  before(async () => {
    // As in the guide. On a server, open transactions of other tests would hide events from the feed.
    paylink = await startPaylink('embedded');
  });
  after(async () => {
    for (const shell of shells) shell.drop();
    await paylink.stop();
    for (const home of homes) await rm(home, { recursive: true, force: true });
  });

  /** A home with a clone as after the first start. */
  async function prepareHome() {
    const home = await mkdtemp(path.join(tmpdir(), 'paylink-guide-'));
    homes.push(home);
    const clone = path.join(home, 'paylink');
    await mkdir(clone);
    const built = path.join(root, 'sdk', 'dist');
    await cp(path.join(root, 'sdk'), path.join(clone, 'sdk'), {
      recursive: true,
      filter: (source) => source !== built,
    });
    await symlink(path.join(root, 'node_modules'), path.join(clone, 'node_modules'));
    return { home, clone };
  }

  const enter = (cwd: string, home: string): Shell => {
    const shell = openShell(cwd, home);
    shells.push(shell);
    return shell;
  };

  const own = (block: string) =>
    block
      .replaceAll('http://localhost:3000', paylink.baseUrl)
      .replaceAll('owner@example.com', paylink.merchant.email)
      .replaceAll('the password that the first start printed', password);

  /** Waits for the link in the output and pays it. Returns the address where the customer lands. */
  async function payWhatIsShown(shell: Shell): Promise<string> {
    const link = () => /^Pay here: (\S+)\n/m.exec(shell.output())?.[1];
    await until(() => link() !== undefined || shell.hasEnded(), 'a link');
    const shown = link() ?? assert.fail((await shell.leave()).errors);
    await openAsPerson(shown);
    const landed = await payWith(shown, { number: '4242 4242 4242 4242' });
    assert.match(landed.url, /\/sandbox\/shop\/success\?.*paymentResult=/);
    return landed.url;
  }

  /** The shell succeeded and printed the output of the chapter in its order. */
  async function compareWithShown(shell: Shell, chapter: string): Promise<void> {
    const { code, errors } = await shell.leave();
    assert.equal(code, 0, shell.output() + errors);
    let rest = shell.output().replaceAll(paylink.baseUrl, 'http://localhost:3000');
    const shown = blocksOf(chapter, 'text');
    assert.ok(shown.length > 0);
    for (const sample of shown) {
      const found = patternOf(sample).exec(rest);
      assert.ok(found, `the guide shows\n${sample}\nbut the rest of the output is\n${rest}`);
      rest = rest.slice(found.index + found[0].length);
    }
  }

  test('the chapter on curl works from the login to the events', async () => {
    const chapter = sectionOf(guide, '## With curl');
    const { home, clone } = await prepareHome();
    const shell = enter(clone, home);
    const blocks = blocksOf(chapter, 'sh');
    const asking = blocks.findIndex((block) => block.includes('Pay here'));
    shell.type(own(blocks.slice(0, asking + 1).join('')));
    await payWhatIsShown(shell);
    shell.type(own(blocks.slice(asking + 1).join('')));
    await compareWithShown(shell, chapter);
  });

  test('the chapter on JavaScript creates the package, verifies the return, and refunds', async () => {
    const chapter = sectionOf(guide, '## With JavaScript');
    const { home, clone } = await prepareHome();
    const shop = path.join(home, 'paylink-shop');
    await mkdir(shop);
    await writeFile(path.join(shop, 'guide.mjs'), own(blocksOf(chapter, 'js').join('\n')));
    const shell = enter(clone, home);
    shell.type(own(blocksOf(chapter, 'sh').join('')));
    shell.type(`${await payWhatIsShown(shell)}\n`);
    await compareWithShown(shell, chapter);
  });

  test('the chapter on Python works with only Python', async () => {
    const chapter = sectionOf(guide, '## With Python');
    const { home } = await prepareHome();
    await writeFile(path.join(home, 'guide.py'), own(blocksOf(chapter, 'python').join('\n')));
    const shell = enter(home, home);
    shell.type(own(blocksOf(chapter, 'sh').join('')));
    await payWhatIsShown(shell);
    shell.type('\n');
    await compareWithShown(shell, chapter);
  });
});
