/** What people and tools change in a workspace, as its audit list names it. */
export const auditActions = [
  'workspace.created',
  'workspace.changed',
  'member.invited',
  'member.changed',
  'member.joined',
  'member.removed',
  'invitation.declined',
  'program.created',
  'program.changed',
  'program.key_generated',
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
  'payout.begun',
  'payout.changed',
  'payout.exported',
  'payout_details.changed',
  'customer.unlinked',
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

/** Who changes something. */
export interface AuditActor {
  /** An account that acts for the brand, a tool's key, or an account that acts as a partner. */
  readonly kind: (typeof auditActorKinds)[number];
  /** Of the account, or of the key. */
  readonly id: number;
  readonly name: string;
  /** Whose address is read with the list, so that none stays of an account that is closed. */
  readonly accountId?: number;
}

export interface AuditTarget {
  readonly type: (typeof auditTargets)[number];
  readonly id: number | string;
  /** As it was called then; absent for the account of a member, which is named by its address of now. */
  readonly name?: string;
  /** Of what belongs to one program. */
  readonly programId?: number;
}

/** Changed fields, each with its former and its new value; null = none. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Something that was done. */
export interface AuditedAct {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Never a secret. Absent where there is nothing to tell but the action. */
  readonly changes?: Changes;
}

/** A row of the audit list. `at` is ISO 8601. */
export interface AuditEntry extends AuditedAct {
  readonly id: string;
  readonly at: string;
  readonly actor: AuditActor;
  readonly changes: Changes;
}

/** The account of a person, as the audit list names it. */
export const actorOf = (
  { id, name }: Pick<AuditActor, 'id' | 'name'>,
  kind: 'account' | 'partner' = 'account',
): AuditActor => ({ kind, id, name, accountId: id });

export const agentActor = ({ id, name }: Pick<AuditActor, 'id' | 'name'>): AuditActor => ({
  kind: 'agent_key',
  id,
  name,
});

/** A person of whom the brand knows what it has written down itself. */
export const writtenDownActor = ({ id, name }: Pick<AuditActor, 'id' | 'name'>): AuditActor => ({
  kind: 'partner',
  id,
  name,
});

/** A member of a workspace: an account, or the address that was invited. */
export const memberTarget = ({
  accountId,
  email,
}: {
  readonly accountId?: number;
  readonly email: string;
}): AuditTarget =>
  accountId === undefined ? { type: 'member', id: email, name: email } : { type: 'member', id: accountId };

/** The account that is the target of an act, if it is one. */
export const accountOfTarget = ({ type, id }: AuditTarget): number | undefined =>
  type === 'member' && typeof id === 'number' ? id : undefined;

/** As one line names who changed something; an account alone stands by its name. */
export const actorText = ({ kind, name }: AuditActor): string => (kind === 'agent_key' ? `agent key ${name}` : name);

/** Those fields of a change that it changes. Of something new, `before` is empty. */
export const changesBetween = (before: object, change: object): Changes =>
  Object.fromEntries(
    Object.entries(change).flatMap(([field, value]) => {
      const from: unknown = (before as Record<string, unknown>)[field] ?? null;
      const to: unknown = value ?? null;
      return canonical(from) === canonical(to) ? [] : [[field, { from, to }]];
    }),
  );

/** A value as one text, to be compared: the table keeps no order of an object's fields. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

/** The same value sent again changes nothing, so it leaves no row. */
export const isAct = ({ changes }: AuditedAct): boolean => changes === undefined || Object.keys(changes).length > 0;

const YEARS_KEPT = 2;

/** When a row is forgotten, in unix seconds. */
export function auditExpirySeconds(at: Date): number {
  const end = new Date(at);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS_KEPT);
  return Math.ceil(end.getTime() / 1_000);
}

/** Who changed a customer or a commission, as its history names them. */
export type Actor = 'api' | 'processor' | 'operator' | `account:${number}`;
