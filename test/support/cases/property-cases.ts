import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { cases } from '#test/support/cases/cases.ts';

/** The number of cases of a fast-check property without a number. */
const ALL = 100;

/** Vitest's setup: such properties draw fewer cases, too. */
configureGlobal({ ...readConfigureGlobal(), numRuns: cases(ALL) });
