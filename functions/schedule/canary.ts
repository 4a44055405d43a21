import { scheduled } from '#lib/service/http/triggers/scheduled.ts';
import { runCanary } from '#lib/service/operations/canary/run-canary.ts';

/** Checks the installation from outside, through its public URL. */
export const handler = scheduled(runCanary);
