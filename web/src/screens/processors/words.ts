// The names of processors and their fields in the current language.

import { useLanguage } from '../../base/language.tsx';
import { type Field, germanField, germanTitles, type Kind, type Words } from './german-words.ts';

export function useProcessorWords() {
  const isGerman = useLanguage().language === 'de';
  return {
    titleOf: ({ processor, title }: Pick<Kind, 'processor' | 'title'>) =>
      (isGerman && germanTitles[processor]) || title,
    wordsOf: (processor: string, field: Field): Words => (isGerman ? germanField(processor, field) : field),
  };
}
