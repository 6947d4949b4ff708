// The texts of events of payments and their actors: for every event of a payment, its attempts, its refunds and its
// emails. An unknown event is shown by its API name, and never omitted.

import { defineTexts } from './texts.ts';

const useTypes = defineTexts('events');
const useActorTexts = defineTexts('actors');
const useReasonTexts = defineTexts('declineReasons');

/** The text of an event type such as `payment.paid`; undefined for an unknown one. */
export function findEventText(
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  type: string,
): string | undefined {
  const [subject = '', ...rest] = type.split('.');
  const ofSubject = Object.hasOwn(texts, subject) ? texts[subject] : undefined;
  const name = rest.join('.');
  return ofSubject && Object.hasOwn(ofSubject, name) ? ofSubject[name] : undefined;
}

export function useEventTexts(): (type: string) => string {
  const types = useTypes();
  return (type) => findEventText(types, type) ?? type;
}

function nameOf(processor: string): string {
  const words = processor.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text for an actor: an email address for a member of the company, the ID for a service key. */
export function useActor(): (event: { actor: string; actorEmail?: string | null }) => string {
  const texts = useActorTexts();
  return ({ actor, actorEmail }) => {
    const [kind = '', name = ''] = actor.split(':');
    if (kind === 'account') return actorEmail ?? texts.gone;
    if (kind === 'key') return texts.serviceKey({ keyId: name });
    if (kind === 'processor') return name === '' ? texts.processor : nameOf(name);
    if (kind === 'job') return texts.job;
    if (kind === 'customer') return texts.customer;
    return kind === 'system' ? texts.system : actor;
  };
}

/** Why an attempt took no money, by its decline code. */
export function useDeclineReason(): (code: string) => string {
  const reasons = useReasonTexts() as Readonly<Record<string, string>>;
  return (code) => reasons[code] ?? code;
}
