// Where the keyboard starts in a form. Browsers heed `autofocus` once for each page, and this page has many forms.

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** For the form's `ref`: its first field gets the focus when the form appears, and when `changes` is another value. */
export function useFirstFocus(changes?: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  // Before it can be seen, so that nothing that is typed at once gets lost.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
  }, [changes]);
  return form;
}
