import type { Api } from '#lib/apps/web/api.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

/** A partner to choose. */
export interface PartnerChoice {
  /** As the address and the API have it. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface PartnerChoices {
  readonly partners: readonly PartnerChoice[];
  /** Typing finds others. */
  readonly hasOthers: boolean;
}

/** As many as one request lists. A program with more of them is searched by the service. */
const LISTED = 100;

/**
 * Finds partners by what is typed: among all, anywhere in name and address, where one page lists all; else by the
 * beginning of the name or the whole address, as the service searches.
 * @throws ApiError, each time
 */
export function partnerFinder(api: Api, path: string): (typed: string) => Promise<PartnerChoices> {
  let listed: Promise<PartnerChoices> | undefined;

  async function list(): Promise<PartnerChoices> {
    const { data, meta } = await api.answer<readonly Partner[]>(`${path}/partners`, { limit: LISTED });
    const partners = data.map(({ id, name, email }) => ({ id: String(id), name, email: email ?? '' }));
    return { partners, hasOthers: meta?.next_cursor != null };
  }
  async function search(q: string): Promise<PartnerChoices> {
    const found = await api.get<readonly SearchResult[]>(`${path}/search`, { q });
    const partners = found
      .filter(({ kind }) => kind === 'partner')
      .map(({ id, label, detail }) => ({ id, name: label, email: detail }));
    return { partners, hasOthers: false };
  }
  return async (typed) => {
    listed ??= list().catch((error: unknown) => {
      listed = undefined;
      throw error;
    });
    const all = await listed;
    const text = typed.trim();
    if (text === '') return all;
    return all.hasOthers ? search(text) : { partners: matching(all.partners, text), hasOthers: false };
  };
}

function matching(partners: readonly PartnerChoice[], text: string): readonly PartnerChoice[] {
  const wanted = text.toLowerCase();
  return partners.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
}
