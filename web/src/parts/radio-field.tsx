// A choice of one among a few visible options, one below the other, each with an explanation. Without explanations, use
// `Segments`.

import { useId } from 'preact/hooks';

export type RadioFieldProps<Value extends string> = {
  label: string;
  hint?: string;
  /** The error of the field. */
  error?: string | undefined;
  value: Value;
  onInput(value: Value): void;
  choices: readonly { value: Value; label: string; hint: string }[];
};

/** A choice of one, with the meaning of each option. */
export function RadioField<Value extends string>(props: RadioFieldProps<Value>) {
  const { label, hint, error, value, onInput, choices } = props;
  const id = useId();
  return (
    <fieldset class="field radios" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {choices.map((choice) => (
        <div key={choice.value} class="check">
          <input
            id={`${id}-${choice.value}`}
            type="radio"
            name={id}
            checked={choice.value === value}
            aria-describedby={`${id}-${choice.value}-hint`}
            onChange={() => onInput(choice.value)}
          />
          <label for={`${id}-${choice.value}`}>{choice.label}</label>
          <p id={`${id}-${choice.value}-hint`} class="field-hint">
            {choice.hint}
          </p>
        </div>
      ))}
      {error && <p class="field-error">{error}</p>}
    </fieldset>
  );
}
