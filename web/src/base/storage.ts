// Small values in the browser's storage: language, theme, mode, drafts of forms. Storage may be disabled, full, or
// contain what an older version wrote, so nothing may depend on it.

const name = 'payments.list';

/** Stores the filters of the list, as in its URL. */
export function saveLastListPath(search: string): void {
  writeStoredDraft(name, search);
}

export function lastListPath(): string {
  const search = readStoredDraft<unknown>(name);
  return typeof search === 'string' && search !== '' ? `/payments?${search}` : '/payments';
}

export function readStored(name: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(`paylink.${name}`);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null, storage = () => localStorage): void {
  try {
    if (value === null) storage().removeItem(`paylink.${name}`);
    else storage().setItem(`paylink.${name}`, value);
  } catch {
    // Without storage it is lost with the page.
  }
}

export function readStoredDraft<T>(name: string): T | null {
  try {
    return JSON.parse(readStored(`draft.${name}`, () => sessionStorage) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

export function writeStoredDraft(name: string, value: unknown): void {
  writeStored(`draft.${name}`, value === null ? null : JSON.stringify(value), () => sessionStorage);
}
