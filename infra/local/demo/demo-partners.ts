import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

/** A partner in the demo's program, with the names of the partner's links. */
export interface DemoPartner {
  readonly name: string;
  readonly email: string;
  readonly links: readonly string[];
}

/** A partner in the full demo, who brings visitors. The first link is used most. */
export interface ActivePartner extends DemoPartner {
  /** Share of all visitors who come through this partner, in percent. */
  readonly share: number;
  /** Share of the partner's customers who pay in euros, from 0 to 1. */
  readonly euroShare: number;
  /** The site from which the partner's visitors come. */
  readonly site: string;
  /** Payout details that the partner enters during the history. */
  readonly payoutDetails?: PayoutDetails;
}

/** Name of a link that is turned off, so its clicks are refused. */
export const INACTIVE_LINK = 'gone';
/** Name of Ana's link in the program of the second brand. */
export const SECOND_LINK = 'ana-notes';
export const ana = { name: 'Ana', email: 'ana@partners.test', links: ['ana', INACTIVE_LINK] } as const;
const ben = { name: 'Ben', email: 'ben@partners.test', links: ['ben'] } as const;

export const smallDemo: readonly DemoPartner[] = [ana, ben];

/** The partner whom the brand removes during the history. */
export const removedPartner: ActivePartner = {
  name: 'Coupon Harbor',
  email: 'deals@couponharbor.test',
  links: ['coupon-harbor', 'coupon-harbor-10'],
  share: 9,
  euroShare: 0.1,
  site: 'https://couponharbor.test/',
};

export const fullDemo: readonly ActivePartner[] = [
  {
    ...ana,
    links: [ana.links[0], 'ana-newsletter', 'ana-youtube'],
    share: 24,
    euroShare: 0.1,
    site: 'https://ana-builds.test/',
    payoutDetails: { method: 'paypal', email: 'ana@ana-builds.test' },
  },
  { ...ben, links: [...ben.links, 'ben-podcast'], share: 17, euroShare: 0.1, site: 'https://benscast.test/' },
  {
    name: 'Chloé Marchand',
    email: 'chloe@partners.test',
    links: ['chloe', 'chloe-blog', 'chloe-atelier'],
    share: 15,
    euroShare: 0.8,
    site: 'https://chloe-marchand.test/',
    payoutDetails: { method: 'bank', account_holder: 'Chloé Marchand', iban: 'FR1420041010050500013M02606' },
  },
  {
    name: 'Søren Kjær',
    email: 'soren@partners.test',
    links: ['soren', 'soren-devlog'],
    share: 11,
    euroShare: 0.5,
    site: 'https://kjaer.test/',
    payoutDetails: { method: 'wise', email: 'soren@kjaer.test' },
  },
  {
    name: '田中 美咲',
    email: 'misaki@partners.test',
    links: ['misaki', 'misaki-note'],
    share: 10,
    euroShare: 0,
    site: 'https://misaki-note.test/',
    payoutDetails: {
      method: 'bank',
      account_holder: '田中 美咲',
      account_number: '1234567',
      routing_number: '0001',
      country: 'JP',
    },
  },
  {
    name: 'Nguyễn Thị Hoa',
    email: 'hoa@partners.test',
    links: ['hoa', 'hoa-studio'],
    share: 8,
    euroShare: 0,
    site: 'https://hoa-studio.test/',
  },
  {
    name: 'José Álvarez',
    email: 'jose@partners.test',
    links: ['jose', 'jose-curso'],
    share: 6,
    euroShare: 0.7,
    site: 'https://cursos-alvarez.test/',
  },
  removedPartner,
];
