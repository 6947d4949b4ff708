// All queries on a million payments. million-payments.long.ts is the short form.

import { testQuestions } from './questions.ts';

testQuestions(1_000_000);
