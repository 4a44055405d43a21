import type { TermsOfPartner } from '#lib/service/programs/terms/agreements.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { CLEARABLE, OWNER_FIELDS, partnerChange, seenPartner } from '#lib/service/http/partners/partner-request.ts';
import { comparedWith } from '#lib/service/http/messages/seen-request.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { withCounts } from '#lib/service/reports/lists/list-partners.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields: OWNER_FIELDS,
  // The counters are read first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) =>
    withCounts(deps, program, await partnerOf(deps, program.id, numericIdOf(path.partner_id)), { mayChange: true }),
  clearable: CLEARABLE,
  input: ({ json }) => ({ change: partnerChange(json()), seen: seenPartner(json()) }),
  async run(deps, { program, role }, { change, seen }, found) {
    const replyOf = (present: Partial<typeof found>) => partnerReply({ ...found, ...present }, deps.now, role);
    const ofPartner = (partner: Partner) => replyOf({ partner });
    const changed = await changePartner(deps, program, found.partner.id, change, {
      person: comparedWith(seen.person, ofPartner),
      terms: comparedWith(seen.terms, (terms: TermsOfPartner) => replyOf({ terms })),
      status: comparedWith(seen.status, ofPartner),
    });
    return replyOf(changed);
  },
});
