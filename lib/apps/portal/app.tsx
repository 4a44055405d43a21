import { useLocation } from 'preact-iso';
import { Entrance, type Visit } from '#lib/apps/web/parts/frame/entrance.tsx';
import { JoinPage } from '#lib/apps/portal/pages/joining/join.tsx';
import { PartnerSignIn } from '#lib/apps/portal/pages/joining/sign-in.tsx';
import { PortalFrame } from '#lib/apps/portal/frame.tsx';
import { SignedInPartner } from '#lib/apps/portal/signed-in-partner.tsx';
import { programIdIn } from '#lib/apps/portal/static/page-paths.ts';

export const App = () => <Entrance>{(visit) => <Visited {...visit} />}</Entrance>;

/** Shows the page for an address. A program's join page is public; all other pages require a sign-in. */
function Visited({ installation, token, notice, forget }: Visit) {
  const { path, url } = useLocation();
  const returnTo = `${url}${location.hash}`;
  const programId = joinedProgramIn(path);

  if (token === undefined) {
    if (programId !== undefined) return <JoinPage programId={programId} returnTo={returnTo} />;
    return (
      <PartnerSignIn installation={installation} programId={programIdIn(path)} notice={notice} returnTo={returnTo} />
    );
  }
  return (
    <SignedInPartner firstToken={token} onForget={forget}>
      {programId === undefined ? <PortalFrame /> : <JoinPage programId={programId} returnTo={returnTo} />}
    </SignedInPartner>
  );
}

/** The program id in the path of a join page. The words after the id only make the address readable. */
function joinedProgramIn(path: string): number | undefined {
  const id = /^\/join\/(\d+)(?:\/[^/]*)?$/.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
}
