import { expect, it } from 'vitest';
import { eventList } from '#lib/apps/dashboard/pages/traffic/events.tsx';
import { customerList } from '#lib/apps/dashboard/pages/traffic/customers.tsx';
import { linkList } from '#lib/apps/dashboard/pages/programs/links.tsx';
import { csvColumns, csvText } from '#lib/apps/dashboard/lists/csv.ts';
import { partnerList } from '#lib/apps/dashboard/pages/partners/partners.tsx';
import type { Partner, ReferralLink } from '#lib/wire/partners/partner.ts';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

const at = '2026-11-20T15:00:00.000Z';
const ana = { partner_id: 1, partner_name: 'Ana', customer_key: 'user_1', click_id: 'clk_1' };

it('the CSV export of events has one line per event, with the data of its type', () => {
  const rows = [
    {
      ...ana,
      created_at: at,
      type: 'refund',
      is_test: false,
      transaction_id: 'a_2',
      amount_cents: 1_000,
      refunded_amount_cents: 1_000,
      currency: 'EUR',
      reason: 'refund',
    },
    { ...ana, created_at: at, type: 'click', is_test: true, short_link: 'ana', page_url: 'https://a.test/' },
  ] as unknown as TrackedEvent[];
  expect(
    csvText(csvColumns(eventList(1), rows), rows)
      .trimEnd()
      .split('\r\n'),
  ).toEqual([
    'time,type,is_test,partner_id,partner_name,customer_key,click_id,short_link,page_url,email_masked,transaction_id,' +
      'amount_cents,refunded_amount_cents,currency,reason,code,quality,amount,refunded_amount',
    `${at},refund,false,1,Ana,user_1,clk_1,,,,a_2,1000,1000,EUR,refund,,,10.00,10.00`,
    `${at},click,true,1,Ana,user_1,clk_1,ana,https://a.test/,,,,,,,,,,`,
  ]);
});

it('the CSV export of partners has the figures of the page, in the order of the list', () => {
  const figures = { links: ['ana', 'gone'], clicks: 3, leads: 2, sales: 1, repeat_clicks: 1, bot_clicks: 4 };
  const rows = [
    {
      ...figures,
      id: 2,
      name: 'Ben',
      email: 'ben@a.test',
      status: 'active',
      created_at: at,
      amounts: { USD: { revenue_cents: 230_000, commission_cents: -46_005, paid_out_cents: null } },
    },
  ] as unknown as Partner[];
  expect(
    csvText(csvColumns(partnerList(true), rows), rows)
      .trimEnd()
      .split('\r\n'),
  ).toEqual([
    'partner_id,name,email,status,links,clicks,leads,sales,revenue_cents_USD,commission_cents_USD,paid_out_cents_USD,' +
      'created_at,repeat_clicks,bot_clicks,revenue_USD,commission_USD,paid_out_USD',
    `2,Ben,ben@a.test,active,ana gone,3,2,1,230000,-46005,,${at},1,4,2300.00,-460.05,`,
  ]);
});

it('the CSV exports of links and of customers have the amounts of all currencies in adjacent columns', () => {
  const of = { revenue_cents: 1, refunded_cents: 2, commission_cents: 3 };
  const rows = [{ amounts: { USD: of, EUR: of } }];
  expect(Object.keys(csvColumns(linkList, rows as unknown as ReferralLink[])).join()).toBe(
    'short_link,url,destination_url,partner_id,partner_name,status,clicks,leads,sales,revenue_cents_EUR,' +
      'commission_cents_EUR,revenue_cents_USD,commission_cents_USD,last_clicked_at,created_at,repeat_clicks,bot_clicks,' +
      'revenue_EUR,commission_EUR,revenue_USD,commission_USD',
  );
  expect(Object.keys(csvColumns(customerList(1), rows as unknown as Customer[])).join()).toBe(
    'click_id,customer_key,email_masked,status,partner_id,partner_name,short_link,code,first_click_at,signup_at,' +
      'first_purchase_at,revenue_cents_EUR,refunded_cents_EUR,commission_cents_EUR,revenue_cents_USD,' +
      'refunded_cents_USD,commission_cents_USD,revenue_EUR,refunded_EUR,commission_EUR,revenue_USD,refunded_USD,' +
      'commission_USD',
  );
});
