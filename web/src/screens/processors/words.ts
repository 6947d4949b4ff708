// How processors and their fields are called in the language of the moment.

import { useLanguage } from '../../base/language.tsx';
import { type Field, germanField, germanTitles, type Kind, type Words } from './german-words.ts';

/** Titles of processors, and the words on their fields. */
export function useProcessorWords() {
  const isGerman = useLanguage().language === 'de';
  return {
    titleOf: ({ processor, title }: Pick<Kind, 'processor' | 'title'>) =>
      (isGerman && germanTitles[processor]) || title,
    wordsOf: (processor: string, field: Field): Words => (isGerman ? germanField(processor, field) : field),
  };
}
