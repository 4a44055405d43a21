import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { PartnerPage } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';

/** The program whose pages are open. */
export interface CurrentProgram {
  readonly program: PortalProgram;
  readonly api: Api;
  /** Path of the program in the API. */
  readonly path: string;
  /** False if an owner is viewing the pages, and for a partner who left. */
  readonly mayChange: boolean;
  /** True while the partner has not accepted the newest terms. The service then rejects every other change. */
  readonly mustAccept: boolean;
  /** True if an owner is viewing the partner's pages instead of the partner. */
  readonly isOwnersView: boolean;
  /** Returns the address of a page. @param of id or name of what the page shows, if the path contains one */
  readonly addressOf: (page: PartnerPage, of?: string | number) => string;
  readonly reload: () => Promise<void>;
}

export const CurrentProgramContext = createContext<CurrentProgram | undefined>(undefined);

/** The program whose pages are open; their addresses begin with `/partner/programs/{id}`. */
export const useProgram = (): CurrentProgram => useContext(CurrentProgramContext)!;
