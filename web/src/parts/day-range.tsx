// Two date fields, the first and the last day, both inclusive. Lists store them in the URL.

import { TextField } from './field.tsx';

type DayRangeProps = {
  from: string;
  to: string;
  fromLabel: string;
  toLabel: string;
  onInput(changes: { from: string } | { to: string }): void;
};

/** The first and the last day; empty without a bound. */
export function DayRange({ from, to, fromLabel, toLabel, onInput }: DayRangeProps) {
  const shared = { type: 'date' } as const;
  return (
    <>
      <TextField
        {...shared}
        label={fromLabel}
        value={from}
        {...(to ? { max: to } : {})}
        onInput={(day) => onInput({ from: day })}
      />
      <TextField
        {...shared}
        label={toLabel}
        value={to}
        {...(from ? { min: from } : {})}
        onInput={(day) => onInput({ to: day })}
      />
    </>
  );
}
