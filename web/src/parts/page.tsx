// The frame of every screen: a title for the tab and screen readers, actions, and sections. Also the states of a view
// without data: loading, failed, or empty.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useCommonTexts } from '../texts/common.ts';
import { useExplain } from '../texts/problems.ts';
import { Button } from './button.tsx';
import { RequestId } from './request-id.tsx';

/** While data is loading; invisible at first, so that fast responses don't flicker. */
export function LoadingState({ rows = 3 }: { rows?: number }) {
  const { loading } = useCommonTexts();
  return (
    <div class="loading" role="status" aria-label={loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="loading-row" aria-hidden="true" />
      ))}
    </div>
  );
}

export function FailedState({ fault, retry }: { fault: unknown; retry?: (() => void) | undefined }) {
  const texts = useCommonTexts();
  const { sentence, requestId } = useExplain()(fault);
  return (
    <div class="notice notice-bad" role="alert">
      <p>
        <strong>{texts.failed}.</strong> {sentence}
      </p>
      {requestId && <RequestId id={requestId} />}
      {retry && <Button onClick={retry}>{texts.retry}</Button>}
    </div>
  );
}

export function EmptyState(props: { title: string; hint?: string; children?: ComponentChildren }) {
  const { title, hint, children } = props;
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}

type QueryState = { isPending: boolean; error: unknown; refetch(): unknown };

export function QueryContent<T>({
  result,
  children,
  rows,
}: {
  result: QueryState & { data: T | undefined };
  children: (data: T) => ComponentChildren;
  rows?: number;
}) {
  if (result.data !== undefined) return <>{children(result.data)}</>;
  if (result.error) return <FailedState fault={result.error} retry={() => void result.refetch()} />;
  return <LoadingState {...(rows === undefined ? {} : { rows })} />;
}

type PageProps = {
  title: string;
  above?: ComponentChildren;
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

type FactsProps = {
  items: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
  class?: string;
};

export function Facts({ items, class: more = '' }: FactsProps) {
  return (
    <dl class={`stack-small facts ${more}`}>
      {items.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
