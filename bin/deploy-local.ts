import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { type Deployment, deployToEmulator } from '#infra/emulator/deployment.ts';
import { openEdge } from '#infra/emulator/edge.ts';
import { makeFirstProgram } from '#infra/emulator/first-program.ts';
import { howToCall } from '#infra/emulator/how-to-call.ts';
import { NoPython, NOT_POSSIBLE_HERE } from '#infra/emulator/python.ts';
import { openUserPool } from '#infra/emulator/sign-in.ts';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());

const ended = new Promise<void>((resolve) => {
  ending.signal.addEventListener('abort', () => resolve(), { once: true });
});

async function serve(deployment: Deployment): Promise<void> {
  const program = await makeFirstProgram(
    openEdge(deployment),
    openUserPool(deployment, awsCommand(deployment, ending.signal)),
    'brand',
  );
  const file = join(deployment.folder, 'deployment.json');
  await writeFile(file, JSON.stringify(deployment));
  console.log(howToCall(deployment, program, file));
  // The timer keeps the process alive; a signal listener alone does not.
  const alive = setInterval(() => undefined, 60_000);
  await ended;
  clearInterval(alive);
}

try {
  const deployment = await deployToEmulator({ say: console.log, signal: ending.signal });
  try {
    await serve(deployment);
  } finally {
    console.log('Ending …');
    await deployment.stop();
  }
} catch (error) {
  if (!ending.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof NoPython ? NOT_POSSIBLE_HERE : 1;
  }
}
