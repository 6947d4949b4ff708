// The names of processors and their fields in the current language. A processor that is newer than this page, or a field
// that it does not know, is shown with the English texts of the API.

import { defineTexts } from '../../texts/texts.ts';
import type { Field, Kind } from './connections.ts';

type Words = { label: string; help: string | ((values: { events: string }) => string) };

const useNames = defineTexts('processorNames');
const useFields = defineTexts('processorFields');

/** The events that a webhook needs, from the end of the API's help text. */
const eventsOf = (help: string) => /needs these events: (.+)\.$/.exec(help)?.[1] ?? '';

export function useProcessorWords() {
  const names: Readonly<Record<string, string>> = useNames();
  const fields: Readonly<Record<string, Readonly<Record<string, Words>>>> = useFields();
  return {
    titleOf: ({ processor, title }: Pick<Kind, 'processor' | 'title'>) => names[processor] ?? title,
    wordsOf: (processor: string, field: Field): { label: string; help: string } => {
      const known = fields[processor]?.[field.name];
      if (!known) return field;
      const { label, help } = known;
      return { label, help: typeof help === 'string' ? help : help({ events: eventsOf(field.help) }) };
    },
  };
}
