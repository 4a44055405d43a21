import { env } from 'node:process';
import { documents } from '#infra/build/documents.ts';
import { builtTarball } from '#infra/build/package.ts';
import { readRecord } from '#infra/aws/deployment/read-record.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { builtSite, type Site } from '#infra/build/site.ts';
import { stagesFolderFrom } from '#infra/aws/stage-file.ts';

async function site(): Promise<Site> {
  const [built, packageFolder] = await Promise.all([builtSite(new Date()), builtTarball()]);
  return { ...built, documents, packageFolder };
}

async function synthesize(): Promise<void> {
  const app = await serviceApp({
    site,
    stagesFolder: stagesFolderFrom(env),
    deployed: { variables: env, read: readRecord, say: console.error },
  });
  app.synth();
}

try {
  await synthesize();
} catch (error) {
  // For a wrong setting, the message says everything. For any other error, the place in the code is printed too.
  console.error(error instanceof Error && error.name === 'Error' ? `\n${error.message}\n` : error);
  process.exitCode = 1;
}
