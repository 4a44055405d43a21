import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

const pages = [
  { name: 'general', title: 'General', sections: ['program', 'status'] },
  { name: 'brand', title: 'Brand', sections: ['brand'] },
  { name: 'partners', title: 'Partners', sections: ['join'] },
  { name: 'terms', title: 'Terms', sections: ['terms', 'groups', 'versions'] },
  { name: 'payouts', title: 'Payouts', sections: ['payouts'] },
  { name: 'tracking', title: 'Tracking', sections: ['tracking', 'own-clicks'] },
  { name: 'rules', title: 'Traffic rules', sections: ['rules'] },
  { name: 'card-processor', title: 'Card processor', sections: ['processor'] },
  { name: 'api-key', title: 'API Key', sections: ['api-key', 'webhooks'] },
] as const;

type PageName = (typeof pages)[number]['name'];
/** The id of a section: the fragment of its address. */
export type SectionId = (typeof pages)[number]['sections'][number];

interface SettingsPage {
  /** The last part of the page's address. */
  readonly name: PageName;
  readonly title: string;
  readonly sections: readonly SectionId[];
}

/** The pages of a program's settings. */
export const settingsPages: readonly SettingsPage[] = pages;

/** The address of a page of the settings. The first page has the address of the settings themselves. */
export const settingsPath = (programId: number, page: PageName): string =>
  page === pages[0].name ? programPath('settings', programId) : programPath('settingsOf', programId, page);

const pageWith = (id: string): SettingsPage | undefined =>
  settingsPages.find(({ sections }) => (sections as readonly string[]).includes(id));

/** The address of a section of the settings. */
export const sectionPath = (programId: number, id: SectionId): string =>
  `${settingsPath(programId, pageWith(id)!.name)}#${id}`;

/**
 * The page that an address of the settings without a page means: the page of the section in the fragment, or that of
 * the card processor, whose site sends people back with a query.
 */
export const pageNamedBy = (fragment: string, query: Readonly<Record<string, string>>): PageName =>
  (pageWith(fragment.slice(1)) ?? pageWith(query['processor'] === undefined ? '' : 'processor') ?? settingsPages[0]!)
    .name;
