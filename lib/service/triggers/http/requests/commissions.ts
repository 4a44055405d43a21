import { commissionStatuses } from '#lib/domain/commission.ts';
import type { Currencies } from '#lib/domain/currency.ts';
import type { RequestInput } from '#lib/service/triggers/http/account-endpoint.ts';
import { chosenQuery, flagQuery, idQuery, rangeQuery } from '#lib/service/triggers/http/query.ts';
import type { CommissionFilter } from '#lib/service/use-cases/list-commissions.ts';

/** Names of the query parameters that choose commissions. */
export const commissionFilters = ['status', 'partner_id', 'currency', 'flagged', 'from', 'to'] as const;

/** Which commissions are listed or exported. @throws Refusal */
export const commissionFilter = (sent: RequestInput, currencies: Currencies): CommissionFilter => ({
  status: chosenQuery(sent, 'status', commissionStatuses),
  partnerId: idQuery(sent, 'partner_id'),
  currency: chosenQuery(sent, 'currency', currencies),
  // Absent like every filter that is not sent: the cursor of an export names them all.
  isFlagged: flagQuery(sent, 'flagged') || undefined,
  ...rangeQuery(sent),
});
