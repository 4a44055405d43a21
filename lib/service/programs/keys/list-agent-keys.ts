import type { IssuedAgentKey } from '#lib/service/ground/addresses/credential.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { allAgentKeys } from '#lib/service/people/accounts/credentials-items.ts';

/** Every agent key ever issued, including revoked ones, oldest first. */
export const listAgentKeys = ({ table }: OperatorDeps): Promise<IssuedAgentKey[]> => allAgentKeys(table);
