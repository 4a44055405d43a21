import { resolve } from 'node:path';

/** Environment for processes that tests start: Node's compile cache, which they share. */
export const compiledCode = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') } as const;
