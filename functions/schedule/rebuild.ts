import { scheduled } from '#lib/service/http/triggers/scheduled.ts';
import { rebuildDue } from '#lib/service/reports/counting/rebuild-due.ts';

/** Completes rebuilds of counters after the day on which they were started. */
export const handler = scheduled((deps) => rebuildDue(deps));
