import { describe, expect, it } from 'vitest';
import { reasonOf } from '#lib/apps/client/errors/reasons.ts';
import { inClientNames } from '#lib/apps/client/errors/vocabulary.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { refundTexts } from '#lib/wire/conversions/refund-request.ts';
import { saleTexts } from '#lib/wire/conversions/sale-request.ts';

// The service's own messages and codes. A message that changes there but not in the client's table fails here.

const said = ({ message, parts, kind }: refusals.Refusal) => ({
  message,
  code: parts.code ?? (kind === 'badRequest' ? 'invalid_request' : undefined),
});
const field = (message: string) => refusals.badRequest(message);

describe('the field reason of an error of the client', () => {
  it.each([
    [refusals.affiliateUrlMissing(), 'affiliate_url_missing'],
    [refusals.affiliateUrlInvalid(), 'affiliate_url_invalid'],
    [refusals.affParameterMissing(), 'aff_parameter_missing'],
    [refusals.linkNotFound(), 'link_not_found'],
    [refusals.linkMisconfigured(), 'link_misconfigured'],
    [refusals.linkDisabled(), 'link_disabled'],
    [refusals.leadIdentifierMissing(), 'identifier_missing'],
    [refusals.leadCustomerNotFound(), 'customer_not_found'],
    [refusals.leadCustomerOfOtherProgram(), 'customer_of_other_program'],
    [refusals.leadStatusRefused('conversion'), 'customer_past_lead'],
    [field(saleTexts.transactionId), 'transaction_id_invalid'],
    [field(saleTexts.amount), 'amount_invalid'],
    [field(saleTexts.tax), 'tax_invalid'],
    [field(saleTexts.occurredAt), 'occurred_at_invalid'],
    [field(saleTexts.provider), 'provider_invalid'],
    [field(saleTexts.providerPaymentId), 'provider_payment_id_invalid'],
    [field(saleTexts.livemode), 'livemode_invalid'],
    [refusals.saleIdentifierMissing(), 'identifier_missing'],
    [refusals.saleCustomerNotFound(), 'customer_not_found'],
    [refusals.attributedElsewhere(), 'customer_of_other_program'],
    [refusals.noPartnerRelation(), 'partner_removed'],
    [refusals.partnerMissing(), 'partner_missing'],
    [refusals.currencyUnsupported('GBP'), 'unsupported_currency'],
    [refusals.duplicateTransaction(42, true), 'duplicate_transaction'],
    [refusals.commissionNotCreated(), 'commission_not_created'],
    [field(refundTexts.transactionId), 'transaction_id_missing'],
    [field(refundTexts.reason), 'refund_reason_invalid'],
    [field(refundTexts.amount), 'refund_amount_invalid'],
    [refusals.refundAboveSale(4900), 'refund_amount_invalid'],
    [field(refundTexts.refundId), 'refund_id_invalid'],
    [field(refundTexts.refundIdAlone), 'refund_amount_missing'],
    [refusals.refundRecordedOtherwise('re_1', 100), 'refund_recorded_otherwise'],
    [field(refundTexts.correction), 'correction_invalid'],
    [field(refundTexts.correctionAlone), 'refund_amount_missing'],
    [refusals.saleToRefundNotFound(), 'sale_not_found'],
    [refusals.eventIncomplete(), 'event_incomplete'],
    [refusals.programMismatch(), 'program_mismatch'],
    [refusals.bodyIsNoJsonObject(), 'body_invalid'],
    [refusals.bodyTooLarge(), 'body_too_large'],
    [refusals.unauthorized(refusals.programKeyTexts.malformed), 'key_malformed'],
    [refusals.unauthorized(refusals.programKeyTexts.empty), 'key_missing'],
    [refusals.unauthorized(refusals.programKeyTexts.unknown), 'key_unknown'],
    [refusals.keyInvalid(refusals.readinessKeyTexts.malformed), 'key_malformed'],
    [refusals.keyInvalid(refusals.readinessKeyTexts.empty), 'key_missing'],
    [refusals.keyInvalid(refusals.readinessKeyTexts.unknown), 'key_unknown'],
    [refusals.keyRetired({ message: 'This key was retired.', hint: '', docsUrl: '' }), 'api_key_rotation_required'],
    [refusals.rateLimited(7), 'rate_limited'],
  ])('is, for the message "%s", %s', (refusal, reason) => {
    expect(reasonOf(said(refusal))).toBe(reason);
  });

  it.each([
    ['Sale tracking failed', 'internal_error', 'internal_error'],
    ['Lead tracking failed', undefined, undefined],
    ['I am a teapot', 'teapot', undefined],
  ])('is, for the message "%s" with the code %s, %s', (message, code, reason) => {
    expect(reasonOf({ message, code })).toBe(reason);
  });
});

describe('messages of the client’s errors name the client’s fields:', () => {
  it.each([
    [saleTexts.transactionId, 'invoiceId (transaction_id) is required and must be a string'],
    [saleTexts.amount, 'amount (amount_cents) is required and must be a positive integer'],
    [refundTexts.amount, 'refundAmountCents (refund_amount_cents) must be a positive integer'],
    [refundTexts.refundIdAlone, 'refundId (refund_id) needs refundAmountCents (refund_amount_cents)'],
    [refusals.leadIdentifierMissing().message, 'clickId (click_id) or customerId (customer_key) is required'],
    [refusals.affiliateUrlMissing().message, 'affiliateUrl (affiliate_url) is required'],
    [refusals.currencyUnsupported('GBP').message, 'currency GBP is not supported'],
  ])('%s becomes %s', (text, message) => {
    expect(inClientNames(text)).toBe(message);
  });
});
