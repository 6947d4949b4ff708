// The short form of what holds with a million payments: enough of them that a plan which reads a table through, or
// an export which keeps what it has read, is far beyond its bound.

import { testQuestions } from './questions.ts';

testQuestions(100_000);
