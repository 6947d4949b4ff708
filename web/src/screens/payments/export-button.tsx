// The export of the filtered list, as a file. It shows its progress, and can be cancelled. An incomplete file is not
// saved.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useApi } from '../../api/queries.ts';
import { formatSize } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { saveFile } from '../../base/save-file.ts';
import { Button } from '../../parts/button.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { type ExportProgress, readExport } from './export-file.ts';
import type { PaymentQuery } from './filters.ts';
import { usePaymentsTexts } from './texts.ts';

export type Export = {
  progress: ExportProgress | null;
  fault: unknown;
  start(query: PaymentQuery): Promise<void>;
  stop(): void;
};

const nothingYet: ExportProgress = { payments: 0, bytes: 0 };

function fileName(now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `payments-${day.join('-')}.csv`;
}

/** An export that can be started. Leaving the screen cancels it. */
export function useExport(): Export {
  const api = useApi();
  const showToast = useShowToast();
  const { export: texts } = usePaymentsTexts();
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);
  const start = async ({ sort: _, ...query }: PaymentQuery) => {
    if (running.current) return;
    const stopping = new AbortController();
    running.current = stopping;
    setFault(null);
    setProgress(nothingYet);
    try {
      const input = { query: { ...query, format: 'csv' as const } };
      const response = await api.fetch('exportPayments', input, { signal: stopping.signal });
      let last = nothingYet;
      const file = await readExport(response, (now) => {
        last = now;
        setProgress(now);
      });
      saveFile(fileName(new Date()), file);
      showToast(texts.done({ count: last.payments }));
    } catch (refusal) {
      if (!stopping.signal.aborted) setFault(refusal);
    } finally {
      running.current = null;
      setProgress(null);
    }
  };
  return { progress, fault, start, stop };
}

export function ExportNotice({ running, again }: { running: Export; again(): void }) {
  const { export: texts } = usePaymentsTexts();
  const { cancel } = useCommonTexts();
  const { language } = useLanguage();
  const explain = useExplain();
  const { progress, fault, stop } = running;
  if (progress)
    return (
      <div class="notice export-notice">
        <p role="status">
          <strong>{texts.title}.</strong>{' '}
          {texts.running({ count: progress.payments, size: formatSize(language, progress.bytes) })}
        </p>
        <progress aria-label={texts.title} />
        <Button isSmall onClick={stop}>
          {cancel}
        </Button>
      </div>
    );
  if (!fault) return null;
  const isRefused = fault instanceof Error && fault.name === 'ApiProblem';
  return (
    <div class="notice notice-bad" role="alert">
      <p>{isRefused ? explain(fault).sentence : texts.broken}</p>
      <Button isSmall onClick={again}>
        {texts.again}
      </Button>
    </div>
  );
}
