// The states of a view without data: loading, failed, or empty.

import type { ComponentChildren } from 'preact';
import { useCommonTexts } from '../texts/common.ts';
import { useExplain } from '../texts/problems.ts';
import { Button } from './button.tsx';

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

/** Loading failed: why, and a button to retry. */
export function FailedState({ fault, retry }: { fault: unknown; retry?: (() => void) | undefined }) {
  const texts = useCommonTexts();
  const { sentence, requestId } = useExplain()(fault);
  return (
    <div class="notice notice-bad" role="alert">
      <p>
        <strong>{texts.failed}.</strong> {sentence}
      </p>
      {requestId && <p class="quiet small">{requestId}</p>}
      {retry && <Button onClick={retry}>{texts.retry}</Button>}
    </div>
  );
}

/** No data: what would be shown here, and what to do about it. */
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

/** Shows a response, or why there is none yet. */
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
