import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { ProgramCaller } from '#lib/service/http/callers/authorize.ts';
import { customerToErase } from '#lib/service/operations/erasure/erase-customer.ts';

/** The customer whose data a person asks for, by the click id in the path. @throws Refusal */
export const namedCustomer = async (
  deps: Deps,
  { program }: ProgramCaller,
  { click_id: clickId = '' }: Readonly<Record<string, string | undefined>>,
) => customerToErase(deps, program.id, isPlainText(clickId) ? clickId : undefined);
