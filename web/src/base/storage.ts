// Small values in the browser's storage: language, theme, mode, drafts of forms. Storage may be disabled, full, or
// contain what an older version wrote, so nothing may depend on it.

/** A stored text; null if there is none. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`paylink.${name}`);
  } catch {
    return null;
  }
}

/** Stores a text; null deletes it. */
export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`paylink.${name}`);
    else localStorage.setItem(`paylink.${name}`, value);
  } catch {
    // Without storage it is lost with the page.
  }
}

/** A draft of this tab; null if there is none. */
export function readStoredDraft<T>(name: string): T | null {
  try {
    const text = sessionStorage.getItem(`paylink.draft.${name}`);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** Stores a draft until the tab is closed; null deletes it. */
export function writeStoredDraft(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(`paylink.draft.${name}`);
    else sessionStorage.setItem(`paylink.draft.${name}`, JSON.stringify(value));
  } catch {
    // As above.
  }
}
