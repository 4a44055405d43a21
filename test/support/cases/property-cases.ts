import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { cases } from '#test/support/cases/cases.ts';

/** As many as a property of fast-check has that names no number. */
const ALL = 100;

/** Vitest's setup: such properties draw fewer cases, too. */
configureGlobal({ ...readConfigureGlobal(), numRuns: cases(ALL) });
