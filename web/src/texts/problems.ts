// The meaning of API errors for a person. The API's own texts are in English for programs and developers. The codes
// that a merchant may meet have their own sentences here. Others fall back to the API's text.

import { ApiProblem, UnreachableError } from '../api/call.ts';
import { OutdatedError } from '../api/load-file.ts';
import { useLanguage } from '../base/language.tsx';
import { useCommonTexts } from './common.ts';
import { defineTexts } from './texts.ts';

const useProblemTexts = defineTexts('problems');

const secondsOfMinute = 60;
const firstServerFault = 500;

type Explanation = {
  /** One sentence for the whole error. */
  sentence: string;
  /** A sentence for each invalid field, by the API's name of it. */
  fields: Readonly<Record<string, string>>;
  /** For the operator of the service; null if the person can solve it alone. */
  requestId: string | null;
};

/** A form has one place for all entries of these: `metadata` for `metadata.cart`. */
const joinedFields = ['metadata', 'allowedAddresses'];
const formFieldOf = (field: string) => joinedFields.find((one) => field.startsWith(`${one}.`)) ?? field;

export function useExplain(): (fault: unknown) => Explanation {
  const { language } = useLanguage();
  const texts = useProblemTexts();
  const sentences: Readonly<Record<string, string>> = texts.sentences;
  const fieldSentences: Readonly<Record<string, string>> = texts.fields;
  const common = useCommonTexts();
  return (fault) => {
    if (fault instanceof UnreachableError)
      return { sentence: common.unreachable, fields: {}, requestId: null };
    if (fault instanceof OutdatedError) return { sentence: common.outdated, fields: {}, requestId: null };
    if (!(fault instanceof ApiProblem)) return { sentence: common.unexpected, fields: {}, requestId: null };
    const { code, detail, errors, status } = fault.problem;
    const fields = errors.map(({ field, code: reason, detail: apiText }) => {
      // The API's own sentence is English and more precise.
      const sentence = language === 'en' ? apiText : (fieldSentences[reason] ?? apiText);
      return [formFieldOf(field), sentence];
    });
    const text = sentences[code] ?? detail;
    // A wait below a minute needs no number.
    const isLong = fault.retryAfter !== null && fault.retryAfter > secondsOfMinute;
    const sentence = isLong
      ? `${text} ${texts.wait({ minutes: Math.ceil((fault.retryAfter ?? 0) / secondsOfMinute) })}`
      : text;
    const isKnown = code in sentences && status < firstServerFault;
    const requestId = isKnown ? null : fault.problem.requestId;
    return { sentence, fields: Object.fromEntries(fields), requestId };
  };
}
