import type { Service } from '#test/browser/support/service.ts';

// The service's maximum values: names of 120 characters and in other scripts, identifiers of 255, amounts of 10^12
// cents.

const names = [
  'W'.repeat(120),
  'شريك التسويق بالعمولة في الشرق الأوسط وشمال أفريقيا '.repeat(2).trim(),
  '株式会社アフィリエイト・パートナーズ・ジャパン'.repeat(5),
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  '<script>alert(1)</script> & "quotes" \'and\' 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
  'I',
];
const currencies = ['USD', 'EUR', 'VND'] as const;
const MOST_CENTS = 1_000_000_000_000;

/** Fills the demo's program with data that is hard to display. */
export async function fillWithExtremes({ dashboard, track, demo }: Service): Promise<void> {
  const program = `/programs/${demo.program_id}`;
  for (const [index, name] of names.entries()) {
    const email = `${'long-'.repeat(11)}${index}@${'sub-domain.'.repeat(15)}test`;
    const partner = await dashboard('POST', `${program}/partners`, { name, email });
    const link = `${'l'.repeat(62)}-${index}`;
    const destination = `https://acme.test/${'path/'.repeat(200)}`;
    await dashboard('POST', `${program}/links`, {
      partner_id: partner.data.id,
      short_link: link,
      destination_url: destination,
    });
    for (const currency of currencies) {
      const customer = `${currency}-${index}-`.padEnd(255, 'customer');
      const transaction = `${currency}-${index}-`.padEnd(255, 'é/%?#');
      const { click_id } = await track('click', { affiliate_url: `https://acme.test/?aff=${link}` });
      await track('lead', { click_id, customer_key: customer, email: `${'x'.repeat(60)}@example.com` });
      const sale = { transaction_id: transaction, customer_key: customer, amount_cents: MOST_CENTS, currency };
      await track('sale', sale);
      if (index % 2 === 0) {
        const refund = { transaction_id: transaction, refund_amount_cents: 1, refund_reason: 'r'.repeat(200) };
        await track('refund', refund);
      }
    }
  }
  const { data } = await dashboard('GET', `${program}/commissions?limit=100`);
  const ids = data.map(({ id }: { readonly id: number }) => id);
  await dashboard('POST', `${program}/commissions/reject`, { ids: ids.slice(0, 2), reason: 'reason '.repeat(70) });
  await dashboard('POST', `${program}/commissions/approve`, { ids: ids.slice(2, 9) });
  await dashboard('POST', `${program}/payouts`);
  const [payout] = (await dashboard('GET', `${program}/payouts`)).data;
  await dashboard('PATCH', `${program}/payouts/${payout.id}`, { reference: 'reference'.repeat(22) });
  await dashboard('POST', `${program}/commissions/approve`, { ids: ids.slice(9, 12) });
}
