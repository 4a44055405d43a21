import type { Answer, Api } from '#lib/apps/web/api.ts';
import type { Partner } from '#lib/wire/partner.ts';

const MOST = 25;
/** The service looks through a part of a long list at a time. */
const MOST_PARTS = 5;

/** How many applications wait for a decision, such as `3` or `25+`; undefined for none. @throws ApiError */
export async function loadApplications(api: Api, path: string): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let part = 1; part <= MOST_PARTS; part++) {
    const query = { status: 'applied', limit: MOST, cursor };
    const { data, meta }: Answer<readonly Partner[]> = await api.answer(`${path}/partners`, query);
    cursor = meta?.next_cursor ?? undefined;
    if (data.length > 0) return `${data.length}${cursor === undefined ? '' : '+'}`;
    if (cursor === undefined) break;
  }
  return undefined;
}
