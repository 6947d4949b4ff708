// The list of payments as it was looked at last in this tab, so that a payment leads back to where somebody came from.

import { keepDraft, keptDraft } from './keep.ts';

const name = 'payments.list';

/** Remembers the filters of the list, as they stand in its address. */
export function keepLastList(search: string): void {
  keepDraft(name, search);
}

/** Where the list is, with the filters of the last look. */
export function lastListPath(): string {
  const search = keptDraft<unknown>(name);
  return typeof search === 'string' && search !== '' ? `/payments?${search}` : '/payments';
}
