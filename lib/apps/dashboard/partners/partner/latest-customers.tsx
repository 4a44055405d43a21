import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { customerColumns } from '#lib/apps/dashboard/customers/customer-columns.tsx';
import { Latest } from '#lib/apps/dashboard/partners/partner/latest.tsx';
import type { Customer } from '#lib/wire/traffic/customer.ts';

export function LatestCustomers({ partnerId }: { readonly partnerId: string }) {
  const { program } = useProgram();
  return (
    <Latest<Customer>
      of="customers"
      partnerId={partnerId}
      keyOf={({ click_id: id }) => id}
      columns={customerColumns(program.id).filter(({ title }) => title !== 'Partner')}
    />
  );
}
