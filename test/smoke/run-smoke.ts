import { parseArgs } from 'node:util';
import type { Check } from '#test/smoke/check.ts';
import { programChecks } from '#test/smoke/program-checks.ts';
import { refusalChecks } from '#test/smoke/refusal-checks.ts';
import { siteChecks } from '#test/smoke/site-checks.ts';
import { type Wire, wireTo } from '#test/smoke/wire.ts';

const USAGE = `npm run smoke -- (--stage <stage> | --base-url <url>) [--api-key <key>] [--json]

Asks a running service over the network whether it does what it should, with test events alone.
--api-key, or SERVICE_API_KEY in the environment, is the key of a program; without it only what is open to everybody
is asked. Ten runs an hour are possible with a key: each runs one verification chain.`;

export interface CliEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** The address of a deployed stage, which `--stage` names. */
  readonly baseUrlOf: (stage: string) => Promise<string>;
}

const LONGEST_PROBLEM = 500;

interface Result {
  readonly name: string;
  /** The problem; null = none. */
  readonly problem: string | null;
}

/** Runs every check in sequence, also after failures. @returns the exit code */
export async function runSmoke(words: readonly string[], terminal: CliEnvironment): Promise<0 | 1> {
  const { environment, out, error } = terminal;
  const read = readWords(words, environment);
  if ('problem' in read) {
    error(`${read.problem}\n\n${USAGE}`);
    return 1;
  }
  const { key, isJson } = read;
  let baseUrl: string;
  try {
    baseUrl = read.baseUrl ?? (await terminal.baseUrlOf(read.stage!));
  } catch (problem) {
    error((problem as Error).message);
    return 1;
  }
  const checks = [...siteChecks, ...refusalChecks, ...(key ? programChecks(key) : [])];
  const results: Result[] = [];
  for (const each of checks) {
    const result = await resultOf(each, wireTo(baseUrl), key);
    results.push(result);
    if (!isJson) out(result.problem === null ? `✔ ${result.name}` : `✖ ${result.name}: ${result.problem}`);
  }
  const failed = results.filter(({ problem }) => problem !== null).length;
  if (isJson) out(JSON.stringify({ base_url: baseUrl, ok: failed === 0, checks: results }));
  else
    out(
      `${results.length - failed} of ${results.length} checks passed.${key ? '' : ' Without a key: the public ones only.'}`,
    );
  return failed === 0 ? 0 : 1;
}

async function resultOf({ name, run }: Check, wire: Wire, key: string | undefined): Promise<Result> {
  try {
    await run(wire);
    return { name, problem: null };
  } catch (failure) {
    const { message, cause } = failure as Error;
    const text = cause instanceof Error ? `${message}: ${cause.message}` : message;
    // A faulty service may repeat secrets that it received.
    const safe = key ? text.replaceAll(key, '<key>') : text;
    return { name, problem: safe.replaceAll(/\s+/g, ' ').slice(0, LONGEST_PROBLEM) };
  }
}

type Read =
  | { readonly problem: string }
  | { readonly baseUrl?: string; readonly stage?: string; readonly key?: string; readonly isJson: boolean };

function readWords(words: readonly string[], environment: CliEnvironment['environment']): Read {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        stage: { type: 'string' },
        'base-url': { type: 'string' },
        'api-key': { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const { stage } = values;
    const baseUrl = values['base-url']?.replace(/\/+$/, '');
    if (stage !== undefined && baseUrl !== undefined) return { problem: 'Give --stage or --base-url, not both' };
    const isUrl = /^https?:\/\//.test(baseUrl ?? '');
    if (!stage && !isUrl) return { problem: '--base-url must be an http or https URL, or --stage a deployed stage' };
    return { baseUrl, stage, key: values['api-key'] ?? environment.SERVICE_API_KEY, isJson: values.json ?? false };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
