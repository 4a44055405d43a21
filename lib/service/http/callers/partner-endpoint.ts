import { actorOf, type AuditActor, writtenDownActor } from '#lib/service/ground/changes/audit.ts';
import { hasConsented } from '#lib/service/programs/partners/partner.ts';
import { checkedEndpoint, dashboardFamily, type EndpointWork } from '#lib/service/http/callers/account-endpoint.ts';
import type { AccountCaller } from '#lib/service/http/callers/authorize.ts';
import {
  checkMayChange,
  type PartnerCaller,
  partnerCaller,
  portalCaller,
} from '#lib/service/http/callers/authorize-partner.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { recordOwnersView } from '#lib/service/http/callers/record-owners-view.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

interface Callers {
  readonly anyone: undefined;
  readonly account: AccountCaller;
  readonly partner: PartnerCaller;
}

/** What a function of `/api/partner/v1` declares. */
interface PartnerEndpoint<Needs extends keyof Callers, Input, Subject> extends EndpointWork<
  Callers[Needs],
  Input,
  Subject
> {
  /** Who may call the function: anyone, an account, or a partner of the program in the path. */
  readonly needs: Needs;
  /**
   * Set if the function changes something in the program. Then the partner must be active and must have accepted the
   * partner terms.
   */
  readonly changes?: true;
}

const { login } = dashboardFamily;

function actor(caller: Callers[keyof Callers]): AuditActor | undefined {
  if (!caller) return undefined;
  if (!('partner' in caller)) return actorOf(caller.account, 'partner');
  if (caller.isOwnersView) return actorOf(caller.account);
  // Until the person accepts, the audit list contains the name that the brand entered, not the name of the account.
  return hasConsented(caller.partner) ? actorOf(caller.account, 'partner') : writtenDownActor(caller.partner);
}

/**
 * The caller of a partner's route. If the caller is an owner who views the program as the partner, the audit list
 * records this, on every route.
 */
async function viewedPartnerCaller(call: RequestContext): Promise<PartnerCaller> {
  const caller = await partnerCaller(call, login);
  const { account, program, partner, isOwnersView } = caller;
  const viewer = { accountId: account.id, actor: actorOf(account) };
  if (isOwnersView) await recordOwnersView(call.deps, viewer, program, partner);
  return caller;
}

/**
 * A function of `/api/partner/v1`. Its rate limit, texts and errors are those of the dashboard, because the same people
 * use both.
 */
export function partnerEndpoint<Needs extends keyof Callers, Input, Subject>({
  needs,
  changes,
  ...work
}: PartnerEndpoint<Needs, Input, Subject>): Handler {
  const identify: { [Each in keyof Callers]: (call: RequestContext) => Promise<Callers[Each]> } = {
    anyone: async () => undefined,
    account: (call) => portalCaller(call, login),
    partner: viewedPartnerCaller,
  };
  const permits = (caller: Callers[Needs], now: Date): void => {
    if (changes && caller && 'partner' in caller) checkMayChange(caller, now);
  };
  return checkedEndpoint(dashboardFamily, { identify: identify[needs], actor, permits }, work);
}
