import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';

/** The event that EventBridge sends. In a local run the service sends it to itself, by its own clock. */
interface ScheduledEvent {
  /** The scheduled time of the run, ISO 8601. */
  readonly time: string;
}

/** A Lambda function for a rule of EventBridge. */
export type ScheduledHandler = (
  event: ScheduledEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** The longest time that a step of an action takes. */
const STEP_MS = 10_000;

/** A signal that is aborted after the given time, or immediately if the time is zero or negative. */
const aborting = (ms: number): AbortSignal => (ms > 0 ? AbortSignal.timeout(ms) : AbortSignal.abort());

/**
 * A Lambda function that runs actions one after the other. The present time of the actions is the time for which the
 * run was scheduled. If an action fails, the following ones are still run.
 */
export const scheduled =
  (...runs: readonly ((deps: Deps) => Promise<void>)[]): ScheduledHandler =>
  async ({ time }, context) => {
    const remainingMs = context?.getRemainingTimeInMillis?.();
    const deps: Deps = {
      ...requestDeps(new Date(time), context?.awsRequestId ?? '', context),
      ...(remainingMs !== undefined && { ending: aborting(remainingMs - STEP_MS) }),
    };
    const failures: unknown[] = [];
    for (const run of runs) await run(deps).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
