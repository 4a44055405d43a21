import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Processor } from '#lib/wire/conversions/processor.ts';

/** A button that opens Stripe's page for connecting an account. That page returns to the settings. */
export function ConnectButton({ processor }: { readonly processor: Processor }) {
  const { api } = useSession();
  const { path } = useProgram();
  const connect = useAction(async () => {
    const { url } = await api.send<{ readonly url: string }>('POST', `${path}/processor/connect`);
    location.assign(url);
  });
  return (
    <div>
      <button
        type="button"
        class={`button ${processor.connected ? '' : 'primary'}`}
        aria-disabled={connect.isPending}
        onClick={connect.run}
      >
        {processor.account_id ? 'Connect another Stripe account' : 'Connect with Stripe'}
      </button>
      {connect.error && <Failure error={connect.error} />}
    </div>
  );
}
