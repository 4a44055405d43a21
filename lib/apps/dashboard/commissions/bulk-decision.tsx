import { useState } from 'preact/hooks';
import { BulkDialog } from '#lib/apps/dashboard/bulk/bulk-dialog.tsx';
import { BulkForm } from '#lib/apps/dashboard/commissions/bulk-form.tsx';
import { CommissionSource } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import {
  type Decision,
  isDecided,
  mayBeDecided,
  type DecidableStatus,
  outcomes,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Query } from '#lib/apps/web/api/api.ts';
import { gatherRows } from '#lib/apps/web/api/gather-rows.ts';
import { countOf } from '#lib/apps/web/format.ts';
import type { Commission, DecidedCommission } from '#lib/wire/earnings/commission.ts';

/** The commissions about which the owner decides: selected rows, or all that match these filters. */
export type BulkSubject = { readonly rows: readonly Commission[] } | { readonly filters: Query };

interface BulkDecisionProps {
  readonly decision: Decision;
  /** The status that the commissions have before the decision. */
  readonly status: DecidableStatus;
  readonly subject: BulkSubject;
  readonly onClose: () => void;
  /** Called when at least one commission was decided. */
  readonly onDecided: () => void;
}

/** Decides about many commissions, after a question that says how many they are and what they sum up to. */
export function BulkDecision({ decision, status, subject, onClose, onDecided }: BulkDecisionProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  // The audit list has one entry for all of these requests, even for those that are repeated after a failure.
  const [batch] = useState(() => crypto.randomUUID());
  return (
    <BulkDialog<Commission, DecidedCommission>
      titleOf={(count) =>
        `${verbs[decision]} ${count === undefined ? `${status} commissions` : countOf(count, `${status} commission`)}`
      }
      subject={
        'rows' in subject
          ? subject.rows
          : (task) => gatherRows<Commission>(api, `${path}/commissions`, subject.filters, task)
      }
      outcome={outcomes[decision]}
      form={(found, submit) => (
        <BulkForm decision={decision} status={status} found={found} onSubmit={submit} onCancel={onClose} />
      )}
      send={(ids, { reason }) => api.send('POST', `${path}/commissions/${decision}`, { ids, reason, batch })}
      isDone={(one) => isDecided(decision, one)}
      mayBecome={(one) => mayBeDecided(decision, one)}
      nameOf={(commission) => <CommissionSource commission={commission} programId={program.id} />}
      onClose={onClose}
      onChanged={onDecided}
    />
  );
}
