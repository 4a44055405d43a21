/** An ISO 4217 currency code. */
export type Currency = string;

/**
 * ISO 4217 currencies by their number of decimals. `Intl` is not used because it gives the decimals in everyday use:
 * none for HUF or IDR, which are charged with two.
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

/**
 * Whether amounts can be recorded in this currency. The codes with four decimals are excluded, because they are never
 * charged.
 */
export const isCurrency = (code: string): boolean => decimalsByCode.has(code);

/** Number of decimals; 2 for an unknown code, which a payment processor may have sent. */
export const decimalsOf = (currency: Currency): number => decimalsByCode.get(currency) ?? USUAL_DECIMALS;

/** A code in the form used for comparison. */
export const currencyCode = (sent: string): string => sent.trim().toUpperCase();

/** The currencies that an installation accepts; the first is the default for a new program. */
export type Currencies = readonly [Currency, ...Currency[]];

export const MOST_CURRENCIES = 60;
