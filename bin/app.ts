import { join } from 'node:path';
import { env } from 'node:process';
import { documents } from '#infra/build/documents.ts';
import { builtTarball } from '#infra/build/package.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { builtSite } from '#infra/build/site.ts';

const [site, packageFolder] = await Promise.all([builtSite(new Date()), builtTarball()]);
const stagesFolder = join(import.meta.dirname, '../infra/stages');
serviceApp({ site: { ...site, documents, packageFolder }, variables: env, stagesFolder }).synth();
