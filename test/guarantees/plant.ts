// Small faults in the source of the product: a condition that is dropped, a comparison that is turned, a wrong mapping.
// A module is loaded once more with one of them in it, beside the sound one, and a guarantee that holds of the sound
// module must break. It must never change a file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** A text of a file of `src/`, and what stands there instead. It must be in the file exactly once. */
export type Fault = { fault: string; file: string; from: string; to: string };

const root = new URL('../../', import.meta.url);
const mark = 'planted';
const planted: { url: string; source: string }[] = [];

const markOf = (url: string | undefined) =>
  url?.startsWith(root.href) ? URL.parse(url)?.searchParams.get(mark) : null;

registerHooks({
  // What a spoiled module imports of ours is loaded beside it, so that it meets the fault wherever that is.
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isOurs = resolved.url.startsWith(`${root.href}src/`);
    const place = markOf(context.parentURL);
    if (!isOurs || place === null || place === undefined || markOf(resolved.url) !== null) return resolved;
    return { ...resolved, url: `${resolved.url}?${mark}=${place}` };
  },
  load: (url, context, next) => {
    const spoiled = planted[Number(markOf(url) ?? -1)];
    if (spoiled?.url !== url.replace(/\?.*$/, '')) return next(url, context);
    return { format: 'module-typescript', source: spoiled.source, shortCircuit: true };
  },
});

/** Loads a module with a fault in it or in what it imports. */
async function loadSpoiled<Module>(modulePath: string, { file, from, to }: Fault): Promise<Module> {
  const url = new URL(file, root).href;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  assert.equal(source.split(from).length, 2, `${file} has this text once: ${from}`);
  planted.push({ url, source: source.replace(from, () => to) });
  return await import(`${new URL(modulePath, root).href}?${mark}=${planted.length - 1}`);
}

/** One run may by chance try nothing that meets a fault. */
const runsPerFault = 5;

async function isNoticed<Module>(
  prove: (module: Module) => Promise<void>,
  spoiled: Module,
): Promise<boolean> {
  for (let run = 0; run < runsPerFault; run++) {
    const hasHeld = await prove(spoiled).then(
      () => true,
      () => false,
    );
    if (!hasHeld) return true;
  }
  return false;
}

/** `npm test` tests the guarantees; planted-faults.long.ts tests that they can break. */
const plantsFaults = process.env.TEST_PLANTED_FAULTS === 'yes';

/**
 * Tests that a guarantee holds of a module, or that each of the faults breaks it. `prove` is given the module; it must
 * do nothing that a second run of it would meet.
 */
export function guarantee<Module>(
  title: string,
  modulePath: string,
  prove: (module: Module) => Promise<void>,
  faults: readonly Fault[],
): void {
  if (!plantsFaults) {
    test(title, async () => await prove(await import(new URL(modulePath, root).href)));
    return;
  }
  for (const fault of faults)
    test(`${title}: broken where ${fault.fault}`, async () => {
      const spoiled = await loadSpoiled<Module>(modulePath, fault);
      assert.ok(await isNoticed(prove, spoiled), 'the fault is noticed');
    });
}
