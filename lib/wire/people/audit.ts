import * as z from 'zod/mini';
import { auditActions, auditActorKinds, auditTargets } from '#lib/service/ground/changes/audit.ts';
import { about, id, named, optionalId, optionalText, text, time } from '#lib/wire/words/fields.ts';

const AuditActor = named(
  'AuditActor',
  z.strictObject({ kind: z.enum(auditActorKinds), id, name: text, email: optionalText }),
  'Who did it, as they were called then: an account of the brand, a tool’s key, or the account of a partner. `email` is ' +
    'the address that the account has now; null of a closed account, of a key, and of a person who has not accepted.',
);

const AuditTarget = named(
  'AuditTarget',
  z.strictObject({
    type: z.enum(auditTargets),
    id: about('As the routes of its type name it; of a pending member, the address.', text),
    name: about(
      'As it was called then. Of a member the address of now, or that was invited; null of a closed account.',
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
    action: z.enum(auditActions),
    target: AuditTarget,
    changes: about(
      'The changed fields with their former and new values; null = none. Never a secret.',
      z.record(text, z.strictObject({ from: z.unknown(), to: z.unknown() })),
    ),
  }),
);
export type AuditEntry = z.output<typeof AuditEntry>;
