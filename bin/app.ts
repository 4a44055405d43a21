import { builtTarball } from '#infra/package.ts';
import { serviceApp } from '#infra/service-app.ts';
import { builtSite } from '#infra/site.ts';

const [site, packageFolder] = await Promise.all([builtSite(), builtTarball()]);
serviceApp({ site: { ...site, packageFolder } }).synth();
