import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import {
  type AccountFlags,
  connectExpirySeconds,
  eventForgottenAtSeconds,
  type ProcessorAccount,
  type ProcessorLink,
} from '#lib/service/programs/program/processor.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

export const findProcessorAccount = async (
  table: Table,
  accountId: string | undefined,
): Promise<ProcessorAccount | undefined> =>
  accountId === undefined ? undefined : table.get<ProcessorAccount>(keys.processorAccount(accountId));

/** The write that changes a program's connection to the processor. Undefined removes the connection. */
export const processorLinkWrite = ({ id, processor }: Program, after: ProcessorLink | undefined): Write => ({
  name: 'program',
  key: keys.program(id),
  change: { set: { processor: after } },
  // Closes the race between two owners who change the connection: the later request reloads and decides again.
  condition: { equals: { processor } },
});

/** The write that replaces an account. An account without programs is removed. */
export const processorAccountWrite = (before: ProcessorAccount | undefined, after: ProcessorAccount): Write => ({
  name: 'processorAccount',
  key: keys.processorAccount(after.accountId),
  // Closes the race between two programs or workspaces that connect the same account: the later request reloads and
  // finds the account's present owner.
  condition: before ? { equals: { programIds: before.programIds, flagsAt: before.flagsAt } } : { isNew: true },
  ...(after.programIds.length > 0 ? { put: after } : { remove: true }),
});

/**
 * Stores the processor's state of an account, unless a later one is stored. Event times are whole seconds, so within
 * one second the last delivered event counts.
 * @throws ConditionFailed if the event is older than the stored state
 */
export function refreshFlags(table: Table, accountId: string, flags: AccountFlags, at: Date): Promise<unknown> {
  const nextSecond = new Date(Math.floor(at.getTime() / 1000) * 1000 + 1000).toISOString();
  const set = { ...flags, flagsAt: at.toISOString() };
  return table.update(keys.processorAccount(accountId), { set }, { exists: true, below: { flagsAt: nextSecond } });
}

/** A connection in progress: who connects which program. */
export interface ConnectAttempt {
  readonly accountId: number;
  readonly programId: number;
  /** Hash of the login token with which the connection was started. */
  readonly tokenHash: string;
}

export const startConnect = (table: Table, state: string, attempt: ConnectAttempt, now: Date): Promise<void> =>
  table.put(keys.connect(sha256(state)), { ...attempt, expires_at: connectExpirySeconds(now) }, { isNew: true });

export const findConnect = (table: Table, state: string): Promise<ConnectAttempt | undefined> =>
  table.get<ConnectAttempt>(keys.connect(sha256(state)));

/**
 * Ends a connection attempt. If two redirects arrive with the same state, only one of them can continue.
 * @throws ConditionFailed if another redirect has used the state already
 */
export const endConnect = (table: Table, state: string): Promise<void> =>
  table.transact([{ name: 'connect', key: keys.connect(sha256(state)), remove: true, condition: { exists: true } }]);

/** The endpoint that received an event. Event ids are unique per endpoint only. */
export type WebhookEndpoint = 'platform' | number;

export const isProcessed = async (table: Table, endpoint: WebhookEndpoint, eventId: string): Promise<boolean> =>
  (await table.get(keys.processorEvent(String(endpoint), eventId))) !== undefined;

/** Marks an event as processed, in the transaction of the event's last effect, so that repetitions do nothing. */
export const processedWrite = (endpoint: WebhookEndpoint, eventId: string, now: Date): Write => ({
  name: 'event',
  key: keys.processorEvent(String(endpoint), eventId),
  put: { processedAt: now.toISOString(), expires_at: eventForgottenAtSeconds(now) },
  // Closes the race between two deliveries of the same event: the later one finds the event processed.
  condition: { isGoneAt: Math.floor(now.getTime() / 1000) },
});
