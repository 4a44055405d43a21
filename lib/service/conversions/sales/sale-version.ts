import { paymentStatusOf } from '#lib/service/conversions/payments/payment-status.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';

/** The values of a sale that API replies show and that may change after the sale was recorded. */
const shownOf = (sale: Sale): readonly unknown[] => {
  const { refundedCents, code, commissionId, attribution, isRecurring } = sale;
  const { clickId, customerKey, partnerId } = attribution ?? {};
  return [refundedCents, code, commissionId, isRecurring, clickId, customerKey, partnerId, paymentStatusOf(sale)];
};

/** Whether a change of a sale is visible in the sale's row in API replies. */
export const isShown = (before: Sale, after: Sale): boolean => {
  const shown = shownOf(before);
  return shownOf(after).some((value, index) => value !== shown[index]);
};

/** The version of a sale after a change. It increases only if the change is visible in API replies. */
export const versionAfter = (before: Sale, after: Sale): number | undefined =>
  isShown(before, after) ? versionOf(before) + 1 : before.version;
