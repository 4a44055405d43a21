import * as fc from 'fast-check';

// A failing property is sufficient to kill a mutant, so the smallest example is not needed.
fc.configureGlobal({ endOnFailure: true });
