// Small values in the browser's storage: language, theme, mode, drafts of forms. Storage may be disabled, full, or
// contain what an older version wrote, so nothing may depend on it.

/** A stored text; null if there is none. */
export function readStored(name: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(`paylink.${name}`);
  } catch {
    return null;
  }
}

/** Stores a text; null deletes it. */
export function writeStored(name: string, value: string | null, storage = () => localStorage): void {
  try {
    if (value === null) storage().removeItem(`paylink.${name}`);
    else storage().setItem(`paylink.${name}`, value);
  } catch {
    // Without storage it is lost with the page.
  }
}

/** A draft of this tab; null if there is none. */
export function readStoredDraft<T>(name: string): T | null {
  try {
    return JSON.parse(readStored(`draft.${name}`, () => sessionStorage) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Stores a draft until the tab is closed; null deletes it. */
export function writeStoredDraft(name: string, value: unknown): void {
  writeStored(`draft.${name}`, value === null ? null : JSON.stringify(value), () => sessionStorage);
}
