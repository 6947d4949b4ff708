// Small things that this browser keeps for a person: language, look, mode, drafts of forms. Storage may be switched
// off, full, or hold what an older version wrote, so nothing may depend on it.

/** A text that was kept in this browser; null when there is none. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`paylink.${name}`);
  } catch {
    return null;
  }
}

/** Keeps a text in this browser; null forgets it. */
export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`paylink.${name}`);
    else localStorage.setItem(`paylink.${name}`, value);
  } catch {
    // Without storage it is forgotten with the page.
  }
}

/** A draft of this tab; null when there is none. */
export function readStoredDraft<T>(name: string): T | null {
  try {
    const text = sessionStorage.getItem(`paylink.draft.${name}`);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** Keeps a draft until the tab is closed; null forgets it. */
export function writeStoredDraft(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(`paylink.draft.${name}`);
    else sessionStorage.setItem(`paylink.draft.${name}`, JSON.stringify(value));
  } catch {
    // As above.
  }
}
