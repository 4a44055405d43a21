import type { IssuedAgentKey } from '#lib/domain/credential.ts';
import type { OperatorDeps } from '#lib/deps.ts';
import { allAgentKeys } from '#lib/store/credentials.ts';

/** Every agent key that was issued, revoked ones included, oldest first. */
export const listAgentKeys = ({ table }: OperatorDeps): Promise<IssuedAgentKey[]> => allAgentKeys(table);
