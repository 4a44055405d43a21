import { describe, expect, it } from 'vitest';
import { attributionOf, unlinkingOf } from '#lib/apps/dashboard/customer/attribution.ts';
import { nameOf, statusText } from '#lib/apps/dashboard/customers/customer-texts.ts';
import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

const at = '2026-11-20T15:00:00.000Z';
const customer: CustomerHistory['customer'] = {
  click_id: 'click_1',
  customer_key: 'user_1',
  status: 'conversion',
  lead_state: 'settled',
  email_masked: 'j***@example.com',
  source: 'click',
  code: null,
  first_click_at: at,
  signup_at: at,
  first_purchase_at: at,
  partner_id: 1,
  partner_name: 'Ana',
  short_link: 'ana',
  amounts: {},
};
const first = { id: 1, at, short_link: 'ana', partner_id: 1, partner_name: 'Ana', first: true };
const story = { customer, clicks: [first], timeline: [] };

describe('the text about why a customer is attributed to a partner', () => {
  it('names the partner and the link of the first click', () => {
    expect(attributionOf(story)).toEqual({
      title: 'Attributed to Ana',
      text: 'The first click came through link ana of Ana.',
    });
  });

  it('says that later clicks through other partners’ links do not change the attribution', () => {
    const later = { ...first, id: 2, short_link: 'ben', partner_id: 2, partner_name: 'Ben', first: false };
    expect(attributionOf({ ...story, clicks: [first, later] }).text).toBe(
      'The first click came through link ana of Ana. Later clicks through links of others do not change that.',
    );
    expect(attributionOf({ ...story, clicks: [first, { ...first, first: false }] }).text).toBe(
      'The first click came through link ana of Ana.',
    );
  });

  it('names the coupon code that brought the customer, and the link of the first click, if there was one', () => {
    const coded = { ...customer, source: 'code', code: 'SAVE10', short_link: null } as const;
    expect(attributionOf({ ...story, customer: coded, clicks: [] }).text).toBe(
      'The customer came by code SAVE10 of Ana.',
    );
    const moved = { ...customer, code: 'SAVE10', partner_name: 'Cleo', partner_id: 3 };
    expect(attributionOf({ ...story, customer: moved })).toEqual({
      title: 'Attributed to Cleo',
      text: 'The customer came by code SAVE10 of Cleo. The first click had come through link ana of Ana.',
    });
    const unnamed = { ...first, partner_name: null };
    expect(attributionOf({ ...story, customer: moved, clicks: [unnamed] }).text).toBe(
      'The customer came by code SAVE10 of Cleo. The first click had come through link ana.',
    );
  });

  it('says if no sign-up or no payment is recorded yet', () => {
    const clicked = { ...customer, status: 'click', lead_state: null } as const;
    expect(attributionOf({ ...story, customer: clicked }).text).toBe(
      'The first click came through link ana of Ana. No signup and no payment is recorded yet.',
    );
    const provisional = { ...clicked, lead_state: 'provisional' } as const;
    expect(attributionOf({ ...story, customer: provisional }).text).toBe(
      'The first click came through link ana of Ana. The signup was reported by a browser, and your server has not confirmed it yet.',
    );
  });

  it('says that an owner unlinked the customer', () => {
    const unlinking = { at, kind: 'customer', text: 'Customer unlinked by an owner: a test' } as const;
    const timeline = [{ at, kind: 'click', text: 'First click' } as const, unlinking];
    expect(unlinkingOf({ timeline })).toBe(unlinking);
    expect(attributionOf({ ...story, timeline })).toEqual({
      title: 'No longer attributed to Ana',
      text: 'The first click came through link ana of Ana, and an owner has unlinked the customer since. Nothing new counts for this customer; what was recorded before stays.',
    });
  });

  it('says that the operator unlinked the customer', () => {
    const taken = { ...customer, partner_id: null, partner_name: null };
    expect(attributionOf({ ...story, customer: taken })).toEqual({
      title: 'Attributed to no partner',
      text: 'The first click came through link ana, but the operator of this service took the customer off its partner. New payments earn no commission; what was recorded before stays.',
    });
  });

  it('names a partner without a name by id', () => {
    expect(attributionOf({ ...story, customer: { ...customer, partner_name: null } }).title).toBe(
      'Attributed to partner 1',
    );
  });
});

describe('the name under which the dashboard shows a customer', () => {
  it('is the brand’s customer key, or else the masked e-mail address, or else the click id', () => {
    expect(nameOf(customer)).toBe('user_1');
    expect(nameOf({ ...customer, customer_key: null })).toBe('j***@example.com');
    expect(nameOf({ ...customer, customer_key: null, email_masked: null })).toBe('click_1');
  });
});

describe('the status of a customer, as the dashboard shows it,', () => {
  it.each([
    ['conversion', 'settled', 'Paying'],
    ['conversion', null, 'Paying'],
    ['lead', 'settled', 'Lead'],
    ['click', 'provisional', 'Provisional lead'],
    ['click', null, 'Clicked'],
  ] as const)('is, for the status %s and a lead that is %s, “%s”', (status, leadState, text) => {
    expect(statusText({ status, lead_state: leadState, source: 'click' })).toBe(text);
  });

  it('is “Came by code” for a customer who came by a coupon code and has not paid', () => {
    expect(statusText({ status: 'click', lead_state: null, source: 'code' })).toBe('Came by code');
  });
});
