import { identifierOf, numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { fieldNames, intendedName } from '#lib/service/ground/values/close-names.ts';
import {
  CLICK_METADATA,
  KEY_METADATA,
  type MisspeltMetadata,
  type Payer,
  type ProcessorPayment,
} from '#lib/service/conversions/processors/processor-event.ts';
import { type Fields, fields } from '#lib/service/conversions/stripe/event-fields.ts';

/** What a payment's metadata say. */
type Named = Pick<ProcessorPayment, 'payer' | 'programId' | 'misspelt'>;

/**
 * Reads click id, customer key and program id from the metadata. Names that are similar to those of the click id or
 * customer key are returned as misspelt.
 * @param payer the payer as known without the metadata; values in the metadata replace its values
 */
export function metadataOf(metadata: unknown, payer: Payer): Named {
  const { [CLICK_METADATA]: clickId, [KEY_METADATA]: customerKey, program_id: programId } = fields(metadata);
  const isNamed = programId !== undefined && programId !== null && programId !== '';
  const named = identifierOf(clickId);
  const click =
    named === undefined && payer.clickId !== undefined
      ? { clickId: payer.clickId, isClickReferred: true }
      : { clickId: named };
  return {
    payer: { ...payer, ...click, customerKey: identifierOf(customerKey) },
    programId: isNamed ? (numericIdOf(programId) ?? 0) : undefined,
    misspelt: misspeltIn(fields(metadata)),
  };
}

/** Names that count as misspelt if the payment finds no customer. */
const customerNames = fieldNames([CLICK_METADATA, KEY_METADATA], {
  click_id: CLICK_METADATA,
  customer_key: KEY_METADATA,
  service_customer_id: KEY_METADATA,
  customer_id: KEY_METADATA,
});

function misspeltIn(metadata: Fields): readonly MisspeltMetadata[] | undefined {
  const found = Object.entries(metadata).flatMap(([name, sent]): MisspeltMetadata[] => {
    const meant = intendedName(name, metadata, customerNames) as MisspeltMetadata['meant'] | undefined;
    const value = identifierOf(sent);
    return meant && value ? [{ name, meant, value }] : [];
  });
  return found.length > 0 ? found : undefined;
}

/**
 * Whether the metadata identify a customer. Invalid values count too, because they show that the brand wanted to
 * identify the customer.
 */
export const namesItself = ({ clickId, customerKey }: Payer): boolean =>
  clickId !== undefined || customerKey !== undefined;
export const namesCustomer = ({ payer, misspelt }: Named): boolean => namesItself(payer) || misspelt !== undefined;
