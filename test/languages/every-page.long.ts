// The short form of every-page.campaign.ts: a language with long words, the one with the longest texts, one from right to left,
// and one without spaces.

import { testEveryPage } from './every-page.ts';

testEveryPage(['de', 'el', 'he', 'ja']);
