import { scheduled } from '#lib/service/triggers/schedule/scheduled.ts';
import { makeDueMails } from '#lib/service/use-cases/make-due-mails.ts';
import { resumeMails } from '#lib/service/use-cases/resume-mails.ts';

/** Tells what time alone brings about, and sends what was broken off. */
export const handler = scheduled(async (deps) => {
  await makeDueMails(deps);
  await resumeMails(deps);
});
