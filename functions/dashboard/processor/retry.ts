import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { retryPayment } from '#lib/service/conversions/waiting/retry-payment.ts';
import type { RetriedPayment } from '#lib/wire/conversions/processor.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ path, query }) => path.event_id ?? query.event_id ?? '',
  async run(deps, { program }, eventId) {
    const reason = (await retryPayment(deps, program, eventId)) ?? null;
    return { recorded: reason === null, reason } satisfies RetriedPayment;
  },
});
