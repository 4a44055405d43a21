import { expect, it } from 'vitest';
import { csvText } from '#lib/apps/dashboard/lists/csv.ts';
import { eventCsv } from '#lib/apps/dashboard/events/event-csv.ts';
import { partnerCsv } from '#lib/apps/dashboard/partners/partner-csv.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';

const at = '2026-11-20T15:00:00.000Z';
const ana = { partner_id: 1, partner_name: 'Ana', customer_key: 'user_1', click_id: 'clk_1' };

it('the event export has one line per event with the data of its type', () => {
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
  expect(csvText(eventCsv, rows).trimEnd().split('\r\n')).toEqual([
    'time,type,is_test,partner_id,partner_name,customer_key,click_id,short_link,page_url,email_masked,transaction_id,' +
      'amount_cents,refunded_amount_cents,currency,reason,code,quality',
    `${at},refund,false,1,Ana,user_1,clk_1,,,,a_2,1000,1000,EUR,refund,,`,
    `${at},click,true,1,Ana,user_1,clk_1,ana,https://a.test/,,,,,,,,`,
  ]);
});

it('the partner export has the displayed figures in the order of the list', () => {
  const figures = { links: ['ana', 'gone'], clicks: 3, leads: 2, sales: 1, repeat_clicks: 1, bot_clicks: 4 };
  const rows = [
    {
      ...figures,
      id: 2,
      name: 'Ben',
      email: 'ben@a.test',
      status: 'active',
      created_at: at,
      amounts: { USD: { revenue_cents: 230_000, commission_cents: 46_000, paid_out_cents: null } },
    },
  ] as unknown as Partner[];
  expect(csvText(partnerCsv(rows), rows).trimEnd().split('\r\n')).toEqual([
    'partner_id,name,email,status,links,clicks,leads,sales,revenue_cents_USD,commission_cents_USD,paid_out_cents_USD,' +
      'created_at,repeat_clicks,bot_clicks',
    `2,Ben,ben@a.test,active,ana gone,3,2,1,230000,46000,,${at},1,4`,
  ]);
});
