import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { cases } from '#test/support/cases/cases.ts';

/** fast-check's default number of runs. */
const ALL = 100;

/** Vitest setup: properties that set no number of runs use fewer runs in `npm test`, too. */
configureGlobal({ ...readConfigureGlobal(), numRuns: cases(ALL) });
