import type { ComponentChildren } from 'preact';
import type { Api } from '#lib/apps/web/api/api.ts';
import { SignedIn } from '#lib/apps/web/parts/frame/signed-in.tsx';
import { SessionContext } from '#lib/apps/portal/session.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalMe } from '#lib/wire/partners/portal-program.ts';

interface SignedInPartnerProps {
  readonly firstToken: string;
  /** Ends the session in this tab. @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
  readonly children: ComponentChildren;
}

const pages = { apiRoot: '/api/partner/v1', home: portalPaths.home };

/** Loads the session. Programs get the names of their brands, because partners know them by these names. */
async function loadSession(api: Api) {
  const me = await api.get<PortalMe>('/me');
  return { me: { ...me, programs: me.programs.map((program) => ({ ...program, name: program.brand.name })) } };
}

/** Loads the partner's session, then shows its children. */
export const SignedInPartner = ({ firstToken, onForget, children }: SignedInPartnerProps) => (
  <SignedIn pages={pages} firstToken={firstToken} onForget={onForget} load={loadSession}>
    {({ value, ...session }) => (
      <SessionContext.Provider value={{ ...session, ...value }}>{children}</SessionContext.Provider>
    )}
  </SignedIn>
);
