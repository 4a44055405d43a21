import { salePath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

interface PartnerLinkProps {
  /** The partner's id; null if there is no partner. */
  readonly id: number | null;
  /** The partner's name; null if the name is not known any more. */
  readonly name: string | null;
}

/** Shows a partner's name, which links to the partner's page. */
export function PartnerLink({ id, name }: PartnerLinkProps) {
  const { program } = useProgram();
  if (id === null) return <span class="muted">–</span>;
  return (
    <a href={programPath('partner', program.id, id)}>
      <bdi>{name ?? `Partner ${id}`}</bdi>
    </a>
  );
}

/** Shows the name of a referral link, which leads to the page about the referral link. */
export function ShortLink({ of }: { readonly of: string }) {
  const { program } = useProgram();
  return <a href={programPath('link', program.id, of)}>{of}</a>;
}

interface CustomerLinkProps {
  readonly clickId: string;
  /** The brand's own id of the customer; null if it is not known. */
  readonly customerKey: string | null;
}

/** Shows a customer by the brand's own id, if it is known. It links to the customer's page. */
export function CustomerLink({ clickId, customerKey }: CustomerLinkProps) {
  const { program } = useProgram();
  const text = customerKey ?? clickId;
  return (
    <a class="identifier" title={text} href={programPath('customer', program.id, clickId)}>
      {text}
    </a>
  );
}

interface SaleLinkProps {
  readonly transactionId: string;
  readonly programId: number;
}

/** A link to the page that explains a sale. */
export const SaleLink = ({ transactionId, programId }: SaleLinkProps) => (
  <a class="identifier" title={transactionId} href={salePath(programId, transactionId)}>
    {transactionId}
  </a>
);
