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

/** Open while it is rendered. */
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
      <header class="dialog-head">
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

export type ConfirmProps = {
  title: string;
  /** What will happen, and what can't be undone. */
  children: ComponentChildren;
  /** The label of the action, such as “Cancel the payment”. */
  act: string;
  weight?: Weight;
  isWorking?: boolean;
  fault?: unknown;
  onConfirm(): void;
  onClose(): void;
};

/** Asks for confirmation before an action that can't be undone. */
export function Confirm({
  title,
  children,
  act,
  weight = 'bad',
  isWorking,
  fault,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const { cancel } = useCommonTexts();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWorking) onConfirm();
        }}
      >
        <FormError fault={fault} />
        {children}
        <div class="actions">
          <Button type="submit" weight={weight} isWorking={isWorking ?? false}>
            {act}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
