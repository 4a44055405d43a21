import type { Currency } from '#lib/service/ground/values/currency.ts';

/** Actions that the audit list records. */
export const auditActions = [
  'workspace.created',
  'workspace.changed',
  'workspace.payer_changed',
  'member.invited',
  'member.changed',
  'member.joined',
  'member.removed',
  'invitation.declined',
  'program.created',
  'program.changed',
  'program.key_generated',
  'brand.changed',
  'group.created',
  'group.changed',
  'partner.added',
  'partner.changed',
  'partner.viewed_as',
  'link.created',
  'link.changed',
  'code.created',
  'code.changed',
  'sale.refund_corrected',
  'commission.granted',
  'commission.released',
  'commission.approved',
  'commission.rejected',
  'commission.reopened',
  'payout.begun',
  'payout.changed',
  'payout.exported',
  'payout.lines_changed',
  'payout_details.changed',
  'billing.changed',
  'customer.unlinked',
  'customer.exported',
  'customer.erased',
  'payment.retried',
  'processor.connected',
  'processor.disconnected',
  'processor.secret_set',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rolled',
  'webhook.tested',
  'webhook.replayed',
] as const;
type AuditAction = (typeof auditActions)[number];

export const auditTargets = [
  'workspace',
  'member',
  'program',
  'group',
  'partner',
  'link',
  'code',
  'sale',
  'commission',
  'payout',
  'customer',
  'payment',
  'webhook',
] as const;

export const auditActorKinds = ['account', 'agent_key', 'partner'] as const;

/** The party that makes a change. */
export interface AuditActor {
  /** `account`: a person acting for the brand; `agent_key`: a tool; `partner`: a person acting as a partner. */
  readonly kind: (typeof auditActorKinds)[number];
  /** The id of the account or key. */
  readonly id: number;
  readonly name: string;
  /**
   * The account whose present address is shown with the entry. The entry itself contains no address, so that none
   * remains after the account is closed.
   */
  readonly accountId?: number;
}

export interface AuditTarget {
  readonly type: (typeof auditTargets)[number];
  readonly id: number | string;
  /** The target's name at the time of the change. Undefined for a member's account, shown by its present address. */
  readonly name?: string;
  /** The program, if the target belongs to one. */
  readonly programId?: number;
}

/** Changed fields with their old and new values; null means no value. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** A change that the audit list records. */
export interface AuditedAct {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** The changed fields, without secrets. Undefined if the name of the action says everything. */
  readonly changes?: Changes;
  /** The amounts that the change affects, in the currencies' smallest units. Undefined if it affects no money. */
  readonly amounts?: Readonly<Record<Currency, number>>;
}

/** A row of the audit list. `at` is ISO 8601. */
export interface AuditEntry extends AuditedAct {
  readonly id: string;
  readonly at: string;
  readonly actor: AuditActor;
  readonly changes: Changes;
  /** The number of changed objects, if the entry is for a batch. Each object is stored as an item of the entry. */
  readonly count?: number;
}

/** One of the objects that the requests of a batch changed. */
export interface AuditItem {
  readonly id: number | string;
  readonly name?: string;
  readonly amountCents?: number;
  readonly currency?: Currency;
}

/** The single object of an entry without a batch, in the form of an item. */
export function itemOf({ target, amounts = {} }: AuditEntry): AuditItem {
  const [amount, ...others] = Object.entries(amounts);
  const { id, name } = target;
  return amount && others.length === 0 ? { id, name, currency: amount[0], amountCents: amount[1] } : { id, name };
}

/** The conditions of a list of entries. */
export interface AuditFilter {
  readonly actorId?: number;
  readonly action?: AuditAction;
  readonly targetType?: AuditTarget['type'];
  readonly targetId?: string;
  readonly programId?: number;
}

/** Whether an entry is about a batch of changed objects of this type, such as `commission`. */
const isBatchOf = ({ count, action }: AuditEntry, type: AuditTarget['type']): boolean =>
  count !== undefined && action.startsWith(`${type}.`);

/** Whether an entry meets all conditions of the filter, except that the target's id is not compared. */
export const isListedFor = (entry: AuditEntry, { actorId, action, targetType, programId }: AuditFilter): boolean =>
  (actorId === undefined || entry.actor.id === actorId) &&
  (action === undefined || entry.action === action) &&
  (targetType === undefined || entry.target.type === targetType || isBatchOf(entry, targetType)) &&
  (programId === undefined || entry.target.programId === programId);

/** The id of an audit entry: its time, by which the entry is found, and the last characters of a random id. */
export const entryIdAt = (at: Date, randomId: string): string =>
  `aud_${at.getTime().toString(36).padStart(9, '0')}${randomId.slice(-7)}`;

/** The time in an entry's id, ISO 8601; undefined if the text is no id. */
export function timeOfEntry(id: string): string | undefined {
  const time = /^aud_([0-9a-z]{9})[0-9a-z]{7}$/.exec(id)?.[1];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 36)).toISOString();
}

/** The audit actor for a person's account. */
export const actorOf = (
  { id, name }: Pick<AuditActor, 'id' | 'name'>,
  kind: 'account' | 'partner' = 'account',
): AuditActor => ({ kind, id, name, accountId: id });

export const agentActor = ({ id, name }: Pick<AuditActor, 'id' | 'name'>): AuditActor => ({
  kind: 'agent_key',
  id,
  name,
});

/** An actor without an account. Of such an actor, the brand knows only what it entered itself. */
export const writtenDownActor = ({ id, name }: Pick<AuditActor, 'id' | 'name'>): AuditActor => ({
  kind: 'partner',
  id,
  name,
});

/** A workspace member as audit target: an account, or the invited address. */
export const memberTarget = ({
  accountId,
  email,
}: {
  readonly accountId?: number;
  readonly email: string;
}): AuditTarget =>
  accountId === undefined ? { type: 'member', id: email, name: email } : { type: 'member', id: accountId };

/** The account that was changed; undefined if the target is no account. */
export const accountOfTarget = ({ type, id }: AuditTarget): number | undefined =>
  type === 'member' && typeof id === 'number' ? id : undefined;

/** The actor as one line of text. An account is represented by its name alone. */
export const actorText = ({ kind, name }: AuditActor): string => (kind === 'agent_key' ? `agent key ${name}` : name);

/** The fields that a change actually alters. `before` is empty for something new. */
export const changesBetween = (before: object, change: object): Changes =>
  Object.fromEntries(
    Object.entries(change).flatMap(([field, value]) => {
      const from: unknown = (before as Record<string, unknown>)[field] ?? null;
      const to: unknown = value ?? null;
      return canonical(from) === canonical(to) ? [] : [[field, { from, to }]];
    }),
  );

/** A value as text for comparison, with sorted keys: the table does not preserve the order of an object's fields. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

/** Whether anything has changed. Sending the same value again changes nothing and adds no audit entry. */
export const isAct = ({ changes }: AuditedAct): boolean => changes === undefined || Object.keys(changes).length > 0;

const YEARS_KEPT = 2;

/** When an audit entry expires, in unix seconds. */
export function auditExpirySeconds(at: Date): number {
  const end = new Date(at);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS_KEPT);
  return Math.ceil(end.getTime() / 1_000);
}

/** The party that changed a customer or commission, as stored in its history. */
export type Actor = 'api' | 'processor' | 'operator' | `account:${number}`;
