// How a status and a duration of a request are shown.

import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Badge, type Tone } from '../../parts/values.tsx';

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'busy' : 'good';
}

/** The status, with the error code if there is one. */
export function StatusBadge({ status, errorCode }: { status: number; errorCode: string | null }) {
  return (
    <span class="stacked">
      <Badge tone={toneOf(status)}>{String(status)}</Badge>
      {errorCode && <code class="small">{errorCode}</code>}
    </span>
  );
}

export function RequestDuration({ ms }: { ms: number }) {
  const { language } = useLanguage();
  return <span class="number">{formatCount(language, ms)} ms</span>;
}
