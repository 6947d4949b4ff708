// Resends everything since a moment, for example after a receiver lost data.

import { useState } from 'preact/hooks';
import { localTimeZone } from '../../base/format.ts';
import { useAction } from '../../parts/action.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { useDeliveryTexts } from './delivery-texts.ts';

const hourMs = 3_600_000;
const agoMs = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;
const choices = ['hour', 'day', 'week', 'moment'] as const;
type ResendPeriod = (typeof choices)[number];

/** The chosen time, in the form of the API; null while none is chosen. */
function momentOf(choice: ResendPeriod, own: string): string | null {
  const at = choice === 'moment' ? new Date(own) : new Date(Date.now() - agoMs[choice]);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** Asks for the start, and shows how many are resent. */
export function ResendSince({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const texts = useDeliveryTexts();
  const common = useCommonTexts();
  const explain = useExplain();
  const [choice, setChoice] = useState<ResendPeriod>('hour');
  const [own, setOwn] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const resend = useAction('resendWebhookDeliveries', ({ count }) => texts.resentCount(count), {
    invalidates: ['listWebhookDeliveries'],
    onClose,
  });
  const send = () => {
    const since = momentOf(choice, own);
    setIsMissing(since === null);
    if (since !== null) resend.mutate({ path: { endpointId }, body: { since } });
  };
  return (
    <FormDialog
      title={texts.resendTitle}
      action={common.resend}
      request={resend}
      onSubmit={send}
      onClose={onClose}
    >
      <p>{texts.resendHint}</p>
      <SelectField
        label={texts.since}
        value={choice}
        choices={choices.map((value) => ({ value, label: texts.sinces[value] }))}
        onInput={setChoice}
      />
      {choice === 'moment' && (
        <TextField
          label={texts.moment}
          hint={texts.momentHint(localTimeZone())}
          error={isMissing ? texts.momentMissing : explain(resend.error).fields.since}
          type="datetime-local"
          value={own}
          onInput={setOwn}
        />
      )}
    </FormDialog>
  );
}
