import { readRunFile } from '#infra/local/run/run-file.ts';
import { LOCAL_TABLE_NAME } from '#infra/local/run/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Completes the environment of an operator command: if it names neither a table nor an endpoint, the command uses the
 * local run that was started in this folder.
 */
export async function withLocalRun(environment: Environment): Promise<Environment> {
  if (environment.TABLE_NAME) return environment;
  if (environment.DYNAMODB_ENDPOINT) return { ...environment, TABLE_NAME: LOCAL_TABLE_NAME };
  const run = await readRunFile();
  return run ? { ...environment, TABLE_NAME: run.table_name, DYNAMODB_ENDPOINT: run.dynamodb_endpoint } : environment;
}
