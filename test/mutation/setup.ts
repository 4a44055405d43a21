import * as fc from 'fast-check';

// That a property fails is enough to kill a mutant: nobody reads the smallest example.
fc.configureGlobal({ endOnFailure: true });
