import { feedOf, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** A test click or lead: an event without a customer, stored for the integration check and the event list. */
export interface TestEvent {
  readonly id: number;
  readonly type: 'click' | 'lead';
  readonly isTest: true;
  /** Set if the event was sent with the program key, so that it counts as a test of the integration. */
  readonly keyed: boolean;
  readonly programId?: number;
  readonly createdAt: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const UNKEYED_DAYS = 30;

/** Stores a test event. It expires, because test events can be sent without a key. */
export const storeTestEvent = (table: Table, event: TestEvent): Promise<void> =>
  table.put(keys.testEvent(event.id), {
    ...event,
    ...((!event.keyed || event.programId === undefined) && { expires_at: expirySeconds(event) }),
    ...(event.programId !== undefined &&
      indexKeys.event(event.programId, event.type, feedOf(event), event.createdAt, event.id)),
  });

const expirySeconds = ({ createdAt }: TestEvent): number =>
  Math.ceil(Date.parse(createdAt) / 1_000) + UNKEYED_DAYS * 86_400;
