import { resolve } from 'node:path';

/** A variable for processes started by tests: Node finds its compiled code there again, by content. */
export const compiledCode = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') } as const;
