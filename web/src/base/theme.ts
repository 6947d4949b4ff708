// Light, dark, or as the device has it. The choice stands as an attribute of the document, and the stylesheet does the
// rest; it must be set before anything is drawn.

import { useState } from 'preact/hooks';
import { readStored, writeStored } from './storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

function readTheme(): Theme {
  return themes.find((theme) => theme === readStored('look')) ?? 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = theme;
}

/** Draws the page in the look that was chosen in this browser. */
export function applyTheme(): void {
  apply(readTheme());
}

/** The look, and how to choose another. */
export function useTheme(): [look: Theme, setLook: (theme: Theme) => void] {
  const [theme, set] = useState(readTheme);
  const choose = (next: Theme) => {
    writeStored('look', next === 'system' ? null : next);
    apply(next);
    set(next);
  };
  return [theme, choose];
}
