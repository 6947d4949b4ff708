// The last state of the list of payments in this tab, so that a payment links back to it.

import { readStoredDraft, writeStoredDraft } from './storage.ts';

const name = 'payments.list';

/** Stores the filters of the list, as in its URL. */
export function saveLastListPath(search: string): void {
  writeStoredDraft(name, search);
}

/** The path of the list, with the last filters. */
export function lastListPath(): string {
  const search = readStoredDraft<unknown>(name);
  return typeof search === 'string' && search !== '' ? `/payments?${search}` : '/payments';
}
