import { salePath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

interface PartnerLinkProps {
  /** The partner's id; null if there is no partner. */
  readonly id: number | null;
  /** The partner's name; null if it is no longer known. */
  readonly name: string | null;
}

/** A partner's name with a link to its page. */
export function PartnerLink({ id, name }: PartnerLinkProps) {
  const { program } = useProgram();
  if (id === null) return <span class="muted">–</span>;
  return (
    <a href={programPath('partner', program.id, id)}>
      <bdi>{name ?? `Partner ${id}`}</bdi>
    </a>
  );
}

/** A referral link's name with a link to its page. */
export function ShortLink({ of }: { readonly of: string }) {
  const { program } = useProgram();
  return <a href={programPath('link', program.id, of)}>{of}</a>;
}

interface CustomerLinkProps {
  readonly clickId: string;
  /** The brand's id of the customer; null if unknown. */
  readonly customerKey: string | null;
}

/** A customer, by the brand's own id if known, with a link to its page. */
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

/** Links to the explanation of a sale. */
export const SaleLink = ({ transactionId, programId }: SaleLinkProps) => (
  <a class="identifier" title={transactionId} href={salePath(programId, transactionId)}>
    {transactionId}
  </a>
);
