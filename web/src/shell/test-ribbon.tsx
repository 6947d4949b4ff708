// The strip at the top of every page in test mode, with the time of the test clock while it is ahead.

import { useApiQuery } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { formatMoment } from '../base/format.ts';
import { useLanguage } from '../base/language.tsx';
import { useShellTexts } from './texts.ts';

export function TestRibbon() {
  const { may } = useSession();
  const { language } = useLanguage();
  const texts = useShellTexts();
  const { data: clock } = useApiQuery('getTestClock', {}, { isEnabled: may('payments:read') });
  const isAhead = clock !== undefined && clock.aheadSeconds > 0;
  return (
    <p class="ribbon">
      {texts.testRibbon}
      {isAhead && ` ${texts.testClock({ time: formatMoment(language, clock.at) })}`}
    </p>
  );
}
