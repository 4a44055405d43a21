import type { Api } from '#lib/apps/web/api/api.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

export interface PartnerChoice {
  /** The partner id, as a string, as it appears in URLs and query parameters. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface PartnerChoices {
  readonly partners: readonly PartnerChoice[];
  /** Typing finds partners that are not listed. */
  readonly hasOthers: boolean;
}

/** Maximum partners per request. Programs with more are searched by the service. */
const LISTED = 100;

/**
 * Finds partners by the typed text. If one request lists all partners, it matches anywhere in name and address;
 * otherwise it matches the beginning of the name or the full address, like the service's search.
 * @param isActive lists active partners only; the search also finds others
 * @throws ApiError each time it fails
 */
export function partnerFinder(api: Api, path: string, isActive = false): (typed: string) => Promise<PartnerChoices> {
  let listed: Promise<PartnerChoices> | undefined;

  async function list(): Promise<PartnerChoices> {
    const { data, meta } = await api.answer<readonly Partner[]>(`${path}/partners`, {
      limit: LISTED,
      status: isActive ? 'active' : undefined,
    });
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
