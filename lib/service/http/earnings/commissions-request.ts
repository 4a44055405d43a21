import { commissionStatuses } from '#lib/service/earnings/commissions/commission.ts';
import type { Currencies } from '#lib/service/ground/values/currency.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { chosenQuery, flagQuery, idQuery, rangeQuery } from '#lib/service/http/messages/query.ts';
import type { CommissionFilter } from '#lib/service/reports/lists/list-commissions.ts';

/** Query parameters that filter commissions. */
export const commissionFilters = ['status', 'partner_id', 'currency', 'flagged', 'from', 'to'] as const;

/** The filter of a list or an export. @throws Refusal */
export const commissionFilter = (sent: RequestInput, currencies: Currencies): CommissionFilter => ({
  status: chosenQuery(sent, 'status', commissionStatuses),
  partnerId: idQuery(sent, 'partner_id'),
  currency: chosenQuery(sent, 'currency', currencies),
  // `flagQuery` gives `false` if the filter was not sent. That must become undefined, or an export's cursor would
  // repeat it as a filter.
  isFlagged: flagQuery(sent, 'flagged') || undefined,
  ...rangeQuery(sent),
});
