import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

interface PartnerLinkProps {
  /** Null: of nobody. */
  readonly id: number | null;
  /** Null: no longer known. */
  readonly name: string | null;
}

/** A partner by name, which leads to the partner's page. */
export function PartnerLink({ id, name }: PartnerLinkProps) {
  const { program } = useProgram();
  if (id === null) return <span class="muted">–</span>;
  return (
    <a href={programPath('partner', program.id, id)}>
      <bdi>{name ?? `Partner ${id}`}</bdi>
    </a>
  );
}

/** A referral link by its name, which leads to its page. */
export function ShortLink({ of }: { readonly of: string }) {
  const { program } = useProgram();
  return <a href={programPath('link', program.id, of)}>{of}</a>;
}

interface CustomerLinkProps {
  readonly clickId: string;
  /** Null: not known. */
  readonly customerKey: string | null;
}

/** A customer by the brand's own id where it is known, which leads to its page. */
export function CustomerLink({ clickId, customerKey }: CustomerLinkProps) {
  const { program } = useProgram();
  const text = customerKey ?? clickId;
  return (
    <a class="identifier" title={text} href={programPath('customer', program.id, clickId)}>
      {text}
    </a>
  );
}
