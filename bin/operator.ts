import { text } from 'node:stream/consumers';
import { withLocalRun } from '#infra/local/run/operator-environment.ts';
import { runOperator } from '#lib/service/operations/operator/run-operator.ts';

process.exitCode = await runOperator(process.argv.slice(2), {
  environment: await withLocalRun(process.env),
  input: () => text(process.stdin),
  out: console.log,
  error: console.error,
  progress: console.error,
});
