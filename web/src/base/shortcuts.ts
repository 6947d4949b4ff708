// Keys that work wherever nothing is being typed: “/” for the search, “?” for help, and others. None may take a key from
// somebody who writes, or from a dialog that is open.

import { useLayoutEffect } from 'preact/hooks';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/**
 * Calls what a key is for; `g p` are two keys, one after the other within a second. The keys are as `KeyboardEvent.key`
 * names them.
 */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  // As soon as a screen is drawn: a key that is pressed at once must not go by the screen before.
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
