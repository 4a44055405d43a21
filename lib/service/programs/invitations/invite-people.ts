import { NONE_PENDING } from '#lib/service/people/invitations/invitation-limits.ts';
import { addressListedTwice, invitationNotTried } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { addPartner, decidePartner, type WantedPartner } from '#lib/service/programs/partners/add-partner.ts';

/** A line of a list of invitations. */
export interface InvitationLine {
  readonly email: string;
  /** Reads the fields of the line. @throws Refusal for the first wrong field */
  readonly read: () => WantedPartner;
}

/** The result for a line. */
export interface InvitationAnswer {
  readonly email: string;
  readonly status: 'invited' | 'ready' | 'refused';
  readonly partnerId?: number;
  readonly error?: unknown;
}

/**
 * Invites people one by one, so that a refused line does not affect the others. A second line with the same address is
 * refused, and so are the lines that are left when the request's time is over.
 * @param isPreview whether the lines are only checked, and nothing is written
 * @returns an answer for each line, in order
 */
export async function invitePeople(
  deps: Deps,
  programId: number,
  lines: readonly InvitationLine[],
  isPreview: boolean,
): Promise<InvitationAnswer[]> {
  const decide = isPreview ? await previewing(deps, programId, lines) : inviting(deps, programId);
  const seen = new Set<string>();
  const answers: InvitationAnswer[] = [];
  for (const { email, read } of lines) {
    const isSecond = seen.has(email);
    seen.add(email);
    try {
      const wanted = { ...read(), invite: true };
      if (isSecond) throw addressListedTwice();
      if (deps.deadline?.aborted) throw invitationNotTried();
      answers.push({ email, ...(await decide(wanted)) });
    } catch (error) {
      answers.push({ email, status: 'refused', error });
    }
  }
  return answers;
}

type Decide = (wanted: WantedPartner) => Promise<Omit<InvitationAnswer, 'email'>>;

const inviting =
  (deps: Deps, programId: number): Decide =>
  async (wanted) => {
    // Inviting the previous person has changed items that this line depends on, so they are read again.
    deps.table.forget();
    const { id } = await addPartner(deps, programId, wanted);
    return { status: 'invited', partnerId: id };
  };

async function previewing(deps: Deps, programId: number, lines: readonly InvitationLine[]): Promise<Decide> {
  let pending = NONE_PENDING;
  // The reads of all lines start together, so they are combined into batches. The decisions below find the items in the
  // request's cache.
  await Promise.allSettled(lines.map(async ({ read }) => decidePartner(deps, programId, { ...read(), invite: true })));
  return async (wanted) => {
    const { invitation } = await decidePartner(deps, programId, wanted, pending);
    pending = invitation?.pending ?? pending;
    return { status: 'ready' };
  };
}
