/** The code of a currency in ISO 4217. */
export type Currency = string;

/**
 * The currencies of ISO 4217 by their number of decimals. A table of our own, because `Intl` tells how many decimals
 * people write: none for HUF or IDR, which are charged with two.
 */
const codes = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
    'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
    'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
    'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
    'SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG ' +
    'YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const decimalsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(codes).flatMap(([decimals, ofThese]) => ofThese.split(' ').map((code) => [code, Number(decimals)])),
);

const USUAL_DECIMALS = 2;

/** Whether amounts can be recorded in it. Those with four decimals, which nobody is charged in, are not known. */
export const isCurrency = (code: string): boolean => decimalsByCode.has(code);

/** How many digits of an amount are behind the point; 2 for what is no currency, as a processor may have sent it. */
export const decimalsOf = (currency: Currency): number => decimalsByCode.get(currency) ?? USUAL_DECIMALS;

/** A code in the form in which currencies are compared. */
export const currencyCode = (sent: string): string => sent.trim().toUpperCase();

/** Which currencies an installation takes; the first is a new program's. */
export type Currencies = readonly [Currency, ...Currency[]];

export const MOST_CURRENCIES = 60;
