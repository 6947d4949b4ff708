// The long form, for `npm run test:faults`: a million payments.

import { testQuestions } from './questions.ts';

testQuestions(1_000_000);
