import type { TermsOfPartner } from '#lib/domain/agreements.ts';
import { numericIdOf } from '#lib/domain/identifier.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { CLEARABLE, OWNER_FIELDS, partnerChange, seenPartner } from '#lib/service/triggers/http/requests/partner.ts';
import { comparedWith } from '#lib/service/triggers/http/requests/seen.ts';
import { changePartner } from '#lib/service/use-cases/change-partner.ts';
import { withCounts } from '#lib/service/use-cases/list-partners.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  ownerFields: OWNER_FIELDS,
  // Reads the counters first: a failed read after the write would hide that the write succeeded.
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
