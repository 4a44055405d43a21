import { useState } from 'preact/hooks';
import { CodeForm } from '#lib/apps/dashboard/codes/code-form.tsx';
import { CodeActions } from '#lib/apps/dashboard/codes/code-actions.tsx';
import { codeColumns } from '#lib/apps/dashboard/codes/code-columns.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { PartnerChoice } from '#lib/apps/dashboard/parts/filters/partner-choice.tsx';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';

const introductions = {
  link_first: 'A payment with a partner’s code is that partner’s sale where no link, e-mail or user id finds another.',
  code_first: 'A payment with a partner’s code is that partner’s sale, also where another partner’s link came first.',
} as const;

export function CodesPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const filters = useFilters({ partner_id: '' });
  const { partner_id } = filters.values;
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<Code>(api, `${path}/codes`, { partner_id });
  return (
    <Page
      title="Codes"
      intro={`${introductions[program.code_precedence]} Who has bought before stays with their partner.`}
      actions={
        <button type="button" class="button primary" onClick={() => setAdding(true)}>
          Add code
        </button>
      }
    >
      <FilterBar filters={filters}>
        <PartnerFilter value={partner_id} onChange={(to) => filters.change({ partner_id: to })} />
      </FilterBar>
      <PagedTable
        label="Codes"
        pages={pages}
        keyOf={({ code }) => code}
        columns={[
          ...codeColumns,
          {
            title: 'Actions',
            isUntitled: true,
            cell: (code) => (
              <CodeActions code={code} onChange={(now) => pages.replace((one) => one.code === now.code, now)} />
            ),
          },
        ]}
        empty={
          partner_id === '' ? (
            <Empty title="No codes yet">
              <p>Give a partner a coupon code of your shop: it brings sales where people come without a link.</p>
            </Empty>
          ) : (
            <Empty title="This partner has no code">
              <button type="button" class="button" onClick={filters.reset}>
                Show all
              </button>
            </Empty>
          )
        }
      />
      {isAdding && (
        <Dialog title="Add code" onClose={() => setAdding(false)}>
          <PartnerChoice what="a code">
            {(field) => (
              <CodeForm onClose={() => setAdding(false)} onAdded={pages.reload}>
                {field}
              </CodeForm>
            )}
          </PartnerChoice>
        </Dialog>
      )}
    </Page>
  );
}
