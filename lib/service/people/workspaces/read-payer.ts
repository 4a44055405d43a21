import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Payer } from '#lib/service/people/workspaces/payer.ts';
import { findPayer } from '#lib/service/people/workspaces/payer-items.ts';

/** Who pays the partners of a workspace, if an owner has said so. */
export const payerOf = ({ table }: Deps, workspaceId: number): Promise<Payer | undefined> =>
  findPayer(table, workspaceId);
