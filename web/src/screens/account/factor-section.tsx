// One of the second factors: its name, what it is or how it stands, and what can be done.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of the section of second factors. */
export function FactorSection(props: {
  title: string;
  /** What can be done, beside the title. */
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="factor stack" aria-labelledby={id}>
      <header class="card-head">
        <h3 id={id}>{props.title}</h3>
        {props.action && <div class="actions">{props.action}</div>}
      </header>
      {props.children}
    </section>
  );
}
