// Two fields for days, the first and the last one that count. A list that has them keeps them in the address.

import { TextField } from './field.tsx';

export type DayRangeProps = {
  from: string;
  to: string;
  fromLabel: string;
  toLabel: string;
  onInput(changes: { from: string } | { to: string }): void;
};

/** From which day to which; empty where there is no bound. */
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
