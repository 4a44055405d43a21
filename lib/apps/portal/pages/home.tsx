import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { ActiveProgram } from '#lib/apps/portal/home/active-program.tsx';
import { isNotActive, type NotActive, OtherProgram } from '#lib/apps/portal/home/other-program.tsx';
import { OverviewTiles } from '#lib/apps/portal/home/overview-tiles.tsx';
import { NoDetails } from '#lib/apps/portal/payout-details/no-details.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';
import type { PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';
import type { PortalOverview } from '#lib/wire/reports/portal-overview.ts';

/**
 * Lists the person's programs: first the active ones with what the person earns, then invitations, applications and
 * ended partnerships.
 */
export function HomePage() {
  const { me } = useSession();
  return (
    <Page title="Your programs" intro="The brands that you recommend, and those that asked you to.">
      {me.programs.length === 0 ? <NoProgram /> : <Programs />}
    </Page>
  );
}

function NoProgram() {
  const { me } = useSession();
  return (
    <div class="card">
      <Empty title="You are in no program yet">
        <p>
          A brand adds you by the address <strong>{me.account.email}</strong>, or gives you the address of its page to
          join. If you were invited with another address, sign in with that one.
        </p>
      </Empty>
    </div>
  );
}

/** Whether a brand owes the person something, now or when a hold is over. */
const isOwed = ({ totals }: PortalOverview): boolean =>
  Object.values(totals).some(
    ({ pending_cents: pending, in_review_cents: inReview, ready_cents: ready, held_back_cents: held }) =>
      pending + inReview + ready + held > 0,
  );

function Programs() {
  const { api, me } = useSession();
  const active = me.programs.filter(({ status }) => status === 'active');
  const others = me.programs.filter(isNotActive);
  const hasFigures = me.programs.some(({ status }) => status === 'active' || status === 'removed');
  const overview = useLoaded(
    () => (hasFigures ? api.get<PortalOverview>('/overview') : Promise.resolve(undefined)),
    [api, hasFigures],
  );
  const hasEarned = overview.state === 'ready' && overview.value !== undefined && isOwed(overview.value);
  const details = useLoaded(
    () => (hasEarned ? api.get<PayoutDetails | null>('/payout-details') : Promise.resolve(undefined)),
    [api, hasEarned],
  );
  const rows = (overview.state === 'ready' && overview.value?.programs) || [];
  const figuresOf = ({ program_id: id }: JoinedProgram) => rows.find(({ program_id: of }) => of === id);
  /** The overview's order; programs without figures are last. */
  const placeOf = ({ program_id: id }: JoinedProgram): number => {
    const place = rows.findIndex(({ program_id: of }) => of === id);
    return place === -1 ? rows.length : place;
  };
  const groups: readonly (readonly [string, readonly NotActive['status'][]])[] = [
    ['Invitations', ['invited']],
    ['Applications', ['applied', 'rejected']],
    ['Ended', ['removed', 'expired']],
  ];
  return (
    <>
      {hasFigures && (
        <WhenLoaded
          of={overview}
          pending={
            <div class="card tiles">
              <Skeleton lines={2} />
            </div>
          }
        >
          {(loaded) => loaded && <OverviewTiles of={loaded} />}
        </WhenLoaded>
      )}
      {details.state === 'ready' && details.value === null && <NoDetails />}
      {active.length > 0 && (
        <section aria-labelledby="active">
          <h2 id="active" class="visually-hidden">
            Active
          </h2>
          <ul class="program-list plain-list">
            {active
              .toSorted((a, b) => placeOf(a) - placeOf(b))
              .map((program) => (
                <ActiveProgram key={program.program_id} program={program} figures={figuresOf(program)} />
              ))}
          </ul>
        </section>
      )}
      {groups.map(([title, statuses]) => {
        const some = others.filter(({ status }) => statuses.includes(status));
        return (
          some.length > 0 && (
            <section key={title} aria-label={title}>
              <div class="section-header">
                <h2>{title}</h2>
              </div>
              <ul class="program-list plain-list">
                {some.map((program) => (
                  <OtherProgram key={program.program_id} program={program} figures={figuresOf(program)} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </>
  );
}
