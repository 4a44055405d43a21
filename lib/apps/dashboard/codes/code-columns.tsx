import { countText } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { Code } from '#lib/wire/programs/codes/code.ts';

export const codeColumns: readonly Column<Code>[] = [
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
  { title: 'Partner', cell: ({ partner_id: id, partner_name: name }) => <PartnerLink id={id} name={name} /> },
  { title: 'Payments', isNumber: true, cell: ({ redemptions }) => countText(redemptions) },
  { title: 'Sales by it', isNumber: true, cell: ({ sales }) => countText(sales) },
  {
    title: 'At Stripe',
    cell: ({ processor_code_id: id }) => (id === null ? <span class="muted">The same text</span> : <code>{id}</code>),
  },
  { title: 'Added', cell: ({ created_at: at }) => <Day at={at} /> },
];
