import { plainActionText } from '#lib/apps/dashboard/audit/audit-texts.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

/** The compiler checks that every action is listed. */
const actions: Readonly<Record<AuditEntry['action'], true>> = {
  'workspace.created': true,
  'workspace.changed': true,
  'workspace.payer_changed': true,
  'member.invited': true,
  'member.changed': true,
  'member.joined': true,
  'member.removed': true,
  'invitation.declined': true,
  'program.created': true,
  'program.changed': true,
  'program.key_generated': true,
  'brand.changed': true,
  'group.created': true,
  'group.changed': true,
  'partner.added': true,
  'partner.changed': true,
  'partner.viewed_as': true,
  'link.created': true,
  'link.changed': true,
  'code.created': true,
  'code.changed': true,
  'sale.refund_corrected': true,
  'commission.granted': true,
  'commission.released': true,
  'commission.approved': true,
  'commission.rejected': true,
  'commission.reopened': true,
  'payout.begun': true,
  'payout.changed': true,
  'payout.exported': true,
  'payout.lines_changed': true,
  'payout_details.changed': true,
  'billing.changed': true,
  'customer.unlinked': true,
  'customer.exported': true,
  'customer.erased': true,
  'payment.retried': true,
  'processor.connected': true,
  'processor.disconnected': true,
  'processor.secret_set': true,
  'webhook.created': true,
  'webhook.changed': true,
  'webhook.deleted': true,
  'webhook.secret_rolled': true,
  'webhook.tested': true,
  'webhook.replayed': true,
};

/** All actions in words, to choose from. */
export const actionOptions: readonly Option[] = Object.keys(actions)
  .map((action): Option => [action, plainActionText(action)])
  .toSorted(([, a], [, b]) => (a < b ? -1 : 1));
