// A choice of one among a few visible options. For keyboards and screen readers it is a group of radio
// buttons.

import { useId } from 'preact/hooks';
import type { Choice } from './field.tsx';

export type SegmentsProps = {
  /** What is chosen, for screen readers. */
  label: string;
  value: string;
  choices: readonly Choice[];
  onInput(value: string): void;
};

/** A row of options, one of them chosen. */
export function Segments({ label, value, choices, onInput }: SegmentsProps) {
  const name = useId();
  return (
    <fieldset class="switch">
      <legend class="unseen">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onInput(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
