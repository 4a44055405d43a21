import { env } from 'node:process';
import { documents } from '#infra/build/documents.ts';
import { builtTarball } from '#infra/build/package.ts';
import { readRecord } from '#infra/aws/deployment/read-record.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { builtSite } from '#infra/build/site.ts';
import { stagesFolderFrom } from '#infra/aws/stage-file.ts';

async function synthesize(): Promise<void> {
  const [site, packageFolder] = await Promise.all([builtSite(new Date()), builtTarball()]);
  const app = await serviceApp({
    site: { ...site, documents, packageFolder },
    stagesFolder: stagesFolderFrom(env),
    deployed: { variables: env, read: readRecord, say: console.error },
  });
  app.synth();
}

try {
  await synthesize();
} catch (error) {
  // The message of a wrong setting says all; the place in the code matters for other errors.
  console.error(error instanceof Error && error.name === 'Error' ? `\n${error.message}\n` : error);
  process.exitCode = 1;
}
