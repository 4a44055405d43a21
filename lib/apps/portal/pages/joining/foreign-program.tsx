import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';

/** For a person who has opened a program's page, but whose address is not a partner's there. */
export function ForeignProgramPage() {
  const { me, signOut } = useSession();
  const leave = useAction(() => signOut());
  return (
    <Page title="This is none of your programs">
      <div class="card stack">
        <p>
          You are signed in as <strong>{me.account.email}</strong>; this address is no partner of this program. If you
          joined with another address, sign out and sign in with that one.
        </p>
        <div class="form-buttons">
          <a class="button" href={portalPaths.home}>
            Your programs
          </a>
          <button type="button" class="button" aria-disabled={leave.isPending} onClick={leave.run}>
            Sign out
          </button>
        </div>
        {leave.error && <Failure error={leave.error} />}
      </div>
    </Page>
  );
}
