// Builds and runs images of containers with buildah and podman, in a storage of its own. Needs no registry of containers:
// the base image is made of Debian's packages, and of the Node and npm of this machine. Must not: leave an image, a
// container or a mount behind.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { read } from '../harness/documents.ts';
import { root } from '../harness/process.ts';

const execute = promisify(execFile);

/** Of the same major version as that of Node's official image. */
const npmPackage = 'npm@11.19.1';

/** The limits of a container. Runtimes set higher ones by default, which not every machine allows. */
const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=1024:1024'];

/** Runs a program. Returns its output. Throws with its errors. */
async function call(file: string, args: readonly string[], cwd = root): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd, env, maxBuffer: 2 ** 26, encoding: 'utf8' } as const;
  return (await execute(file, args, options)).stdout.trim();
}

/** The base image that the Dockerfile names, as Debian's release and the version of Node. */
function readBase(): { debian: string; node: string } {
  const [, node = '', debian = ''] =
    /^ARG NODE_IMAGE=node:([\d.]+)-(\w+)-slim$/m.exec(read('Dockerfile')) ?? [];
  return { debian, node };
}

/** A root file system like that of Node's official image. */
async function makeBaseFiles(home: string): Promise<string> {
  const { debian, node } = readBase();
  assert.equal(process.version, `v${node}`, 'the tests and the image have the same Node');
  const files = join(home, 'base');
  const options = ['--variant=minbase', '--format=directory', '--include=ca-certificates', '--quiet'];
  await call('mmdebstrap', [...options, debian, files]);
  await chmod(files, 0o755);
  // A builder makes the devices itself.
  await rm(join(files, 'dev'), { recursive: true });
  await mkdir(join(files, 'dev'));
  const local = join(files, 'usr/local');
  await copyFile(process.execPath, join(local, 'bin/node'));
  const npm = join(local, 'lib/node_modules/npm');
  await mkdir(npm, { recursive: true });
  const packed = await call('npm', ['pack', '--silent', '--prefer-offline', npmPackage], home);
  await call('tar', ['-xzf', join(home, packed), '-C', npm, '--strip-components=1']);
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  return files;
}

/** What npm needs in the builder to reach the registry as npm on this machine does: its cache, registry and certificates. */
async function npmVolumes(home: string): Promise<string[]> {
  const setting = async (name: string) => await call('npm', ['config', 'get', name]);
  const lines = ['prefer-offline=true', `registry=${await setting('registry')}`];
  const volumes = [`${await setting('cache')}:/root/.npm`];
  const configured = await setting('cafile');
  const authorities = configured === 'null' ? process.env.NODE_EXTRA_CA_CERTS : configured;
  if (authorities) {
    lines.push('cafile=/root/authorities.pem');
    volumes.push(`${authorities}:/root/authorities.pem:ro`);
  }
  const file = join(home, 'npmrc');
  await writeFile(file, `${lines.join('\n')}\n`);
  return [...volumes, `${file}:/root/.npmrc:ro`].map((volume) => `--volume=${volume}`);
}

export type Containers = {
  /** Builds the image of the Dockerfile. */
  build(): Promise<void>;
  /** The size of the image in bytes, as a registry stores it. */
  compressedSize(): Promise<number>;
  /** Runs the image as docs/install.md describes, until the program has ended. Returns its output. */
  run(options: readonly string[], command?: readonly string[]): Promise<string>;
  /** podman's command on containers. */
  podman(...args: string[]): Promise<string>;
  remove(): Promise<void>;
};

const image = 'localhost/paylink';
const base = 'localhost/node';

/**
 * How docs/install.md runs the image; on the network of this machine, so that the tests reach it. A container whose test was
 * interrupted ends after some minutes.
 */
const strict = [
  ...['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'],
  ...['--network=host', '--timeout=900', ...limits],
];

/** A storage for images and containers in a temporary folder. */
export async function createContainers(): Promise<Containers> {
  // Short: the sockets of containers are below it.
  const home = await mkdtemp('/tmp/paylink-image-');
  const storage = [`--root=${join(home, 'storage')}`, `--runroot=${join(home, 'run')}`];
  const buildah = async (...args: string[]) => await call('buildah', [...storage, ...args]);
  // Debian's crun refuses a machine with both versions of control groups.
  const podman = async (...args: string[]) => await call('podman', [...storage, '--runtime=runc', ...args]);
  const commitBase = async () => {
    const container = await buildah('from', 'scratch');
    await buildah('add', '--quiet', container, await makeBaseFiles(home), '/');
    await buildah(
      'config',
      '--env=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      container,
    );
    await buildah('commit', '--quiet', '--rm', container, base);
  };
  return {
    async build() {
      await commitBase();
      // The format of Docker: that of OCI has no health check.
      const options = ['--format=docker', '--isolation=chroot', '--network=host', `--tag=${image}`];
      await buildah('bud', ...options, `--build-arg=NODE_IMAGE=${base}`, ...(await npmVolumes(home)), '.');
    },
    async compressedSize() {
      const folder = join(home, 'pushed');
      await buildah('push', '--quiet', image, `dir:${folder}`);
      const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    run: async (options, command = []) => await podman('run', ...strict, ...options, image, ...command),
    podman,
    async remove() {
      try {
        await podman('rm', '--all', '--force', '--volumes', '--time=0');
        await buildah('rm', '--all');
        await buildah('rmi', '--all', '--force');
        // The storage mounts its folder on itself.
        await call('umount', [join(home, 'storage/overlay')]).catch(() => undefined);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}
