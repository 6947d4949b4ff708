// Every page and email in every language. every-page.long.ts is the short form.

import { locales } from '../../src/base/locale.ts';
import { testEveryPage } from './every-page.ts';

testEveryPage(locales);
