// Why a file of the dashboard could not be loaded. A browser does not say.

import { UnreachableError } from './call.ts';

/** A file of the dashboard is gone, because the service was updated after the page was opened. */
export class OutdatedError extends Error {}

/** Whether the service responds at all. */
export async function isReachable(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Loads a file of the dashboard.
 * @throws {UnreachableError} if the service does not respond.
 * @throws {OutdatedError} if the service responds, but the file cannot be loaded.
 */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (await isReachable()) throw new OutdatedError('the file cannot be loaded', { cause });
    throw new UnreachableError('no response', { cause });
  }
}
