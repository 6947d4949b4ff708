// The title of the pages without a session: for the tab, for screen readers, and as the initial focus.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** The heading. It gets the focus when it appears, unless a field of the page gets it. */
export function SignedOutTitle({ title, takesFocus = true }: { title: string; takesFocus?: boolean }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Paylink`;
  }, [title]);
  // Before the first paint: a later focus would take it from a field.
  useLayoutEffect(() => {
    if (takesFocus) head.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={head} tabIndex={-1}>
      {title}
    </h1>
  );
}
