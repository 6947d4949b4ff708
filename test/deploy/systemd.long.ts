// The unit in deploy/systemd, as systemd itself reads it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../harness/process.ts';
import { systemdAnalyzePath } from '../harness/services.ts';

const run = promisify(execFile);
const unit = readFileSync(join(root, 'deploy/systemd/paylink.service'), 'utf8');

/** The exposure that systemd computes, from 0 (none) to 100 (an unrestricted process). */
const mostExposure = 15;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-unit-'));
});
after(async () => await rm(folder, { recursive: true }));

/** Writes the unit with the Node of the tests, since systemd looks for the file. */
async function writeUnit(text: string): Promise<string> {
  const file = join(folder, 'paylink.service');
  assert.ok(text.includes('ExecStart=/usr/bin/node '));
  await writeFile(file, text.replace('ExecStart=/usr/bin/node ', `ExecStart=${process.execPath} `));
  return file;
}

async function verify(text: string): Promise<string> {
  const { stdout, stderr } = await run(systemdAnalyzePath(), [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    await writeUnit(text),
  ]).catch((error) => error);
  return `${stdout}${stderr}`;
}

test('systemd finds no fault in the unit, and finds a planted one', async () => {
  assert.equal(await verify(unit), '');
  assert.match(await verify(unit.replace('ProtectSystem=', 'ProtectSystems=')), /ProtectSystems/);
});

test(`the exposure of the unit is at most ${mostExposure} of 100`, async () => {
  const check = async (text: string) =>
    await run(systemdAnalyzePath(), [
      ...['security', '--offline=true', '--no-pager', `--threshold=${mostExposure}`],
      await writeUnit(text),
    ]);
  const { stdout } = await check(unit);
  assert.match(stdout, /Overall exposure level for paylink\.service: [01]\.\d/);
  await assert.rejects(async () => await check(unit.replace(/^(Protect|Restrict|Private).*\n/gm, '')));
});
