// Form fields: each has a permanent label, a hint, and its own error. A refused form keeps its input.

import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCommonTexts } from '../texts/common.ts';
import { useExplain } from '../texts/problems.ts';
import { RequestId } from './request-id.tsx';

type SegmentsProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onInput(value: NoInfer<Value>): void;
  class?: string;
};

/** For keyboards and screen readers it is a group of radio buttons. */
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

type DayRangeProps = {
  from: string;
  to: string;
  onInput(changes: { from: string } | { to: string }): void;
};

export function DayRange({ from, to, onInput }: DayRangeProps) {
  const texts = useCommonTexts();
  const shared = { type: 'date' } as const;
  return (
    <>
      <TextField
        {...shared}
        label={texts.from}
        value={from}
        {...(to ? { max: to } : {})}
        onInput={(day) => onInput({ from: day })}
      />
      <TextField
        {...shared}
        label={texts.to}
        value={to}
        {...(from ? { min: from } : {})}
        onInput={(day) => onInput({ to: day })}
      />
    </>
  );
}

type FieldLabels = {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  isOptional?: boolean | undefined;
};

type FrameProps = FieldLabels & {
  id: string;
  children: ComponentChildren;
};

function Note({ id, kind, text }: { id: string; kind: 'hint' | 'error'; text?: ComponentChildren }) {
  if (!text) return null;
  return (
    <p id={`${id}-${kind}`} class={`field-${kind}`}>
      {text}
    </p>
  );
}

function Frame({ id, label, hint, error, isOptional = false, children }: FrameProps) {
  const { optional } = useCommonTexts();
  return (
    <div class={error ? 'field field-wrong' : 'field'}>
      <label for={id}>
        {label} {isOptional && <span class="quiet">({optional})</span>}
      </label>
      {children}
      <Note id={id} kind="hint" text={hint} />
      <Note id={id} kind="error" text={error} />
    </div>
  );
}

type FieldErrorProps<Element extends HTMLElement> = Omit<
  JSX.AllHTMLAttributes<Element>,
  'label' | 'onChange' | 'onInput' | 'value' | 'id'
>;

export type FieldProps<Value> = FieldLabels & { value: Value; onInput(value: NoInfer<Value>): void };

/** The labels of a field, and the attributes that connect its element with them. */
function useLabels({ label, hint, error, isOptional = false }: FieldLabels) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    labels: { id, label, hint, error, isOptional },
    attributes: {
      id,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': describedBy || undefined,
    } as const,
  };
}

type TextFieldProps = FieldProps<string> & FieldErrorProps<HTMLInputElement>;

export function TextField({ label, hint, error, isOptional, value, onInput, ...rest }: TextFieldProps) {
  const { labels, attributes } = useLabels({ label, hint, error, isOptional });
  return (
    <Frame {...labels}>
      <input
        type="text"
        {...(rest as object)}
        {...attributes}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  );
}

export function TextArea(props: FieldProps<string> & { rows?: number; maxLength: number }) {
  const { labels, attributes } = useLabels(props);
  const { value, rows = 3, maxLength, onInput } = props;
  return (
    <Frame {...labels}>
      <textarea
        {...{ ...attributes, rows, maxLength, value }}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  );
}

export type Choice<Value extends string = string> = { value: Value; label: string };

export function SelectField<Value extends string>(
  props: FieldProps<Value> & { choices: readonly Choice<Value>[] },
) {
  const { labels, attributes } = useLabels(props);
  const { value, choices, onInput } = props;
  return (
    <Frame {...labels}>
      <select {...attributes} value={value} onChange={(event) => onInput(event.currentTarget.value as Value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/**
 * Connects fields with the values and errors of a form, as in `<TextField {...field('email')} />`. The API may have
 * another name for the error of a field.
 */
export function bindFields<Values extends object>(
  values: Values,
  change: (part: Partial<Values>) => void,
  errors: Readonly<Record<string, string | undefined>>,
) {
  return <Name extends keyof Values & string>(name: Name, errorName: string = name) => ({
    value: values[name],
    error: errors[errorName],
    onInput: (value: Values[Name]) => change({ [name]: value } as unknown as Partial<Values>),
  });
}

/** The values of a form, and its fields as by `bindFields`. `fault` is the error of its request. */
export function useFields<Values extends object>(first: Values, fault: unknown) {
  const [values, setValues] = useState(first);
  const { fields } = useExplain()(fault);
  const change = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }));
  return { values, field: bindFields(values, change, fields) };
}

type OptionProps = {
  id: string;
  type: 'checkbox' | 'radio';
  name?: string;
  label: string;
  hint?: string | undefined;
  value: boolean;
  isLocked?: boolean;
  onChange(isOn: boolean): void;
};

function Option({ id, type, name, label, hint, value, isLocked = false, onChange }: OptionProps) {
  return (
    <div class="check">
      <input
        {...{ id, type, name }}
        checked={value}
        disabled={isLocked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <Note id={id} kind="hint" text={hint} />
    </div>
  );
}

type CheckFieldProps = {
  label: string;
  hint?: string;
  value: boolean;
  onInput(isOn: boolean): void;
  isLocked?: boolean;
};

export function CheckField({ onInput, ...rest }: CheckFieldProps) {
  return <Option {...rest} id={useId()} type="checkbox" onChange={onInput} />;
}

type FieldGroupProps = FieldLabels & { class?: string; children: ComponentChildren };

/** Several inputs with one heading, one hint and one error. */
export function FieldGroup({ class: name = 'field radios', children, ...labels }: FieldGroupProps) {
  const { label, hint, error } = labels;
  const { id, 'aria-describedby': describedBy } = useLabels(labels).attributes;
  return (
    <fieldset class={name} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <Note id={id} kind="hint" text={hint} />
      {children}
      <Note id={id} kind="error" text={error} />
    </fieldset>
  );
}

type RadioFieldProps<Value extends string> = FieldProps<Value> & {
  choices: readonly (Choice<Value> & { hint?: string | undefined })[];
  class?: string;
  /** What belongs to the choice, below it. */
  children?: ComponentChildren;
};

export function RadioField<Value extends string>(props: RadioFieldProps<Value>) {
  const { value, onInput, choices, children, ...group } = props;
  const id = useId();
  return (
    <FieldGroup {...group}>
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
      {children}
    </FieldGroup>
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
export function FormError({ fault, shown = [] }: { fault: unknown; shown?: readonly string[] | undefined }) {
  const explain = useExplain();
  if (!fault) return null;
  const { sentence, fields, requestId } = explain(fault);
  const others = Object.entries(fields).filter(([field]) => !shown.includes(field));
  return (
    <ErrorBox fault={fault}>
      <p>{sentence}</p>
      {others.length > 0 && (
        <ul>
          {others.map(([field, text]) => (
            <li key={field}>
              {field}: {text}
            </li>
          ))}
        </ul>
      )}
      {requestId && <RequestId id={requestId} />}
    </ErrorBox>
  );
}
