import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { compiledCode } from '#test/support/servers/compiled-code.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `npm run smoke` in a separate process. */
export const smoke = (words: readonly string[], environment: Record<string, string> = {}) =>
  new Promise<Ended>((end) => {
    const env = { PATH: process.env.PATH, ...compiledCode, ...environment };
    execFile(process.execPath, [resolve('test/smoke/smoke.ts'), ...words], { env }, (failure, out, error) => {
      end({ code: failure ? Number(failure.code) : 0, out, error });
    });
  });

interface Result {
  readonly ok: boolean;
  readonly base_url: string;
  readonly checks: readonly { readonly problem: string | null }[];
}

export const resultOf = ({ out }: Ended): Result => JSON.parse(out) as Result;

export const problemsOf = ({ checks }: Result) => checks.filter(({ problem }) => problem !== null);
