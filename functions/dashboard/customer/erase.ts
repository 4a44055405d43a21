import { erasureUnconfirmed } from '#lib/service/ground/values/refusals.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import { requestErasure } from '#lib/service/operations/erasure/request-erasure.ts';

/** The request must repeat the click id, so that no customer is erased by a single click. */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, { click_id: clickId }) => customerWithData(deps, program.id, clickId),
  // If the erasure has begun already, the request only asks for its progress, so it needs no recent sign-in.
  recentSignIn: { when: ({ subject }) => subject.erasedAt === undefined },
  input: ({ json, path }) => {
    if (json()['confirm'] !== path['click_id']) throw erasureUnconfirmed();
  },
  async run(deps, { program }, _, customer) {
    const { clickId, status, sales } = await requestErasure(deps, program, customer);
    return { click_id: clickId, status, sales };
  },
});
