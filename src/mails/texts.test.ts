import { testTexts } from '../../test/harness/locale-texts.ts';
import { emailTexts } from './texts.ts';

testTexts(emailTexts, { empty: [], untranslated: [] });
