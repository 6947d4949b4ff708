// Sets the initial focus in a form. Browsers apply `autofocus` once for each page, and this page has many forms.

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A `ref` for a form: focuses its first field when the form appears, and when `changes` has another value. */
export function useFirstFocus(changes?: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  // Before the first paint, so that no early typing gets lost.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
  }, [changes]);
  return form;
}
