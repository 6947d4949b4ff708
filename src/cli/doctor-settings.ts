// The checks of `paylink doctor` for what the service accepts without a word: misspelled settings, and a collector of
// traces that does not answer. Must not: print the value of a setting.

import { distance } from 'fastest-levenshtein';
import { type Config, readConfig } from '../config.ts';
import type { Target } from '../tracing/settings.ts';
import { reasonOf } from './client.ts';
import type { Environment } from './command-error.ts';
import { type CheckResult, ok, warn } from './doctor-checks.ts';

/** The names of all settings that the service reads. */
function listSettings(): string[] {
  const names = new Set<string>();
  const recording = new Proxy<Record<string, undefined>>(
    {},
    { get: (_target, name) => void names.add(String(name)) },
  );
  readConfig(recording);
  return [...names];
}

/** Short names are too similar to those of other programs: HOME and HOST. */
const shortestName = 8;
const maxTypingErrors = 2;

/** Variables that are probably misspelled settings. Null without any. */
export function checkSettingNames(env: Environment): CheckResult | null {
  const settings = listSettings();
  const misspelled = Object.keys(env).flatMap((name) => {
    if (settings.includes(name) || name.length < shortestName) return [];
    const meant = settings.find((setting) => distance(setting, name.toUpperCase()) <= maxTypingErrors);
    // A variable of another program may resemble a setting.
    return meant === undefined || env[meant] !== undefined
      ? []
      : [`${name} is not a setting. Did you mean ${meant}?`];
  });
  if (misspelled.length === 0) return null;
  return warn('names of settings', misspelled.join('\n'), 'If it is meant for Paylink, correct the name.');
}

const answerWithinMs = 3_000;

/** Whether a collector answers, whatever it answers. Null if it does. */
async function queryCollector({ url }: Target): Promise<string | null> {
  const address = new URL(url);
  const { host } = address;
  // fetch refuses an address with a password, and its message names it.
  address.username = '';
  address.password = '';
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    await (await fetch(address, { method: 'HEAD', signal, redirect: 'manual' })).body?.cancel();
    return null;
  } catch (error) {
    return `the OpenTelemetry collector at ${host} does not respond (${reasonOf(error)}).`;
  }
}

/** Whether the settings of OpenTelemetry are valid, and its collectors respond. Null if it is not set up. */
export async function checkTracing({ tracing }: Config): Promise<CheckResult | null> {
  if (!tracing) return null;
  const { faults, traces, metrics } = tracing;
  if (faults.length > 0) return warn('traces', faults.join('\n'), 'See docs/tracing.md.');
  const targets = [traces, metrics].filter((target) => target !== null);
  const hosts = new Map(targets.map((target) => [new URL(target.url).host, target]));
  const silent = (await Promise.all([...hosts.values()].map(queryCollector))).filter((why) => why !== null);
  if (silent.length === 0) return ok('traces', `${[...hosts.keys()].join(' and ')} responds`);
  return warn(
    'traces',
    silent.map((why) => `Payments go on, but ${why}`).join('\n'),
    'Check the collector and OTEL_EXPORTER_OTLP_ENDPOINT.',
  );
}
