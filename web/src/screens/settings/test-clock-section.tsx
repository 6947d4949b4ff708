// The test clock: the time of the company in test mode, and buttons that move it forward.

import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatMoment } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Facts, QueryContent, Section } from '../../parts/page.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useSettingsTexts } from './texts.ts';

const steps = { hour: 'PT1H', day: 'P1D', week: 'P7D' } as const;
const names = ['hour', 'day', 'week'] as const;

export function TestClockSection() {
  const { may } = useSession();
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const showToast = useShowToast();
  const clock = useApiQuery('getTestClock', {});
  const advance = useApiMutation('advanceTestClock', {
    invalidates: ['getTestClock'],
    onSuccess: ({ isComplete }) => showToast(isComplete ? texts.clockMoved : texts.clockWorking),
  });
  return (
    <Section title={texts.clock} hint={texts.clockHint}>
      <QueryContent result={clock} rows={1}>
        {({ at, aheadSeconds }) => {
          const time = formatMoment(language, at);
          return <Facts items={[[texts.clockTime, aheadSeconds > 0 ? time : texts.clockReal({ time })]]} />;
        }}
      </QueryContent>
      {may('payments:create') && (
        <div class="actions">
          {names.map((name) => (
            <Button
              key={name}
              isWorking={advance.isPending && advance.variables?.body.by === steps[name]}
              onClick={() => advance.mutate({ body: { by: steps[name] } })}
            >
              {texts.forward[name]}
            </Button>
          ))}
        </div>
      )}
      <FormError fault={advance.error} />
    </Section>
  );
}
