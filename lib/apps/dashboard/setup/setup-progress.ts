import type { Readiness } from '#lib/wire/reports/readiness.ts';

export type SetupStepName = 'policy' | 'key' | 'click' | 'lead' | 'sale' | 'verification';

export interface SetupProgress {
  readonly isDone: Readonly<Record<SetupStepName, boolean>>;
  readonly next?: SetupStepName;
  readonly doneCount: number;
  readonly stepCount: number;
}

const order: readonly SetupStepName[] = ['policy', 'key', 'click', 'lead', 'sale', 'verification'];

/** Which steps of the setup are done, and which one is next. */
export function setupProgress({
  gates,
  checklist,
  key_rotated_at: keyRotatedAt,
  last_event_at: lastEventAt,
}: Readiness): SetupProgress {
  const isDone = {
    policy: gates.profile.status === 'pass' && gates.economics.status === 'pass',
    // A key that was imported from an earlier service has no time of generation. If the program has events, its key is
    // in use.
    key: keyRotatedAt !== null || Object.values(lastEventAt).some((at) => at !== null),
    click: checklist.click === 'complete',
    lead: checklist.lead === 'complete',
    sale: checklist.sale === 'complete',
    verification: gates.live.status === 'pass',
  };
  const next = order.find((step) => !isDone[step]);
  return { isDone, next, doneCount: order.filter((step) => isDone[step]).length, stepCount: order.length };
}
