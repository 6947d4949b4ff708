// Keeps the caller's line in the stack traces of errors. Timers, sockets and shared logins cut the trace that
// engines keep across `await`. So the frames are captured when the call begins, and added when it fails.

import { PaylinkError } from './errors.ts';

/** The stack of an error before a caller's frames were added. */
const stacks = new WeakMap<object, string>();

const frameLocation = (frame: string) => /\(?([^\s(]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? frame;

/** Several callers may wait for one login and get one error; each needs its own frames. */
function ownCopy(error: PaylinkError): PaylinkError {
  if (!stacks.has(error)) return error;
  return Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error)) as PaylinkError;
}

/** Runs a call that begins now. Errors of the SDK show where it was called. */
export async function withCallerStack<T>(run: () => Promise<T>): Promise<T> {
  const [, ...frames] = (new Error().stack ?? '').split('\n');
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PaylinkError)) throw error;
    const own = ownCopy(error);
    const before = stacks.get(error) ?? error.stack ?? `${error}`;
    const missing = frames.filter((frame) => !before.includes(frameLocation(frame)));
    Object.defineProperty(own, 'stack', {
      value: [before, ...missing].join('\n'),
      configurable: true,
      writable: true,
    });
    stacks.set(error, before);
    stacks.set(own, before);
    throw own;
  }
}
