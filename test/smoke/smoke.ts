import { runSmoke } from '#test/smoke/run-smoke.ts';

process.exitCode = await runSmoke(process.argv.slice(2), {
  environment: process.env,
  out: console.log,
  error: console.error,
});
