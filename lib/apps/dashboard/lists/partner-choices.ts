import type { Api } from '#lib/apps/web/api/api.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

export interface PartnerChoice {
  /** The partner's id as text, as addresses and query parameters contain it. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface PartnerChoices {
  readonly partners: readonly PartnerChoice[];
  /** True if there are more partners than listed here; a person finds them by typing. */
  readonly hasOthers: boolean;
}

/** Maximum number of partners that one request returns. If a program has more, the service searches for the text. */
const LISTED = 100;

/**
 * Returns a function that finds partners by a typed text. If one request can load all partners, it finds the text
 * anywhere in a name or address. Otherwise the service searches for words of the name or address that begin with the
 * typed words.
 * @param isActive if true, only active partners are loaded; the service's search also finds others
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
