import type { IssuedAgentKey } from '#lib/domain/credential.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { allAgentKeys } from '#lib/service/store/credentials.ts';

/** Every agent key that was issued, revoked ones included, oldest first. */
export const listAgentKeys = ({ table }: OperatorDeps): Promise<IssuedAgentKey[]> => allAgentKeys(table);
