// The events of an endpoint: all, or those that are ticked, each with its meaning.

import { useId } from 'preact/hooks';
import { CheckField } from '../../parts/field.tsx';
import { useEventTexts } from '../../texts/events.ts';
import { eventGroups } from './event-groups.ts';
import { useWebhookTexts } from './texts.ts';

/** All types, including future ones. */
export const everyEvent: readonly string[] = ['*'];
export const isEvery = (events: readonly string[]) => events.includes('*');

/** The events that most shops use. */
const defaultEvents: readonly string[] = ['payment.paid', 'payment.failed', 'refund.succeeded'];

export type EventChoiceProps = {
  chosen: readonly string[];
  onChoose(events: readonly string[]): void;
  error?: string | undefined;
};

function Types({ chosen, onChoose }: EventChoiceProps) {
  const { groups: names } = useWebhookTexts();
  const words = useEventTexts();
  const change = (type: string, isOn: boolean) =>
    onChoose(isOn ? [...chosen, type] : chosen.filter((one) => one !== type));
  const groups = Object.keys(eventGroups) as (keyof typeof eventGroups)[];
  return (
    <div class="event-groups">
      {groups.map((group) => (
        <fieldset key={group} class="event-group">
          <legend>{names[group]}</legend>
          {eventGroups[group].map((type) => (
            <CheckField
              key={type}
              label={words(type)}
              hint={type}
              isOn={chosen.includes(type)}
              onInput={(isOn) => change(type, isOn)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

type ChoiceProps = {
  id: string;
  name: string;
  label: string;
  hint?: string;
  isOn: boolean;
  onChoose(): void;
};

function EventChoiceOption({ id, name, label, hint, isOn, onChoose }: ChoiceProps) {
  return (
    <div class="check">
      <input
        id={id}
        type="radio"
        name={name}
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={onChoose}
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

/** The choice. */
export function EventChoice({ chosen, onChoose, error }: EventChoiceProps) {
  const texts = useWebhookTexts();
  const id = useId();
  const isAll = isEvery(chosen);
  return (
    <fieldset class="stack" aria-describedby={error ? `${id}-error` : undefined}>
      <legend class="strong event-legend">{texts.events}</legend>
      <EventChoiceOption
        id={`${id}-all`}
        name={id}
        label={texts.allEvents}
        {...(isAll ? { hint: texts.allEventsHint } : {})}
        isOn={isAll}
        onChoose={() => onChoose(everyEvent)}
      />
      <EventChoiceOption
        id={`${id}-some`}
        name={id}
        label={texts.someEvents}
        isOn={!isAll}
        onChoose={() => onChoose(defaultEvents)}
      />
      {!isAll && <Types chosen={chosen} onChoose={onChoose} />}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
