import { baseUrlOf } from '#infra/aws/deployment/deployed-stage.ts';
import { readRecord } from '#infra/aws/deployment/read-record.ts';
import { runSmoke } from '#test/smoke/run-smoke.ts';

process.exitCode = await runSmoke(process.argv.slice(2), {
  environment: process.env,
  out: console.log,
  error: console.error,
  baseUrlOf: (stage) => baseUrlOf(stage, { environment: process.env, read: readRecord }),
});
