// The short form of every-page.campaign.ts: a language with long words, one from right to left, and one without spaces.

import { testEveryPage } from './every-page.ts';

testEveryPage(['de', 'en']);
