// Keyboard shortcuts: “/” for the search, “?” for help, and others. Must not take a key while somebody types, or while
// a dialog is open.

import { useLayoutEffect } from 'preact/hooks';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/**
 * Calls the action of a key. `g p` is a sequence of two keys within a second. Keys have the names of
 * `KeyboardEvent.key`.
 */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  // As soon as a screen is rendered: a key that is pressed at once must not reach the previous screen.
  useLayoutEffect(() => {
    let before = { key: '', at: 0 };
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const isSecond = event.timeStamp - before.at < 1_000;
      const action = (isSecond && actions[`${before.key} ${event.key}`]) || actions[event.key];
      before = { key: event.key, at: event.timeStamp };
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions]);
}
