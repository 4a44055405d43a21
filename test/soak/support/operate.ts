import { runOperator } from '#lib/service/operations/operator/run-operator.ts';
import { hold } from '#test/live/hold.ts';
import type { Service } from '#test/live/service.ts';

/** Runs an operator command beside the service; it must succeed. @returns its JSON output */
// oxlint-disable-next-line typescript/no-explicit-any -- each caller knows the shape of its answer
export async function operate({ table }: Pick<Service, 'table'>, words: readonly string[]): Promise<any> {
  const environment = { TABLE_NAME: table.tableName, DYNAMODB_ENDPOINT: table.endpoint };
  let said = '';
  const print = (line: string) => void (said += line);
  const code = await runOperator([...words, '--json'], { environment, out: print, error: print });
  hold(code === 0, `The operator's ${words.join(' ')} failed: ${said}`);
  return JSON.parse(said);
}
