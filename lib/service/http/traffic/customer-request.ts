import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { ProgramCaller } from '#lib/service/http/callers/authorize.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';

/** The customer whose data a person asks for, by the click id in the path. @throws Refusal */
export const namedCustomer = async (
  deps: Deps,
  { program }: ProgramCaller,
  { click_id: clickId = '' }: Readonly<Record<string, string | undefined>>,
) => customerWithData(deps, program.id, isPlainText(clickId) ? clickId : undefined);
