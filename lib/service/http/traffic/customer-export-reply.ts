import { spelledFields } from '#lib/service/http/messages/spelled.ts';
import type { StoredRecord } from '#lib/service/reports/exports/export-customer.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type * as wire from '#lib/wire/traffic/customer-export.ts';

/** Attributes that the file leaves out, because they are only keys or technical data. */
const OF_THE_TABLE: ReadonlySet<string> = new Set(['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'expires_at']);

type Row = wire.CustomerExport['records'][number];

/** The file of a customer's data: a JSON object with all records. The records are written in several parts. */
export function customerJson({ clickId, programId }: Pick<Customer, 'clickId' | 'programId'>, now: Date) {
  const about = { exported_at: now.toISOString(), program_id: programId, click_id: clickId };
  return {
    header: `${JSON.stringify(about).slice(0, -1)},"records":[`,
    lines: (records: readonly StoredRecord[], isFirst: boolean): string =>
      records.map((record, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(rowOf(record))}`).join(''),
    footer: '\n]}\n',
  };
}

const rowOf = ({ kind, stored }: StoredRecord): Row => ({
  record: kind,
  ...spelledFields(Object.fromEntries(Object.entries(stored).filter(([name]) => !OF_THE_TABLE.has(name)))),
});
