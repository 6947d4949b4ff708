// Navigation between the rows of the list: by keys from link to link, and by a click anywhere in a row.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useShortcuts } from '../../base/shortcuts.ts';

function linksIn(list: HTMLElement | null): HTMLAnchorElement[] {
  return [...(list?.querySelectorAll<HTMLAnchorElement>('a.row-link') ?? [])];
}

/** Moves the focus by so many rows; from outside of the list, to its first row. */
function step(list: HTMLElement | null, by: number): void {
  const links = linksIn(list);
  const here = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = links[here < 0 ? 0 : Math.min(links.length - 1, Math.max(0, here + by))];
  next?.focus();
}

/** A click in a row follows its link, unless it was on a link or a button, or selected text. */
function followRow(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a, button, input')) return;
  if (getSelection()?.toString()) return;
  const link = target.closest('tbody tr')?.querySelector<HTMLAnchorElement>('a.row-link');
  link?.dispatchEvent(new MouseEvent('click', event));
}

/** Props for the list, and how to focus its first row. */
export function useRows() {
  const list = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => ({ j: () => step(list.current, 1), k: () => step(list.current, -1) }), []);
  useShortcuts(keys);
  useEffect(() => {
    const element = list.current;
    element?.addEventListener('click', followRow);
    return () => element?.removeEventListener('click', followRow);
  }, []);
  return { list, focusFirst: () => linksIn(list.current)[0]?.focus() };
}
