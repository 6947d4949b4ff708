// Form fields: each has a permanent label, a hint, and its own error. A refused form keeps its input.

import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useCommonTexts } from '../texts/common.ts';
import { useExplain } from '../texts/problems.ts';

type FieldLabels = {
  label: string;
  hint?: ComponentChildren;
  /** The error of the field. */
  error?: string | undefined;
  isOptional?: boolean;
};

type FrameProps = FieldLabels & {
  id: string;
  children: ComponentChildren;
};

function Frame({ id, label, hint, error, isOptional = false, children }: FrameProps) {
  const { optional } = useCommonTexts();
  return (
    <div class={error ? 'field field-wrong' : 'field'}>
      <label for={id}>
        {label} {isOptional && <span class="quiet">({optional})</span>}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

const describedBy = (id: string, { hint, error }: FieldLabels) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

type FieldErrorProps<Element extends HTMLElement> = Omit<
  JSX.AllHTMLAttributes<Element>,
  'label' | 'onChange' | 'onInput' | 'value' | 'id'
>;

export type TextFieldProps = FieldLabels & {
  value: string;
  onInput(value: string): void;
} & FieldErrorProps<HTMLInputElement>;

/** A field of one line. */
export function TextField({ label, hint, error, isOptional, value, onInput, ...rest }: TextFieldProps) {
  const id = useId();
  const around = { label, hint, error, ...(isOptional === undefined ? {} : { isOptional }) };
  return (
    <Frame id={id} {...around}>
      <input
        type="text"
        {...(rest as object)}
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, around)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  );
}

export type TextAreaProps = FieldLabels & {
  value: string;
  onInput(value: string): void;
  rows?: number;
  maxLength?: number;
};

/** A field of several lines. */
export function TextArea({ label, hint, error, isOptional, value, onInput, ...rest }: TextAreaProps) {
  const id = useId();
  const around = { label, hint, error, ...(isOptional === undefined ? {} : { isOptional }) };
  return (
    <Frame id={id} {...around}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, around)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  );
}

export type Choice = { value: string; label: string };
export type SelectFieldProps = FieldLabels & {
  value: string;
  onInput(value: string): void;
  choices: readonly Choice[];
};

/** A select field. */
export function SelectField({ label, hint, error, isOptional, value, onInput, choices }: SelectFieldProps) {
  const id = useId();
  const around = { label, hint, error, ...(isOptional === undefined ? {} : { isOptional }) };
  return (
    <Frame id={id} {...around}>
      <select
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, around)}
        onChange={(event) => onInput(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export type CheckFieldProps = {
  label: string;
  hint?: string;
  isOn: boolean;
  onInput(isOn: boolean): void;
  isLocked?: boolean;
};

/** A checkbox. */
export function CheckField({ label, hint, isOn, onInput, isLocked = false }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isLocked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onInput(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** An error message that is announced and focused when it appears. */
export function ErrorBox({ fault, children }: { fault: unknown; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  // Before the first paint: a later focus would take it from the field in which somebody already types.
  useLayoutEffect(() => {
    if (fault) box.current?.focus();
  }, [fault]);
  return (
    <div ref={box} class="notice notice-bad" role="alert" tabIndex={-1}>
      {children}
    </div>
  );
}

/**
 * Why a form was refused, announced and focused when it appears. `shown` are the fields that show their errors
 * themselves. Errors of other fields are shown here.
 */
export function FormError({ fault, shown = [] }: { fault: unknown; shown?: readonly string[] }) {
  const explain = useExplain();
  if (!fault) return null;
  const { sentence, fields, requestId } = explain(fault);
  const others = Object.entries(fields).filter(([field]) => !shown.includes(field));
  return (
    <ErrorBox fault={fault}>
      <p>{sentence}</p>
      {others.length > 0 && (
        <ul>
          {others.map(([field, said]) => (
            <li key={field}>
              {field}: {said}
            </li>
          ))}
        </ul>
      )}
      {requestId && <p class="quiet small">{requestId}</p>}
    </ErrorBox>
  );
}
