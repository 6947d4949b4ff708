// A choice of one among a few visible options, one below the other, each with an explanation. Without explanations, use
// `Segments`.

import { useId } from 'preact/hooks';
import { type Choice, type FieldProps, Option } from './field.tsx';

type RadioFieldProps<Value extends string> = FieldProps<Value> & {
  choices: readonly (Choice<Value> & { hint: string })[];
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
        <Option
          key={choice.value}
          {...choice}
          id={`${id}-${choice.value}`}
          type="radio"
          name={id}
          value={choice.value === value}
          onChange={() => onInput(choice.value)}
        />
      ))}
      {error && <p class="field-error">{error}</p>}
    </fieldset>
  );
}
