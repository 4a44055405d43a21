import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { isOfProgram, mayBlockSender } from '#lib/service/people/mail/mail.ts';
import type { StoredMail } from '#lib/service/people/mail/mails-items.ts';
import type { BrandShown } from '#lib/service/programs/brand/brand.ts';
import { brandShown } from '#lib/service/programs/brand/read-brand.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { termsInForce } from '#lib/service/programs/terms/terms-in-force.ts';
import { termsText } from '#lib/service/programs/terms/terms-text.ts';

/** The program and brand that send an e-mail to a partner or an invited person. */
export interface MailSender {
  readonly workspaceId: number;
  /** The program's brand; absent for e-mails that the service itself sends. */
  readonly brand?: BrandShown;
  /** What the program offers to an invited partner, in words. */
  readonly offer?: string;
}

/**
 * Loads the program and brand that send an e-mail. Undefined for e-mails about an account and for e-mails to owners,
 * which the service itself sends.
 */
export async function senderOf({ table }: Pick<Deps, 'table'>, mail: StoredMail): Promise<MailSender | undefined> {
  if (mail.kind === 'member_invited') return { workspaceId: mail.data.workspaceId };
  if (!(isOfProgram(mail.kind) || mayBlockSender(mail)) || !('programId' in mail.data)) return undefined;
  const program = await findProgram(table, mail.data.programId);
  if (!program) return undefined;
  const { workspaceId, currency } = program;
  if (!isOfProgram(mail.kind)) return { workspaceId };
  const [brand, terms] = await Promise.all([
    brandShown({ table }, program),
    mail.kind === 'partner_invited' ? termsInForce({ table }, program, mail.data.partnerId) : undefined,
  ]);
  return { workspaceId, brand, ...(terms && { offer: termsText(terms, currency) }) };
}
