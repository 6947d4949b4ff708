// Choices of one among a few that are all to be seen: beside each other, or below each other with a word on each.

import { useId } from 'preact/hooks';

export type SwitchFieldProps<Value extends string> = {
  label: string;
  value: Value;
  onInput(value: Value): void;
  choices: readonly { value: Value; label: string; lang?: string }[];
};

/** A choice in a row, for how something is shown. Its label is for screen readers. */
export function SwitchField<Value extends string>({
  label,
  value,
  onInput,
  choices,
}: SwitchFieldProps<Value>) {
  const name = useId();
  return (
    <fieldset class="switch">
      <legend class="unseen">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} lang={choice.lang}>
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

export type RadioFieldProps<Value extends string> = {
  label: string;
  hint?: string;
  /** What is wrong with it. */
  error?: string | undefined;
  value: Value;
  onInput(value: Value): void;
  choices: readonly { value: Value; label: string; hint: string }[];
};

/** A choice of one, with what each of them means. */
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
