// Plants small faults in the source of the product. A module is loaded a second time with one fault in it, and a
// guarantee that holds for the correct module must break. Must never change a file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

/**
 * Faults by the path of their file, by a text that the file contains exactly once, and by their title: what replaces the
 * text.
 */
export type Faults = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

type Fault = { title: string; file: string; from: string; to: string };

const root = new URL('../../', import.meta.url);
const mark = 'planted';
const planted: { url: string; source: string }[] = [];

const markOf = (url: string | undefined) =>
  url?.startsWith(root.href) ? URL.parse(url)?.searchParams.get(mark) : null;

registerHooks({
  // Modules that a faulty module imports are loaded again too, so that the fault takes effect wherever it is.
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isOurs = resolved.url.startsWith(`${root.href}src/`);
    const index = markOf(context.parentURL);
    if (!isOurs || index === null || index === undefined || markOf(resolved.url) !== null) return resolved;
    return { ...resolved, url: `${resolved.url}?${mark}=${index}` };
  },
  load: (url, context, next) => {
    const faulty = planted[Number(markOf(url) ?? -1)];
    if (faulty?.url !== url.replace(/\?.*$/, '')) return next(url, context);
    return { format: 'module-typescript', source: faulty.source, shortCircuit: true };
  },
});

function listFaults(faults: Faults): Fault[] {
  return Object.entries(faults).flatMap(([file, texts]) =>
    Object.entries(texts).flatMap(([from, titles]) =>
      Object.entries(titles).map(([title, to]) => ({ title, file, from, to })),
    ),
  );
}

/** Loads a module with a fault in it or in what it imports. */
async function loadFaulty<Module>(modulePath: string, { file, from, to }: Fault): Promise<Module> {
  const url = new URL(file, root).href;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  assert.equal(source.split(from).length, 2, `${file} must contain this text once: ${from}`);
  planted.push({ url, source: source.replace(from, () => to) });
  return await import(`${new URL(modulePath, root).href}?${mark}=${planted.length - 1}`);
}

/** A random run may miss the fault by chance. */
const runsPerFault = 5;

async function isDetected<Module>(
  prove: (module: Module) => Promise<void>,
  faulty: Module,
): Promise<boolean> {
  for (let run = 0; run < runsPerFault; run++) {
    const holds = await prove(faulty).then(
      () => true,
      () => false,
    );
    if (!holds) return true;
  }
  return false;
}

/** `npm test` tests the guarantees; planted-faults.long.ts tests that each fault breaks them. */
const plantsFaults = process.env.TEST_PLANTED_FAULTS === 'yes';
// A planted fault needs no smallest counterexample, and the search for one takes most of the time.
if (plantsFaults) fc.configureGlobal({ endOnFailure: true });

/**
 * Tests that a guarantee holds for a module, or that each fault breaks it. `prove` may run several times, so its runs
 * must not affect each other.
 */
export function guarantee<Module>(
  title: string,
  modulePath: string,
  prove: (module: Module) => Promise<void>,
  faults: Faults,
): void {
  if (!plantsFaults) {
    test(title, async () => await prove(await import(new URL(modulePath, root).href)));
    return;
  }
  for (const fault of listFaults(faults))
    test(`${title}: broken where ${fault.title}`, async () => {
      const faulty = await loadFaulty<Module>(modulePath, fault);
      assert.ok(await isDetected(prove, faulty), 'the fault is detected');
    });
}
