import * as z from 'zod/mini';
import { commissionTypes } from '#lib/service/programs/terms/terms.ts';
import { CLICK_ID } from '#lib/service/ground/values/identifier.ts';

/** The description of a schema in the document. A schema with an id becomes a component that others refer to. */
export const metadata = z.registry<{ id?: string; description?: string; format?: string }>();

/** A schema that the document shows as a named component. */
export function named<Schema extends z.ZodMiniType>(id: string, schema: Schema, description?: string): Schema {
  metadata.add(schema, { id, ...(description !== undefined && { description }) });
  return schema;
}

/** Adds a description to a copy of a field, because the field may be used elsewhere without it. */
export function about<Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema {
  const copy = z.clone(schema);
  const { id: _, ...rest } = metadata.get(schema) ?? {};
  metadata.add(copy, { ...rest, description });
  return copy;
}

// Fields that mean the same everywhere.

export const id = named('Id', z.int().check(z.positive()), 'Unique and increasing, with gaps.');
export const count = named('Count', z.int().check(z.nonnegative()));
export const cents = named('Cents', z.int().check(z.nonnegative()), 'In the smallest unit of the currency.');
export const balanceCents = named('BalanceCents', z.int(), 'In the smallest unit of the currency; may be negative.');
export const currency = named(
  'Currency',
  z.string().check(z.regex(/^[A-Z]{3}$/)),
  'An ISO 4217 code. Each installation chooses the currencies that it accepts. Amounts in a currency that it no longer accepts stay.',
);
export const CommissionType = named(
  'CommissionType',
  z.enum(commissionTypes),
  '`percent` and `fixed` pay for each sale except renewals. `recurring_percent` and `recurring_fixed` also pay for renewals.',
);
export type CommissionType = z.output<typeof CommissionType>;

export const time = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/));
metadata.add(time, { id: 'Time', format: 'date-time', description: 'UTC, ISO 8601 with milliseconds.' });

export const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));
metadata.add(day, { id: 'Day', format: 'date', description: 'A day in UTC.' });

export const clickId = named(
  'ClickId',
  z.string().check(z.regex(CLICK_ID)),
  'The value of the cookie `service_click_id`.',
);
export const keyMask = named(
  'KeyMask',
  z.string().check(z.regex(/^(aff_)?\*{4}.{4}$/)),
  'A program key, masked except for its last four characters.',
);
export const rate = named(
  'Rate',
  z.number().check(z.positive()),
  'A percentage for percent types, currency units for fixed types (50 = 50.00).',
);

export const text = z.string();
export const flag = z.boolean();
export const optionalText = z.nullable(text);
export const optionalId = z.nullable(id);
export const optionalTime = named('OptionalTime', z.nullable(time));

/** A list that accepts readonly arrays, so that replies need not copy them. */
export const list = <Schema extends z.ZodMiniType>(schema: Schema) => z.readonly(z.array(schema));

export const byCurrency = <Amount extends z.ZodMiniType>(amount: Amount) => z.record(currency, amount);
