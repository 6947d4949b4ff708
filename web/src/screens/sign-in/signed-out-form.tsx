// The parts of the pages without a session: a title, which is also that of the tab, and a form below it.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AsyncTask } from '../../base/async-task.ts';
import { useFirstFocus } from '../../base/first-focus.ts';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';

/** The heading. It gets the focus when it appears, unless a field of the page gets it. */
export function SignedOutTitle({ title, takesFocus = true }: { title: string; takesFocus?: boolean }) {
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
  /** The label of the action. */
  action: string;
  task: AsyncTask;
  /** Replaces the message of an error. */
  errorMessage?: ComponentChildren;
  /** The fields that show their errors themselves. */
  shown?: readonly string[];
  /** The first field gets the focus again when this changes. */
  focusKey?: unknown;
  onSubmit(): void;
  children: ComponentChildren;
  /** Content below the button. */
  below?: ComponentChildren;
};

/** A form with one action. */
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
