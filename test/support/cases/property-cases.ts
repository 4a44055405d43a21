import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { cases } from '#test/support/cases/cases.ts';

/** fast-check's default number of runs. */
const ALL = 100;

/** Vitest setup: properties without a number of runs also use fewer cases. */
configureGlobal({ ...readConfigureGlobal(), numRuns: cases(ALL) });
