import { useLocation } from 'preact-iso';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { ChangedTerms } from '#lib/apps/dashboard/payouts/due/changed-terms.tsx';
import { HeldForReview } from '#lib/apps/dashboard/payouts/due/held-for-review.tsx';
import { NothingDue } from '#lib/apps/dashboard/payouts/due/nothing-due.tsx';
import { FrozenPayouts, usePayoutsFrozen } from '#lib/apps/dashboard/payouts/frozen-payouts.tsx';
import { chosenOf, type PayoutChoice, type PreviewedChoice } from '#lib/apps/dashboard/payouts/new/chosen-payout.ts';
import { LeftOut } from '#lib/apps/dashboard/payouts/new/left-out.tsx';
import { PreviewedItems } from '#lib/apps/dashboard/payouts/new/previewed-items.tsx';
import { RecordPayout } from '#lib/apps/dashboard/payouts/new/record-payout.tsx';
import { useTicks } from '#lib/apps/dashboard/payouts/new/use-ticks.ts';
import { UnfinishedPayout } from '#lib/apps/dashboard/payouts/unfinished-payout.tsx';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { DateFilter } from '#lib/apps/web/parts/table/date-filter.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import type { ListedPayout, Owed, PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** If a payout is open, it is always among the newest ones, so only this many are loaded to find it. */
const LATEST = { limit: 5 };
const WHOLE = { only_with_details: true } as const;

/** Shows what a payout would contain, with filters, a checkbox per partner, and the button that records the payout. */
export function NewPayoutPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { route } = useLocation();
  const filters = useFilters({ partner_id: '', method: '', currency: '', through: '' });
  const { values, change } = filters;
  const isAll = filters.changed === 0;
  const choice: PayoutChoice = {
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
    ...WHOLE,
  };
  const previewed = async (of: PayoutChoice): Promise<PreviewedChoice> => ({
    choice: of,
    preview: await api.send<PayoutPreview>('POST', `${path}/payouts/preview`, of),
  });

  const open = useLoaded(async () => {
    const latest = await api.get<readonly ListedPayout[]>(`${path}/payouts`, LATEST);
    return latest.find(({ status }) => status === 'open');
  }, [api, path]);
  const all = useLoaded(() => previewed(WHOLE), [api, path]);
  const some = useLoaded<PreviewedChoice | undefined>(
    async () => (isAll ? undefined : previewed(choice)),
    [api, path, JSON.stringify(values)],
  );
  const owed = useLoaded(
    () => api.get<Owed>(`${path}/owed`, { partner_id: values.partner_id }),
    [api, path, values.partner_id],
  );
  const isFrozen = usePayoutsFrozen();
  const chosen = isAll ? all : some;
  const shown = chosen.state === 'ready' ? chosen.value : undefined;
  const { ticks, unticked } = useTicks(shown?.preview.items ?? []);
  const unfinished = open.state === 'ready' ? open.value : undefined;
  const dues = all.state === 'ready' ? all.value.preview : undefined;
  return (
    <Page title="Pay out" back={<a href={programPath('payouts', program.id)}>All payouts</a>}>
      {isFrozen && <FrozenPayouts />}
      {unfinished ? (
        <UnfinishedPayout
          payout={unfinished}
          onFinished={() => route(programPath('payout', program.id, unfinished.id))}
        />
      ) : (
        <div class="stack">
          <FilterBar filters={filters}>
            <PartnerFilter value={values.partner_id} onChange={(partner) => change({ partner_id: partner })} />
            <ChoiceFilter
              label="Paid to"
              value={values.method}
              onChange={(method) => change({ method })}
              options={[['', 'All methods'], ...Object.entries(payoutMethods)]}
            />
            <ChoiceFilter
              label="Currency"
              value={values.currency}
              onChange={(currency) => change({ currency })}
              options={[
                ['', 'All currencies'],
                ...currenciesOf(dues, values.currency).map((one): Option => [one, one]),
              ]}
            />
            <DateFilter
              label="Last day of sales (UTC)"
              value={values.through}
              onChange={(through) => change({ through })}
            />
          </FilterBar>
          <HeldForReview />
          <RecordPayout
            key={JSON.stringify(choice)}
            shown={shown && chosenOf(shown, values.partner_id === '' ? unticked : new Set())}
            isFrozen={isFrozen}
            onFailed={async () => {
              await Promise.all([open, all, some, owed].map(({ reload }) => reload()));
            }}
          />
          <WhenLoaded of={chosen}>
            {(loaded) =>
              loaded && (
                <>
                  <ChangedTerms changes={loaded.preview.changed_terms} />
                  {loaded.preview.items.length === 0 ? (
                    <NothingDue isAll={isAll} owed={owed} />
                  ) : (
                    <PreviewedItems
                      preview={loaded.preview}
                      ticks={isOwner && values.partner_id === '' ? ticks : undefined}
                    />
                  )}
                  <LeftOut preview={loaded.preview} />
                </>
              )
            }
          </WhenLoaded>
        </div>
      )}
    </Page>
  );
}

/** The currencies in which something is due, and the selected currency, even if nothing is due in it. */
const currenciesOf = (dues: PayoutPreview | undefined, chosen: string): readonly string[] =>
  [...new Set([...Object.keys(dues?.totals ?? {}), chosen])].filter((currency) => currency !== '').toSorted();
