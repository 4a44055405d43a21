import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { customerColumns } from '#lib/apps/dashboard/customers/customer-columns.tsx';
import { statusOptions } from '#lib/apps/dashboard/customers/customer-texts.ts';
import { customerCsv } from '#lib/apps/dashboard/customers/customer-csv.ts';
import { csvExport, csvName } from '#lib/apps/dashboard/lists/csv-export.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

const everybody = { status: '', partner_id: '' };

/** Customers who signed up or paid after a click, or with a code. */
export function CustomersPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const filters = useFilters(everybody);
  const pages = usePages<Customer>(api, `${path}/customers`, filters.values);
  const { status, partner_id: partnerId } = filters.values;
  return (
    <Page
      title="Customers"
      intro="Everyone who signed up or paid after coming through a partner's link, or with a partner's code, newest first."
      actions={
        <ExportButton
          fileName={csvName('customers', program.id)}
          make={csvExport<Customer>(api, `${path}/customers`, filters.values, customerCsv)}
        />
      }
    >
      <FilterBar filters={filters}>
        <ChoiceFilter
          label="Status"
          value={status}
          onChange={(chosen) => filters.change({ status: chosen })}
          options={statusOptions}
        />
        <PartnerFilter value={partnerId} onChange={(chosen) => filters.change({ partner_id: chosen })} />
      </FilterBar>
      <PagedTable
        label="Customers"
        pages={pages}
        keyOf={({ click_id: clickId }) => clickId}
        columns={customerColumns(program.id)}
        empty={
          filters.changed > 0 ? (
            <Empty title="No customer matches these filters">
              <button type="button" class="button" onClick={filters.reset}>
                Show everyone
              </button>
            </Empty>
          ) : (
            <Empty title="No customers yet">
              <p>The first person who signs up or pays after clicking on a partner’s link appears here.</p>
            </Empty>
          )
        }
      />
    </Page>
  );
}
