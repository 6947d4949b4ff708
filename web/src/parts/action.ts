// What happens after an action: a message, and the end of its dialog.

import type { Input, OperationId, OperationResponse } from '../api/call.ts';
import { useApiMutation } from '../api/queries.ts';
import { useExplain } from '../texts/problems.ts';
import { useShowToast } from './toasts.tsx';

type ActionOptions<Id extends OperationId> = {
  invalidates?: readonly OperationId[];
  /** Closes the dialog of the action when it is done. */
  onClose?: () => void;
  onSuccess?: (response: OperationResponse<Id>, input: Input<Id>) => void;
};

/** A mutation that shows a message when it is done. */
export function useAction<Id extends OperationId>(
  id: Id,
  message: string | ((response: OperationResponse<Id>) => string),
  { invalidates = [], onClose, onSuccess }: ActionOptions<Id> = {},
) {
  const showToast = useShowToast();
  return useApiMutation(id, {
    invalidates,
    onSuccess: (response, input) => {
      showToast(typeof message === 'string' ? message : message(response));
      onClose?.();
      onSuccess?.(response, input);
    },
  });
}

/** Shows why an action failed, where there is no form for it. */
export function useShowFault(): (fault: unknown) => void {
  const showToast = useShowToast();
  const explain = useExplain();
  return (fault) => showToast(explain(fault).sentence);
}
