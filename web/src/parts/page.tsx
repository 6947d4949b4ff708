// The frame of every screen: a title for the tab and screen readers, actions, and sections.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

type PageProps = {
  title: string;
  /** The link back, above the title. */
  above?: ComponentChildren;
  /** Actions beside the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
};

/** A screen. The title gets the focus when the screen appears, so that the keyboard starts there. */
export function Page({ title, above, actions, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Paylink`;
  }, [title]);
  // Before the first paint: a later focus would take it from an element that somebody already uses.
  useLayoutEffect(() => {
    if (!document.querySelector('dialog[open]')) head.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <div class="stack page">
      {above && <div class="page-above">{above}</div>}
      <header class="apart">
        <h1 ref={head} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = {
  title?: string;
  hint?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
};

/** A part of a screen, as a card with a heading. */
export function Section({ title, hint, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header class="apart">
          {title && <h2 id={id}>{title}</h2>}
          {actions && <div class="actions">{actions}</div>}
        </header>
      )}
      {hint && <p class="quiet">{hint}</p>}
      {children}
    </section>
  );
}

/** Names and values, side by side. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="stack-small facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
