import { useState } from 'preact/hooks';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { countOf, moneyText } from '#lib/apps/web/format.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import type { AuditEntry, AuditItem } from '#lib/wire/people/audit.ts';

/** Shows the amounts of an entry. For an entry about several objects, a button shows these. */
export function AuditAmounts({ entry, title }: { readonly entry: AuditEntry; readonly title: string }) {
  const [isOpen, setOpen] = useState(false);
  const { amounts, count } = entry;
  return (
    <>
      {Object.keys(amounts).length > 0 && <Moneys amounts={amounts} />}
      {count > 1 && (
        <button
          type="button"
          class="button small"
          aria-label={`Show the objects of ${title}, ${entry.at}`}
          onClick={() => setOpen(true)}
        >
          Show {countOf(count, 'object')}
        </button>
      )}
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <Items entryId={entry.id} />
        </Dialog>
      )}
    </>
  );
}

function Items({ entryId }: { readonly entryId: string }) {
  const { api } = useSession();
  const pages = usePages<AuditItem>(api, `/workspace/audit/${entryId}/items`, {});
  return (
    <PagedTable
      label="Objects"
      pages={pages}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Id', cell: ({ id }) => id },
        { title: 'For', cell: ({ name }) => name ?? '–' },
        {
          title: 'Amount',
          isNumber: true,
          cell: ({ amount_cents: cents, currency }) =>
            cents === null || currency === null ? '–' : moneyText(cents, currency),
        },
      ]}
      empty={<p class="hint">None.</p>}
    />
  );
}
