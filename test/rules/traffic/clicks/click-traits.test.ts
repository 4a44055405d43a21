import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitsOfClick } from '#lib/service/traffic/clicks/click-traits.ts';
import { adCampaignOf } from '#lib/service/traffic/clicks/landing-address.ts';
import { anyWebUrl } from '#test/support/cases/any-text.ts';

const adParameters =
  'gclid gbraid wbraid gclsrc dclid gad_source fbclid msclkid ttclid twclid li_fat_id rdt_cid epik sccid'.split(' ');

const landing = (query: string) => `https://acme.test/?aff=ana&${query}`;

describe('adCampaignOf, which reads the ad campaign in a URL,', () => {
  it.each(adParameters)('recognises the query parameter %s as an ad network’s click id, in any case', (name) => {
    expect(adCampaignOf(landing(`${name}=1`))).toBe('');
    expect(adCampaignOf(landing(`${name.toUpperCase()}=1&utm_campaign=spring`))).toBe('spring');
  });

  it.each(['irclickid=1', 'clickid=1', 'utm_source=google', 'xgclid=1', 'gclid2=1', 'gclid=', 'q=gclid', ''])(
    'finds no ad network in ?%s',
    (query) => {
      expect(adCampaignOf(landing(`${query}&utm_campaign=spring`))).toBeUndefined();
    },
  );

  it('ignores parameters after # and texts that are no URL', () => {
    expect(adCampaignOf('https://acme.test/?aff=ana#gclid=1')).toBeUndefined();
    expect(adCampaignOf('gclid=1')).toBeUndefined();
  });

  it.each([
    ['the first of two', 'utm_campaign=a&utm_campaign=b', 'a'],
    ['with a parameter in any case', 'UTM_Campaign=A', 'A'],
    ['without spaces around it', 'utm_campaign=+a+b+', 'a b'],
    ['its first 200 characters', `utm_campaign=${'x'.repeat(300)}`, 'x'.repeat(200)],
    [
      'as valid text when cut within a character',
      `utm_campaign=${'x'.repeat(199)}%F0%9F%98%80`,
      `${'x'.repeat(199)}\ufffd`,
    ],
  ])('reads the campaign’s name: %s', (_, query, campaign) => {
    expect(adCampaignOf(landing(`gclid=1&${query}`))).toBe(campaign);
  });

  it('never throws an error, even for a text that is no URL', () => {
    fc.assert(
      fc.property(fc.oneof(anyWebUrl, fc.string()), (address) => {
        expect(['string', 'undefined']).toContain(typeof adCampaignOf(address));
      }),
    );
  });
});

describe('traitsOfClick, which reads the ad campaign and the referring site of a click,', () => {
  it.each([
    ['neither an ad nor a referrer', 'x=1', undefined, undefined],
    ['an ad', 'gclid=1&utm_campaign=spring', undefined, { adCampaign: 'spring' }],
    ['a referrer', 'x=1', 'https://Blog.Example:8443/post?q=1', { referrer: 'blog.example' }],
    ['an ad and a referrer', 'fbclid=1', 'http://forum.example/', { adCampaign: '', referrer: 'forum.example' }],
    ['an app as referrer', 'x=1', 'android-app://com.Example.Mail/', { referrer: 'com.example.mail' }],
    ['a path as referrer', 'x=1', '/post', undefined],
    ['a referrer without a host', 'x=1', 'about:blank', undefined],
    ['a referrer whose host is too long', 'x=1', `https://${'a.'.repeat(150)}example/`, undefined],
  ] as const)(
    'returns the campaign and the referring host, or only what there is, for a click with %s',
    (_, query, referrer, traits) => {
      expect(traitsOfClick(landing(query), referrer)).toEqual(traits);
    },
  );
});
