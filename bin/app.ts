import { serviceApp } from '#infra/service-app.ts';
import { builtSite } from '#infra/site.ts';

serviceApp({ site: await builtSite() }).synth();
