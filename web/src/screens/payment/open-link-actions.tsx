// The actions of an open link: change its expiry, or cancel it, which can't be undone.

import { useState } from 'preact/hooks';
import type { OperationId, OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { type Expiry, expiryMoment } from '../../base/expiry.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { ExpiryField } from '../../parts/expiry-field.tsx';
import { FormError } from '../../parts/field.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { usePaymentTexts } from './texts.ts';

type Payment = OperationResponse<'getPayment'>;
type OpenLinkActionProps = { payment: Payment; close(): void };

const refreshes: readonly OperationId[] = ['getPayment', 'listPayments', 'listPaymentEvents'];

/** Cancels the link after a confirmation. */
export function CancelLink({ payment, close }: OpenLinkActionProps) {
  const texts = usePaymentTexts();
  const showToast = useShowToast();
  const act = useApiMutation('cancelPayment', {
    refreshes,
    onDone: () => {
      showToast(texts.cancelled);
      close();
    },
  });
  return (
    <Confirm
      title={texts.cancelTitle}
      act={texts.cancel}
      isWorking={act.isPending}
      fault={act.error}
      onConfirm={() => act.mutate({ path: { code: payment.PaymentLinkCode } })}
      onClose={close}
    >
      <p>{texts.cancelText}</p>
    </Confirm>
  );
}

/** Changes the expiry of the link. */
export function ChangeExpiry({ payment, close }: OpenLinkActionProps) {
  const texts = usePaymentTexts();
  const common = useCommonTexts();
  const showToast = useShowToast();
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'week', own: '' });
  const [isWrong, setIsWrong] = useState(false);
  const act = useApiMutation('updatePayment', {
    refreshes,
    onDone: () => {
      showToast(texts.expiryChanged);
      close();
    },
  });
  const { fields } = useExplain()(act.error);
  const submit = () => {
    const expiresAt = expiryMoment(expiry, new Date());
    setIsWrong(expiresAt === null);
    if (expiresAt === null || act.isPending) return;
    act.mutate({ path: { code: payment.PaymentLinkCode }, body: { expiresAt } });
  };
  return (
    <Dialog title={texts.changeExpiryTitle} onClose={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormError fault={act.error} shown={['expiresAt']} />
        <ExpiryField
          expiry={expiry}
          onInput={setExpiry}
          error={isWrong ? texts.badMoment : fields.expiresAt}
        />
        <div class="actions">
          <Button type="submit" weight="main" isWorking={act.isPending}>
            {common.save}
          </Button>
          <Button onClick={close}>{common.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
