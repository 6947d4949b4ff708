// A dialog over the page, the browser's own: it traps the focus, closes by Escape, and restores the focus.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useCommonTexts } from '../texts/common.ts';
import { Button, type Weight } from './button.tsx';
import { FormError } from './field.tsx';

export type DialogProps = {
  title: string;
  children: ComponentChildren;
  /** Without it, the person can't close the dialog. */
  onClose?: (() => void) | undefined;
  isWide?: boolean;
};

export function Dialog({ title, children, onClose, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { close } = useCommonTexts();
  // Before the first paint, so that early typing goes into the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  // No browser lets a page prevent a repeated Escape from closing a dialog: then it is already closed.
  const closed = () => {
    if (!element.current?.isConnected) return;
    if (onClose) onClose();
    else element.current.showModal();
  };
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      closedby={onClose ? 'closerequest' : 'none'}
      onCancel={(event) => {
        event.preventDefault();
        if (event.cancelable) onClose?.();
      }}
      onClose={closed}
    >
      <header class="apart dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" class="icon-button" aria-label={close} onClick={onClose}>
            ✕
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

export type ActionFormProps = {
  action: string;
  weight?: Weight;
  request: { isPending: boolean; error: unknown };
  errorMessage?: ComponentChildren;
  /** The fields that show their errors themselves, by the API's names. */
  shown?: readonly string[];
  /** Whether the API alone checks the fields. */
  noValidate?: boolean;
  isDisabled?: boolean;
  children: ComponentChildren;
  onSubmit(): void;
  onClose(): void;
};

/** A form in a dialog: why it was refused, its fields, the action and a button to cancel. */
export function ActionForm(props: ActionFormProps) {
  const { action, weight = 'main', request, errorMessage, shown, children, onSubmit, onClose } = props;
  const { cancel } = useCommonTexts();
  return (
    <form
      class="stack"
      noValidate={props.noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        if (!request.isPending && !props.isDisabled) onSubmit();
      }}
    >
      {errorMessage ?? <FormError fault={request.error} shown={shown} />}
      {children}
      <div class="actions">
        <Button type="submit" weight={weight} disabled={props.isDisabled} isWorking={request.isPending}>
          {action}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </form>
  );
}

type FormDialogProps = ActionFormProps & Partial<Pick<DialogProps, 'title' | 'isWide'>>;

/**
 * A dialog with one form. Actions that can't be undone also ask for confirmation in it. Its title is that of the action,
 * unless it has its own; of a dangerous action, as a question.
 */
export function FormDialog({ title, isWide = false, ...form }: FormDialogProps) {
  const { action, weight, onClose } = form;
  return (
    <Dialog title={title ?? (weight === 'bad' ? `${action}?` : action)} onClose={onClose} isWide={isWide}>
      <ActionForm {...form} />
    </Dialog>
  );
}

type OnceDialogProps = Omit<DialogProps, 'onClose'> & { action: string; onClose(): void };

/** Shows what can't be shown again. Only its button closes it, so that nothing is lost by mistake. */
export function OnceDialog({ action, children, onClose, ...dialog }: OnceDialogProps) {
  return (
    <Dialog {...dialog}>
      <div class="stack">
        {children}
        <div class="actions">
          <Button weight="main" onClick={onClose}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
