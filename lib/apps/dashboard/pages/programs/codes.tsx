import { useState } from 'preact/hooks';
import { CodeActions } from '#lib/apps/dashboard/codes/code-actions.tsx';
import { CodeForm } from '#lib/apps/dashboard/codes/code-form.tsx';
import { PartnerChoice } from '#lib/apps/dashboard/parts/filters/partner-choice.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { countText } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { partner } from '#lib/apps/dashboard/lists/columns.tsx';
import { ofPartner } from '#lib/apps/dashboard/lists/filters.tsx';
import type { List } from '#lib/apps/web/lists/list.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { Code } from '#lib/wire/programs/codes/code.ts';

export const codeList: List<Code> = {
  name: 'codes',
  title: 'Codes',
  keyOf: ({ code }) => code,
  filters: [ofPartner],
  columns: [
    {
      title: 'Code',
      cell: ({ code, status }) => (
        <span class="link-line">
          <span class="strong">{code}</span>
          {status === 'disabled' && <Badge>Disabled</Badge>}
          <CopyButton text={code} what={`code ${code}`} />
        </span>
      ),
    },
    partner,
    { title: 'Discount', cell: ({ discount }) => discount ?? <span class="muted">–</span> },
    { title: 'Payments', isNumber: true, cell: ({ redemptions }) => countText(redemptions) },
    { title: 'Sales by it', isNumber: true, cell: ({ sales }) => countText(sales) },
    {
      title: 'At Stripe',
      cell: ({ processor_code_id: id }) => (id === null ? <span class="muted">The same text</span> : <code>{id}</code>),
    },
    { title: 'Added', cell: ({ created_at: at }) => <Day at={at} /> },
  ],
  empty: (
    <Empty title="No codes yet">
      <p>Give a partner a coupon code of your shop: it brings sales where people come without a link.</p>
    </Empty>
  ),
  noMatch: { title: 'This partner has no code', showAll: 'Show all' },
};

const introductions = {
  link_first: 'A payment with a partner’s code is that partner’s sale where no link, e-mail or user id finds another.',
  code_first: 'A payment with a partner’s code is that partner’s sale, also where another partner’s link came first.',
} as const;

export function CodesPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [isAdding, setAdding] = useState(false);
  const list = useList(codeList, api, path);
  const { pages } = list;
  return (
    <>
      <ListPage
        of={list}
        intro={`${introductions[program.code_precedence]} Who has bought before stays with their partner.`}
        actions={
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add code
          </button>
        }
        rowActions={(code) => (
          <CodeActions code={code} onChange={(now) => pages.replace((one) => one.code === now.code, now)} />
        )}
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
    </>
  );
}
