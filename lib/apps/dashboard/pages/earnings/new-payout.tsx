import { useLocation } from 'preact-iso';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { DateFilter } from '#lib/apps/web/parts/table/date-filter.tsx';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { usePartnerName } from '#lib/apps/dashboard/hooks/use-partner-name.ts';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { CarriedOver } from '#lib/apps/dashboard/payouts/due/carried-over.tsx';
import { ChangedTerms } from '#lib/apps/dashboard/payouts/due/changed-terms.tsx';
import { FrozenPayouts, usePayoutsFrozen } from '#lib/apps/dashboard/payouts/frozen-payouts.tsx';
import { HeldForReview } from '#lib/apps/dashboard/payouts/due/held-for-review.tsx';
import { NothingDue } from '#lib/apps/dashboard/payouts/due/nothing-due.tsx';
import { HeldItems, PreviewedItems } from '#lib/apps/dashboard/payouts/payout-items.tsx';
import { type PayoutChoice, type PreviewedChoice, RecordPayout } from '#lib/apps/dashboard/payouts/record-payout.tsx';
import { UnfinishedPayout } from '#lib/apps/dashboard/payouts/unfinished-payout.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { ListedPayout, Owed, PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** An open payout is among the newest payouts. */
const LATEST = { limit: 5 };

/** Previews a payout, with the button that records it. */
export function NewPayoutPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { route } = useLocation();
  const { values, change } = useFilters({ partner_id: '', through: '' });
  const choice = { partner_id: values.partner_id || undefined, through: values.through || undefined };
  const isAll = values.partner_id === '' && values.through === '';
  const chosenName = usePartnerName(values.partner_id);
  const previewed = async (of: PayoutChoice): Promise<PreviewedChoice> => ({
    choice: of,
    preview: await api.send<PayoutPreview>('POST', `${path}/payouts/preview`, of),
  });

  const open = useLoaded(async () => {
    const latest = await api.get<readonly ListedPayout[]>(`${path}/payouts`, LATEST);
    return latest.find(({ status }) => status === 'open');
  }, [api, path]);
  const all = useLoaded(() => previewed({}), [api, path]);
  const some = useLoaded<PreviewedChoice | undefined>(
    async () => (isAll ? undefined : previewed(choice)),
    [api, path, values.partner_id, values.through],
  );
  const owed = useLoaded(
    () => api.get<Owed>(`${path}/owed`, { partner_id: choice.partner_id }),
    [api, path, choice.partner_id],
  );
  const isFrozen = usePayoutsFrozen();
  const chosen = isAll ? all : some;
  const unfinished = open.state === 'ready' ? open.value : undefined;
  return (
    <Page title="Pay out" actions={<a href={programPath('payouts', program.id)}>All payouts</a>}>
      {isFrozen && <FrozenPayouts />}
      {unfinished ? (
        <UnfinishedPayout
          payout={unfinished}
          onFinished={() => route(programPath('payout', program.id, unfinished.id))}
        />
      ) : (
        <div class="stack">
          <div class="filters">
            <ChoiceFilter
              label="Partner"
              value={values.partner_id}
              onChange={(partner) => change({ partner_id: partner })}
              options={partnerOptions(
                all.state === 'ready' ? all.value.preview.items : [],
                values.partner_id,
                chosenName,
              )}
            />
            <DateFilter
              label="Last day of sales (UTC)"
              value={values.through}
              onChange={(through) => change({ through })}
            />
          </div>
          <HeldForReview />
          <RecordPayout
            key={JSON.stringify(choice)}
            shown={chosen.state === 'ready' ? chosen.value : undefined}
            isFrozen={isFrozen}
            onFailed={async () => {
              await Promise.all([open, all, some, owed].map(({ reload }) => reload()));
            }}
          />
          <WhenLoaded of={chosen}>
            {(shown) =>
              shown && (
                <>
                  <ChangedTerms changes={shown.preview.changed_terms} />
                  {shown.preview.items.length === 0 ? (
                    <NothingDue isAll={isAll} owed={owed} />
                  ) : (
                    <PreviewedItems items={shown.preview.items} />
                  )}
                  <HeldItems items={leftOut(shown.preview, 'held')} />
                  <CarriedOver items={leftOut(shown.preview, 'below_minimum')} />
                </>
              )
            }
          </WhenLoaded>
        </div>
      )}
    </Page>
  );
}

const leftOut = (preview: PayoutPreview, why: string): PayoutPreview['left_out'] =>
  preview.left_out.filter(({ reason }) => reason === why);

/** Partners with a due amount, and the selected partner even if it has none any more. */
function partnerOptions(items: PayoutPreview['items'], chosen: string, nameOfChosen: string): readonly Option[] {
  const due = new Map(
    items.map(({ partner_id: id, partner_name: name }) => [String(id), name ?? `Partner ${id}`] as const),
  );
  if (chosen !== '' && !due.has(chosen)) due.set(chosen, nameOfChosen);
  return [['', 'All partners'], ...due];
}
