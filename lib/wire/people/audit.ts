import * as z from 'zod/mini';
import { auditActions, auditActorKinds, auditTargets } from '#lib/service/ground/changes/audit.ts';
import {
  about,
  balanceCents,
  byCurrency,
  count,
  currency,
  id,
  named,
  optionalId,
  optionalText,
  text,
  time,
} from '#lib/wire/words/fields.ts';

export const AuditAction = named('AuditAction', z.enum(auditActions));
export const AuditTargetType = named('AuditTargetType', z.enum(auditTargets));

const AuditActor = named(
  'AuditActor',
  z.strictObject({ kind: z.enum(auditActorKinds), id, name: text, email: optionalText }),
  "Who made the change, with the name at that time: an account of the brand, an agent key, or a partner's account. `email` is the present address of the account. It is null for a closed account, a key, and a person who has not accepted.",
);

const AuditTarget = named(
  'AuditTarget',
  z.strictObject({
    type: AuditTargetType,
    id: about('The id as in the routes for this type. For a pending member, the address.', text),
    name: about(
      'The name at that time. For a member, the present or invited address; null for a closed account.',
      optionalText,
    ),
    program_id: optionalId,
  }),
);

export const AuditEntry = named(
  'AuditEntry',
  z.strictObject({
    id: text,
    at: time,
    actor: AuditActor,
    action: AuditAction,
    target: about('For a batch: the program.', AuditTarget),
    count: about('The number of changed objects. More than one only for a batch.', count),
    amounts: about('The amounts that the change decides on.', byCurrency(balanceCents)),
    changes: about(
      'The changed fields with their former and new values. Null if there are none. It never contains a secret.',
      z.record(text, z.strictObject({ from: z.unknown(), to: z.unknown() })),
    ),
  }),
);
export type AuditEntry = z.output<typeof AuditEntry>;

export const AuditItem = named(
  'AuditItem',
  z.strictObject({
    id: about('The id as in the routes for this type of object.', text),
    name: about('For a commission of a sale: the transaction id.', optionalText),
    amount_cents: z.nullable(balanceCents),
    currency: z.nullable(currency),
  }),
  'One of the changed objects of an audit entry.',
);
export type AuditItem = z.output<typeof AuditItem>;
