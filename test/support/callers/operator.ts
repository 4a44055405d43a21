import { isDeepStrictEqual } from 'node:util';
import { runOperator } from '#lib/service/operations/operator/run-operator.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

/** What a command printed, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly out: readonly string[];
  readonly error: readonly string[];
}

type Where = Pick<World, 'tableName'> | undefined;

/**
 * Runs an operator command on the world's table, or without a table.
 * @param command words, or a text to split at spaces
 */
export async function operator(
  world: Where,
  command: string | readonly string[],
  at: Date = NOW,
  environment: Readonly<Record<string, string | undefined>> = {
    TABLE_NAME: world?.tableName,
    DYNAMODB_ENDPOINT: process.env.DYNAMODB_ENDPOINT,
  },
): Promise<Ended> {
  const [out, error]: [string[], string[]] = [[], []];
  const code = await runOperator(typeof command === 'string' ? command.split(' ').filter(Boolean) : command, {
    environment,
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
    realNow: () => at.getTime(),
  });
  return { code, out, error };
}

/** Runs a command that must succeed. @returns its JSON output */
// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into answers of every shape
export async function operated(world: Where, command: string | readonly string[], at?: Date): Promise<any> {
  const words = typeof command === 'string' ? command.split(' ') : command;
  const { code, out, error } = await operator(world, [...words, '--json'], at);
  if (code !== 0 || out.length !== 1 || error.length > 0) throw new Error(`${out.join('\n')}${error.join('\n')}`);
  return JSON.parse(out[0]!);
}

/**
 * Runs a command that must fail, with and without `--json`. In both cases it must exit with 1 and print nothing but the
 * message.
 * @returns the message
 */
export async function refusedWith(world: Where, command: string | readonly string[], at?: Date): Promise<string> {
  const words = typeof command === 'string' ? command.split(' ') : command;
  const spoken = await operator(world, words, at);
  const json = await operator(world, [...words, '--json'], at);
  const message = spoken.error.join('\n');
  const expected: Ended = { code: 1, out: [JSON.stringify({ error: message })], error: [] };
  if (spoken.code !== 1 || spoken.out.length > 0 || !isDeepStrictEqual(json, expected)) {
    throw new Error(`Expected one failure twice, got ${JSON.stringify([spoken, json])}`);
  }
  return message;
}
