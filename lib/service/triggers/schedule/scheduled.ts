import { type Deps, type LambdaContext, requestDeps } from '#lib/service/deps.ts';

/** What EventBridge sends; a local run sends the same, by the service's clock. */
interface ScheduledEvent {
  /** ISO 8601. */
  readonly time: string;
}

/** A Lambda function for a rule of EventBridge. */
export type ScheduledHandler = (
  event: ScheduledEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** Runs a use-case at the time for which it was planned. */
export const scheduled =
  (run: (deps: Deps) => Promise<void>): ScheduledHandler =>
  ({ time }, context) =>
    run(requestDeps(new Date(time), context?.awsRequestId ?? '', context));
