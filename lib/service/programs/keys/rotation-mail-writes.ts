import type { ProgramKey } from '#lib/service/ground/addresses/credential.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes of the mails which tell the owners of a program that its key must be replaced.
 * @param at when the mail will be sent; it distinguishes the mails about one rotation
 */
export const rotationMailWrites = (
  { id: programId, name: programName, workspaceId }: Program,
  { rotationMarkedAt, rotationDeadline }: Required<Pick<ProgramKey, 'rotationMarkedAt' | 'rotationDeadline'>>,
  at: string,
  now: Date,
): Write[] =>
  mailWrites({
    kind: 'key_rotation_due',
    fact: `${programId} ${rotationMarkedAt} ${at}`,
    to: { ownersOf: workspaceId },
    data: { programId, programName, deadline: rotationDeadline },
    now,
  });
