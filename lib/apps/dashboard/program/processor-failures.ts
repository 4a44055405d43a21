/** Explains why no account was connected, after Stripe's page has redirected back. */
const texts: Readonly<Record<string, string>> = {
  denied: 'The connection was declined on the processor’s page. Connect again when you want to allow it.',
  invalid_state: 'This connection attempt is unknown, was used before, or took longer than ten minutes. Connect again.',
  account_in_use:
    'That processor account is connected to another workspace. Choose another account, or ask its workspace to disconnect it.',
  exchange_failed: 'The processor did not confirm the connection. Connect again in a moment.',
};

export const processorFailureText = (reason = ''): string =>
  texts[reason] ?? 'The processor was not connected. Connect again.';
