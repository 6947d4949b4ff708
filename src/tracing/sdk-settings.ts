// The settings that the SDK of OpenTelemetry reads itself. It ignores a wrong one without a word, so they are checked
// here by its rules. Must not: show a value that may be a secret.

import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Returns undefined for a variable that is unset or empty. */
export type Read = (name: string) => string | undefined;
export type Signal = 'traces' | 'metrics';

/** Why a value is wrong, as the end of the sentence `NAME is ignored: …`; null if it is right. */
type Check = (text: string) => string | null;

const maxAttributeLength = 255;

/** Percent encoding decoded; null if it is wrong. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return null;
  }
}

/** Whether each item is name=value. */
function arePairs(text: string, isPair: (name: string, value: string) => boolean): boolean {
  const items = text.split(',').filter((item) => item.trim() !== '');
  return items.every((item) => {
    const [name, value] = [item.split('=', 1)[0] ?? '', item.slice(item.indexOf('=') + 1)].map(decode);
    return item.includes('=') && !!name && typeof value === 'string' && isPair(name, value);
  });
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return value !== '';
  } catch {
    return false;
  }
}

const checkTimeout: Check = (text) =>
  Number.isFinite(Number(text)) && Number(text) > 0
    ? null
    : `it must be a number of milliseconds above 0, not "${text}"`;

const checkCompression: Check = (text) =>
  ['gzip', 'none'].includes(text) ? null : `it must be gzip or none, not "${text}"`;

const checkFile: Check = (path) => {
  try {
    readFileSync(path);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
    return `it must be the path of a file that Paylink can read (${code})`;
  }
};

/** Settings of the connection. A setting of a signal comes before the one of both. */
const ofConnection: Readonly<Record<string, Check>> = {
  TIMEOUT: checkTimeout,
  COMPRESSION: checkCompression,
  CERTIFICATE: checkFile,
  CLIENT_CERTIFICATE: checkFile,
  CLIENT_KEY: checkFile,
};

function checkHeaders(name: string, text: string): string | null {
  const isRight = !text.includes(';') && arePairs(text, isHeader);
  return isRight
    ? null
    : `${name} is not sent as it is: it must be name=value,name=value, with %2C, %3B and %25 for a comma, a semicolon and a percent sign.`;
}

function checkAttributes(text: string): string | null {
  const isShort = (part: string) => part.length <= maxAttributeLength;
  const hasOneSign = text.split(',').every((item) => item.split('=').length <= 2);
  const isRight = hasOneSign && arePairs(text, (name, value) => isShort(name) && isShort(value));
  return isRight
    ? null
    : `OTEL_RESOURCE_ATTRIBUTES is ignored: it must be name=value,name=value, each of at most ${maxAttributeLength} characters, with %2C, %3D and %25 for a comma, an equals sign and a percent sign.`;
}

/** One sentence for each wrong setting that concerns these signals. */
export function checkSdkSettings(read: Read, signals: readonly Signal[]): string[] {
  if (signals.length === 0) return [];
  const namesOf = (signal: Signal, what: string) => [
    `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`,
    `OTEL_EXPORTER_OTLP_${what}`,
  ];
  const faults = signals.flatMap((signal) => [
    ...Object.entries(ofConnection).map(([what, check]) => {
      const name = namesOf(signal, what).find((each) => read(each) !== undefined);
      const why = name === undefined ? null : check(read(name) ?? '');
      return why && `${name} is ignored: ${why}.`;
    }),
    // Both are sent.
    ...namesOf(signal, 'HEADERS').map((name) => checkHeaders(name, read(name) ?? '')),
  ]);
  const all = [checkAttributes(read('OTEL_RESOURCE_ATTRIBUTES') ?? ''), ...faults];
  return [...new Set(all)].filter((fault) => fault !== null);
}
