// The events of an endpoint: all, or those that are ticked, each with its meaning.

import { useId } from 'preact/hooks';
import { CheckField, Option } from '../../parts/field.tsx';
import { useEventTexts } from '../../texts/events.ts';
import { eventGroups } from './event-groups.ts';
import { useWebhookTexts } from './texts.ts';

/** All types, including future ones. */
export const everyEvent: readonly string[] = ['*'];
export const isEvery = (events: readonly string[]) => events.includes('*');

/** The events that most shops use. */
const defaultEvents: readonly string[] = ['payment.paid', 'payment.failed', 'refund.succeeded'];

type EventChoiceProps = {
  value: readonly string[];
  onInput(events: readonly string[]): void;
  error?: string | undefined;
};

function Types({ value, onInput }: EventChoiceProps) {
  const { groups: names } = useWebhookTexts();
  const eventText = useEventTexts();
  const change = (type: string, isOn: boolean) =>
    onInput(isOn ? [...value, type] : value.filter((one) => one !== type));
  const groups = Object.keys(eventGroups) as (keyof typeof eventGroups)[];
  return (
    <div class="event-groups">
      {groups.map((group) => (
        <fieldset key={group} class="stack-small event-group">
          <legend>{names[group]}</legend>
          {eventGroups[group].map((type) => (
            <CheckField
              key={type}
              label={eventText(type)}
              hint={type}
              value={value.includes(type)}
              onInput={(isOn) => change(type, isOn)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

export function EventChoice({ value, onInput, error }: EventChoiceProps) {
  const texts = useWebhookTexts();
  const id = useId();
  const isAll = isEvery(value);
  const shared = { type: 'radio', name: id } as const;
  return (
    <fieldset class="stack" aria-describedby={error ? `${id}-error` : undefined}>
      <legend class="strong event-legend">{texts.events}</legend>
      <Option
        {...shared}
        id={`${id}-all`}
        label={texts.allEvents}
        hint={isAll ? texts.allEventsHint : undefined}
        value={isAll}
        onChange={() => onInput(everyEvent)}
      />
      <Option
        {...shared}
        id={`${id}-some`}
        label={texts.someEvents}
        value={!isAll}
        onChange={() => onInput(defaultEvents)}
      />
      {!isAll && <Types value={value} onInput={onInput} />}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
