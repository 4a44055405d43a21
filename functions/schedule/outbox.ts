import { scheduled } from '#lib/service/triggers/schedule/scheduled.ts';
import { factData } from '#lib/service/triggers/stream/fact-data.ts';
import { makeDueFacts } from '#lib/service/use-cases/make-due-facts.ts';
import { makeDueMails } from '#lib/service/use-cases/make-due-mails.ts';
import { resumeMails } from '#lib/service/use-cases/resume-mails.ts';
import { wakeDueEndpoints } from '#lib/service/use-cases/wake-due-endpoints.ts';

/** Tells what time alone brings about, and sends what was broken off. */
export const handler = scheduled(wakeDueEndpoints, (deps) => makeDueFacts(deps, factData), makeDueMails, resumeMails);
