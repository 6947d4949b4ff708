// Light, dark, or as the device has it. The choice stands as an attribute of the document, and the stylesheet does the
// rest; it must be set before anything is drawn.

import { useState } from 'preact/hooks';
import { keep, kept } from './keep.ts';

export const looks = ['system', 'light', 'dark'] as const;
export type Look = (typeof looks)[number];

function readLook(): Look {
  return looks.find((look) => look === kept('look')) ?? 'system';
}

function apply(look: Look): void {
  if (look === 'system') delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = look;
}

/** Draws the page in the look that was chosen in this browser. */
export function applyLook(): void {
  apply(readLook());
}

/** The look, and how to choose another. */
export function useLook(): [look: Look, setLook: (look: Look) => void] {
  const [look, set] = useState(readLook);
  const choose = (next: Look) => {
    keep('look', next === 'system' ? null : next);
    apply(next);
    set(next);
  };
  return [look, choose];
}
