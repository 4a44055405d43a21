import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { ListedTerms } from '#lib/service/programs/changed-terms/list-terms.ts';
import type { PreviewedTerms } from '#lib/service/programs/changed-terms/preview-terms.ts';
import type { Group } from '#lib/service/programs/terms/agreements.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Terms, TermsVersion } from '#lib/service/programs/terms/terms.ts';
import type * as wire from '#lib/wire/programs/terms.ts';

/**
 * The version of the terms by which something is paid.
 * @param partner the partner whose name is shown if the terms are personal
 */
export const termsVersionReply = (
  { version, from, name }: TermsVersion,
  partner: Pick<Partner, 'name'> | undefined,
): wire.TermsVersion => ({ version, from, name: name ?? partner?.name ?? null });

export const termsReply = (terms: Terms): wire.Terms => ({
  commission_type: terms.commissionType,
  commission_rate: terms.commissionRate,
  duration_months: terms.durationMonths || null,
  hold_period_days: terms.holdPeriodDays,
  lead_commission_cents: terms.leadCommissionCents ?? 0,
  tiers: (terms.tiers ?? []).map(({ fromSales, rate }) => ({ from_sales: fromSales, rate })),
});

export const groupReply = ({ id, name, terms, partnerIds, createdAt }: Group): wire.Group => ({
  id,
  name,
  terms: termsReply(terms),
  partners: partnerIds.size,
  created_at: createdAt,
});

export const listedTermsReply = ({ terms, history, isInForce, name, authorEmail }: ListedTerms): wire.ListedTerms => ({
  version: terms.version.version,
  from: terms.version.from,
  id: history.id ?? null,
  name: name ?? null,
  terms: termsReply(terms),
  status: isInForce ? 'in_force' : 'past',
  effective_at: history.effectiveAt ?? null,
  ended_at: history.endedAt ?? null,
  created_by: history.by ? { name: history.by.name, email: authorEmail ?? null } : null,
});

export const termsPreviewReply = ({ before, after, ...counted }: PreviewedTerms): wire.TermsPreview => ({
  changes: changesBetween(termsReply(before), termsReply(after)),
  partners: counted.partners,
  groups_unaffected: counted.groupsUnaffected,
  partners_unaffected: counted.partnersUnaffected,
});
