// The parts of the pages without a session: a title, which is also that of the tab, and a form below it.

import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AsyncTask } from '../../base/async-task.ts';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';

/** A `ref` for a form: focuses its first field when the form appears, and when `changes` has another value. */
function useFirstFocus(changes?: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  // Before the first paint, so that no early typing gets lost.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
  }, [changes]);
  return form;
}

/** The heading. It gets the focus when it appears, unless a field of the page gets it. */
function SignedOutTitle({ title, takesFocus = true }: { title: string; takesFocus?: boolean }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Paylink`;
  }, [title]);
  // Before the first paint: a later focus would take it from a field.
  useLayoutEffect(() => {
    if (takesFocus) head.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={head} tabIndex={-1}>
      {title}
    </h1>
  );
}

export type SignedOutFormProps = {
  /** Null if the title is shown elsewhere. */
  title: ComponentChildren;
  lead?: string;
  action: string;
  task: AsyncTask;
  errorMessage?: ComponentChildren;
  shown?: readonly string[];
  /** The first field gets the focus again when this changes. */
  focusKey?: unknown;
  onSubmit(): void;
  children: ComponentChildren;
  below?: ComponentChildren;
};

export function SignedOutForm(props: SignedOutFormProps) {
  const { title, lead, action, task, errorMessage, shown, focusKey, onSubmit, children, below } = props;
  const form = useFirstFocus(focusKey);
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {typeof title === 'string' ? <SignedOutTitle title={title} takesFocus={false} /> : title}
      {lead && <p>{lead}</p>}
      {errorMessage ?? <FormError fault={task.fault} shown={shown} />}
      {children}
      <Button type="submit" weight="main" isWorking={task.isWorking}>
        {action}
      </Button>
      {below}
    </form>
  );
}

type SignedOutEndProps = { title: string; text: ComponentChildren; children: ComponentChildren };

/** What replaces a form: its result, or why it can't be used. */
export function SignedOutEnd({ title, text, children }: SignedOutEndProps) {
  return (
    <div class="stack">
      <SignedOutTitle title={title} />
      <p>{text}</p>
      {children}
    </div>
  );
}
