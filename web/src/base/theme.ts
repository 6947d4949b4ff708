// The theme: light, dark, or that of the system. It is an attribute of the document, which the stylesheet uses. It
// must be set before the first paint.

import { useState } from 'preact/hooks';
import { readStored, writeStored } from './storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function readTheme(): Theme {
  return themes.find((theme) => theme === readStored('look')) ?? 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = theme;
}

export function applyTheme(): void {
  apply(readTheme());
}

export function useTheme(): [theme: Theme, setTheme: (theme: Theme) => void] {
  const [theme, set] = useState(readTheme);
  const choose = (next: Theme) => {
    writeStored('look', next === 'system' ? null : next);
    apply(next);
    set(next);
  };
  return [theme, choose];
}
