import { text } from 'node:stream/consumers';
import { environmentOf } from '#infra/aws/deployment/deployed-stage.ts';
import { withLocalRun } from '#infra/local/run/operator-environment.ts';
import { runOperator } from '#lib/service/operations/operator/run-operator.ts';

process.exitCode = await runOperator(process.argv.slice(2), {
  environment: await withLocalRun(process.env),
  environmentOf: async (stage) => {
    // Imported only when needed, because it loads the AWS SDK, which most commands in a local run do not use.
    const { readRecord } = await import('#infra/aws/deployment/read-record.ts');
    return environmentOf(stage, { environment: process.env, read: readRecord, say: console.error });
  },
  input: () => text(process.stdin),
  out: console.log,
  error: console.error,
  progress: console.error,
});
