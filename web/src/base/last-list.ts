// The list of payments as it was looked at last in this tab, so that a payment leads back to where somebody came from.

import { readStoredDraft, writeStoredDraft } from './storage.ts';

const name = 'payments.list';

/** Remembers the filters of the list, as they stand in its address. */
export function saveLastListPath(search: string): void {
  writeStoredDraft(name, search);
}

/** Where the list is, with the filters of the last look. */
export function lastListPath(): string {
  const search = readStoredDraft<unknown>(name);
  return typeof search === 'string' && search !== '' ? `/payments?${search}` : '/payments';
}
