import { Logger } from '@aws-lambda-powertools/logger';

/**
 * The codes of all log messages. They never change, so that alarms and searches can rely on them. A log line contains
 * the request id and the service's own ids, but never a body, header, e-mail address, key or customer key.
 */
export type LogCode =
  | 'request_failed'
  | 'request_overtaken'
  | 'rate_window_uncounted'
  | 'visits_untidied'
  | 'commission_failed'
  | 'tier_unsettled'
  | 'customer_keeps_key'
  | 'customer_erased'
  | 'origin_unchecked'
  | 'edge_secret_unknown'
  | 'edge_unchecked'
  | 'record_uncounted'
  | 'records_delayed'
  | 'counts_not_moved'
  | 'counters_rebuilt'
  | 'counters_not_rebuilt'
  | 'bursts_not_noted'
  | 'mail_domains_unread'
  | 'shard_not_advanced'
  | 'mail_failed'
  | 'mail_rejected'
  | 'mail_postponed'
  | 'mail_unanswered'
  | 'mails_delayed'
  | 'payout_delayed'
  | 'fact_failed'
  | 'facts_delayed'
  | 'later_clicks_delayed'
  | 'webhook_refused'
  | 'endpoint_not_woken'
  | 'deliveries_late'
  | 'processor_event_ignored'
  | 'connect_exchange_failed'
  | 'deauthorization_failed'
  | 'delivery_unnoted'
  | 'id_used_elsewhere'
  | 'unsold_payment_unnoted'
  | 'waiting_payments_failed'
  | 'canary_passed'
  | 'canary_failed'
  | 'certificate_expiring';

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  info(code: LogCode, fields?: LogFields): void;
  warn(code: LogCode, fields?: LogFields): void;
  /** Logs an error. @param cause the error; its name, message and stack appear only in the log */
  error(code: LogCode, cause: unknown, fields?: LogFields): void;
}

const LONGEST_TEXT = 200;

/** Shortens the texts in log fields. An error may quote what the caller sent, which can be very long. */
const cut = (fields: LogFields = {}): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, LONGEST_TEXT).toWellFormed() : value,
    ]),
  );

/**
 * Creates the log. Its level is read from the environment at this point.
 * @returns a function that makes a log whose lines contain the given fields of one request
 */
export function createLog(): (context: LogFields) => Log {
  const logger = new Logger({ serviceName: 'referral-tracking' });
  return (context) => ({
    info: (code, fields) => logger.info(code, { ...context, ...cut(fields) }),
    warn: (code, fields) => logger.warn(code, { ...context, ...cut(fields) }),
    error: (code, cause, fields) =>
      logger.error(code, {
        ...context,
        ...cut(fields),
        error: cause instanceof Error ? cause : new Error(String(cause)),
      }),
  });
}
