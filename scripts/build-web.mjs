// Builds the dashboard into web/dist atomically, with a compressed copy of every file. `npm start` and `npm
// test` run it when its sources changed (scripts/web.mjs). Must not: show a running service an incomplete
// build.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root, runScript } from './toolchain.mjs';
import { hashSources, requireBuildPackages, stampName, webFolder } from './web.mjs';

const compressible = /\.(html|js|css|svg)$/;

/** Smaller files gain nothing from compression. */
const leastBytes = 512;

/** Writes a `.br` and a `.gz` beside each file that becomes smaller. */
function compressAll(/** @type {string} */ folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const bytes = readFileSync(file);
    if (bytes.length < leastBytes) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

await runScript(async () => {
  requireBuildPackages();
  const { build } = await import('vite');
  const hash = hashSources();
  const fresh = `${webFolder}.${process.pid}.new`;
  const old = `${webFolder}.${process.pid}.old`;
  try {
    await build({
      configFile: path.join(root, 'web', 'vite.config.ts'),
      build: { outDir: fresh, emptyOutDir: true },
    });
    compressAll(fresh);
    writeFileSync(path.join(fresh, stampName), `${hash}\n`);
    if (existsSync(webFolder)) renameSync(webFolder, old);
    renameSync(fresh, webFolder);
    return 0;
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
});
