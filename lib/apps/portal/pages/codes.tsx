import { countText } from '#lib/apps/web/format.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';

const columns: readonly Column<Code>[] = [
  {
    title: 'Code',
    cell: ({ code, status }) => (
      <span class="link-line">
        <span class="strong">{code}</span>
        {status === 'disabled' && <Badge>Off</Badge>}
        <CopyButton text={code} what={`code ${code}`} />
      </span>
    ),
  },
  { title: 'Sales for you', isNumber: true, cell: ({ sales }) => countText(sales) },
  { title: 'Times used', isNumber: true, cell: ({ redemptions }) => countText(redemptions) },
  { title: 'Made', cell: ({ created_at: at }) => <Day at={at} /> },
];

/** The partner's coupon codes, which earn commission without a click. */
export function CodesPage() {
  const { api, path } = useProgram();
  const pages = usePages<Code>(api, `${path}/codes`);
  return (
    <Page
      title="Codes"
      intro="A sale with one of your coupon codes is yours, also without a click. A customer who belongs to another partner already stays theirs."
    >
      <PagedTable
        label="Codes"
        pages={pages}
        keyOf={({ code }) => code}
        columns={columns}
        empty={
          <Empty title="You have no codes">
            <p>The brand makes them. Ask for one if you recommend where people cannot click, such as in a podcast.</p>
          </Empty>
        }
      />
    </Page>
  );
}
