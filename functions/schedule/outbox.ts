import { scheduled } from '#lib/service/triggers/schedule/scheduled.ts';
import { factData } from '#lib/service/triggers/stream/fact-data.ts';
import { makeDueFacts } from '#lib/service/use-cases/make-due-facts.ts';
import { makeDueMails } from '#lib/service/use-cases/make-due-mails.ts';
import { resumeMails } from '#lib/service/use-cases/resume-mails.ts';
import { settleTiers } from '#lib/service/use-cases/settle-tiers.ts';
import { wakeDueEndpoints } from '#lib/service/use-cases/wake-due-endpoints.ts';

/** Corrects what awaited the end of a month, tells what time alone brings about, and sends what was broken off. */
export const handler = scheduled(
  (deps) => settleTiers(deps),
  wakeDueEndpoints,
  (deps) => makeDueFacts(deps, factData),
  makeDueMails,
  resumeMails,
);
