import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { brandReply } from '#lib/service/http/programs/brand-reply.ts';
import { brandChange } from '#lib/service/http/programs/brand-request.ts';
import type { Brand } from '#lib/service/programs/brand/brand.ts';
import { changeBrandTexts } from '#lib/service/programs/brand/change-brand-texts.ts';
import { brandFields } from '#lib/wire/programs/brand/brand-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  clearable: brandFields,
  input: ({ json }) => ({ change: brandChange(json()), seen: seenIn(json(), brandFields) }),
  async run(deps, { program }, { change, seen }) {
    const reply = (brand: Brand | undefined) => brandReply(program.id, brand);
    return reply(await changeBrandTexts(deps, program, change, comparedWith(seen, reply)));
  },
});
