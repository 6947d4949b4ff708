// The title of the pages that need nobody to be signed in: for the tab, for screen readers, and where the keyboard starts.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** The heading; it gets the focus when it appears, unless a field of the page shall have it. */
export function SignedOutTitle({ title, takesFocus = true }: { title: string; takesFocus?: boolean }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Paylink`;
  }, [title]);
  // Before it is drawn: a focus that comes later takes it from a field.
  useLayoutEffect(() => {
    if (takesFocus) head.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={head} tabIndex={-1}>
      {title}
    </h1>
  );
}
