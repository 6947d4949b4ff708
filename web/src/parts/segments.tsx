// A choice of one among a few visible options. For keyboards and screen readers it is a group of radio
// buttons.

import { useId } from 'preact/hooks';
import type { Choice } from './field.tsx';

type SegmentsProps<Value extends string> = {
  /** What is chosen, for screen readers. */
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onInput(value: NoInfer<Value>): void;
  /** Of the fieldset. */
  class?: string;
};

/** A row of options, one of them chosen. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset class={props.class ?? 'switch'}>
      <legend class="unseen">{props.label}</legend>
      {props.choices.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={value === props.value}
            onChange={() => props.onInput(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
