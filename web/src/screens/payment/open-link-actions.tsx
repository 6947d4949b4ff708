// The actions of an open link: change its expiry, or cancel it, which can't be undone.

import { useState } from 'preact/hooks';
import type { OperationId, OperationResponse } from '../../api/call.ts';
import { type Expiry, expiryMoment } from '../../base/expiry.ts';
import { useAction } from '../../parts/action.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { ExpiryField } from '../../parts/expiry-field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { usePaymentTexts } from './texts.ts';

type Payment = OperationResponse<'getPayment'>;
type DialogProps = { payment: Payment; onClose(): void };

const invalidates: readonly OperationId[] = ['getPayment', 'listPayments', 'listPaymentEvents'];

/** Cancels the link after a confirmation. */
export function CancelLink({ payment, onClose }: DialogProps) {
  const texts = usePaymentTexts();
  const cancel = useAction('cancelPayment', texts.cancelled, { invalidates, onClose });
  return (
    <FormDialog
      title={texts.cancelTitle}
      action={texts.cancel}
      weight="bad"
      request={cancel}
      onSubmit={() => cancel.mutate({ path: { code: payment.PaymentLinkCode } })}
      onClose={onClose}
    >
      <p>{texts.cancelText}</p>
    </FormDialog>
  );
}

/** Changes the expiry of the link. */
export function ChangeExpiry({ payment, onClose }: DialogProps) {
  const texts = usePaymentTexts();
  const { save } = useCommonTexts();
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'week', own: '' });
  const [isInvalid, setIsInvalid] = useState(false);
  const update = useAction('updatePayment', texts.expiryChanged, { invalidates, onClose });
  const { fields } = useExplain()(update.error);
  const submit = () => {
    const expiresAt = expiryMoment(expiry, new Date());
    setIsInvalid(expiresAt === null);
    if (expiresAt) update.mutate({ path: { code: payment.PaymentLinkCode }, body: { expiresAt } });
  };
  return (
    <FormDialog
      title={texts.changeExpiry}
      action={save}
      request={update}
      shown={['expiresAt']}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <ExpiryField
        expiry={expiry}
        onInput={setExpiry}
        error={isInvalid ? texts.invalidTime : fields.expiresAt}
      />
    </FormDialog>
  );
}
