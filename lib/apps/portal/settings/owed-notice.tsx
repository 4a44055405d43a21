import { dateText } from '#lib/apps/web/format.ts';
import { OverviewMoneys } from '#lib/apps/portal/home/overview-moneys.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { stillOwed } from '#lib/apps/portal/settings/still-owed.ts';
import type { PortalOverview } from '#lib/wire/reports/portal-overview.ts';

/** Says which money a person has not been paid by which program, and what happens to it when the account is closed. */
export function OwedNotice({ overview: { programs, complete } }: { readonly overview: PortalOverview }) {
  const { me } = useSession();
  const sandboxes = me.programs.filter(({ sandbox }) => sandbox).map(({ program_id: id }) => id);
  const owed = stillOwed(programs, new Set(sandboxes));
  const kinds = owed.flatMap((one) => one.kinds);
  const others = !complete && <p class="hint">Only 50 of your programs were read. Others may have money for you.</p>;
  if (owed.length === 0) return others || <p>All that you have earned is paid.</p>;
  return (
    <section class="stack" aria-label="Money that has not arrived">
      <p>
        <strong>Not all of your money has arrived:</strong>
      </p>
      {owed.map(({ of, kinds: some }) => (
        <div key={of.program_id}>
          <p class="strong">
            <bdi>{of.brand.name}</bdi>
          </p>
          <dl class="program-figures">
            {some.map(({ name, title }) => (
              <div key={name}>
                <dt>{title}</dt>
                <dd>
                  <OverviewMoneys of={of.amounts} name={name} />
                </dd>
              </div>
            ))}
          </dl>
          {of.next_payout_on !== null && <p class="hint">Next payout: {dateText(of.next_payout_on)}</p>}
        </div>
      ))}
      {kinds.some(({ isDecided }) => isDecided) && (
        <p>
          What is ready, held back or on the way stays yours, but a brand that has not sent it yet can then no longer
          see where to. Wait until it has arrived, or agree with the brand first how it pays you.
        </p>
      )}
      {kinds.some(({ isDecided }) => !isDecided) && (
        <p>
          What is pending or in review is decided later, without you: you cannot see here whether it becomes yours, and
          you are not paid by your details.
        </p>
      )}
      {others}
    </section>
  );
}
