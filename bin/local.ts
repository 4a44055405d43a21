import { startLocalRun } from '#infra/local/run/run.ts';
import { firstSteps, guidedTour } from '#infra/local/demo/tour.ts';

const started = startLocalRun();

async function end(): Promise<void> {
  const { stop } = await started;
  await stop();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());

try {
  const { run, history } = await started;
  console.log(`\nThe service is ready: ${run.base_url}`);
  console.log(`Dashboard: ${run.base_url}/`);
  console.log(`Partner portal: ${run.base_url}/partner`);
  console.log(run.demo ? guidedTour(run.base_url, run.demo) : firstSteps(run.base_url));
  if (history) console.log("The demo's history of 60 days is being filled in: its figures grow for some seconds.");
  console.log('Ctrl-C ends it.');
  if (await history) console.log("The demo's history is complete.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
