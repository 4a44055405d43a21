import { env } from 'node:process';
import { documents } from '#infra/build/documents.ts';
import { builtTarball } from '#infra/build/package.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { builtSite } from '#infra/build/site.ts';

const [site, packageFolder] = await Promise.all([builtSite(new Date()), builtTarball()]);
serviceApp({ site: { ...site, documents, packageFolder }, variables: env }).synth();
