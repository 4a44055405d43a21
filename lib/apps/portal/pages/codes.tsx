import { countText } from '#lib/apps/web/format.ts';
import type { List } from '#lib/apps/web/lists/list.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';

const codeList = (program: PortalProgram): List<Code> => ({
  name: 'codes',
  title: 'Codes',
  keyOf: ({ code }) => code,
  columns: [
    {
      title: 'Code',
      cell: ({ code, status }) => (
        <span class="link-line">
          <span class="strong">{code}</span>
          {status === 'disabled' && <Badge>Off</Badge>}
          {status === 'active' && program.status === 'active' && <CopyButton text={code} what={`code ${code}`} />}
        </span>
      ),
    },
    { title: 'Buyers get', cell: ({ discount }) => discount ?? <span class="muted">–</span> },
    { title: 'Sales for you', isNumber: true, cell: ({ sales }) => countText(sales) },
    { title: 'Times used', isNumber: true, cell: ({ redemptions }) => countText(redemptions) },
    { title: 'Made', cell: ({ created_at: at }) => <Day at={at} /> },
  ],
  empty: (
    <Empty title="You have no codes">
      <p>The brand makes them. Ask for one if you recommend where people cannot click, such as in a podcast.</p>
    </Empty>
  ),
});

/** Lists the partner's coupon codes. A customer who uses one earns commission for the partner even without a click. */
export function CodesPage() {
  const { program, api, path } = useProgram();
  return (
    <ListPage
      of={useList(codeList(program), api, path)}
      intro="A sale with one of your coupon codes is yours, also without a click. A customer who belongs to another partner already stays theirs."
    />
  );
}
