import { expect } from 'vitest';

/**
 * The elements of pain.001.001.09 that our file may have, in the order of the schema. `?` = optional, `*` = once per
 * line.
 */
const sepaElements = [
  'Document',
  'Document/CstmrCdtTrfInitn',
  'CstmrCdtTrfInitn/GrpHdr',
  'GrpHdr/MsgId Max35Text',
  'GrpHdr/CreDtTm ISODateTime',
  'GrpHdr/NbOfTxs Max15NumericText',
  'GrpHdr/CtrlSum DecimalNumber',
  'GrpHdr/InitgPty',
  'InitgPty/Nm Max140Text',
  'CstmrCdtTrfInitn/PmtInf',
  'PmtInf/PmtInfId Max35Text',
  'PmtInf/PmtMtd TRF',
  'PmtInf/NbOfTxs Max15NumericText',
  'PmtInf/CtrlSum DecimalNumber',
  'PmtInf/PmtTpInf',
  'PmtTpInf/SvcLvl',
  'SvcLvl/Cd SEPA',
  'PmtInf/ReqdExctnDt',
  'ReqdExctnDt/Dt ISODate',
  'PmtInf/Dbtr',
  'Dbtr/Nm Max140Text',
  'PmtInf/DbtrAcct',
  'DbtrAcct/Id',
  'Id/IBAN IBAN2007Identifier',
  'PmtInf/DbtrAgt',
  'DbtrAgt/FinInstnId',
  'FinInstnId/BICFI BICFIDec2014Identifier',
  'FinInstnId/Othr',
  'Othr/Id NOTPROVIDED',
  'PmtInf/ChrgBr SLEV',
  'PmtInf/CdtTrfTxInf',
  'CdtTrfTxInf/PmtId',
  'PmtId/EndToEndId Max35Text',
  'CdtTrfTxInf/Amt',
  'Amt/InstdAmt ActiveOrHistoricCurrencyAndAmount',
  'CdtTrfTxInf/CdtrAgt',
  'CdtrAgt/FinInstnId',
  'FinInstnId/BICFI BICFIDec2014Identifier',
  'CdtTrfTxInf/Cdtr',
  'Cdtr/Nm Max140Text',
  'CdtTrfTxInf/CdtrAcct',
  'CdtrAcct/Id',
  'Id/IBAN IBAN2007Identifier',
  'CdtTrfTxInf/RmtInf',
  'RmtInf/Ustrd Max140Text',
] as const;

const sepaTypes: Readonly<Record<string, RegExp>> = {
  Max35Text: /^[^<>&]{1,35}$/,
  Max140Text: /^[^<>&]{1,140}$/,
  Max15NumericText: /^\d{1,15}$/,
  DecimalNumber: /^\d{1,15}\.\d\d$/,
  ActiveOrHistoricCurrencyAndAmount: /^\d{1,9}\.\d\d$/,
  ISODateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  ISODate: /^\d{4}-\d\d-\d\d$/,
  IBAN2007Identifier: /^[A-Z]{2}\d\d[A-Z0-9]{1,30}$/,
  BICFIDec2014Identifier: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
};

interface Element {
  readonly path: string;
  readonly text?: string;
}

/** Lists the elements of a document in order, each with its parent. */
function elementsOf(xml: string): Element[] {
  const open: string[] = [];
  const found: Element[] = [];
  for (const [, close, name = '', text] of xml.matchAll(/<(\/?)(\w+)(?: [^>]*)?>([^<]*)/g)) {
    if (close) {
      expect(open.pop()).toBe(name);
      continue;
    }
    found.push({ path: open.length > 0 ? `${open.at(-1)}/${name}` : name, ...(text?.trim() && { text }) });
    open.push(name);
  }
  expect(open).toEqual([]);
  return found;
}

/** Expects that the document's elements have the order and types of the table, which restarts at each payment. */
export function expectSepaSchema(xml: string): void {
  const rows = sepaElements.map((row) => row.split(' ') as [string, string?]);
  const first = rows.findIndex(([path]) => path === 'PmtInf/CdtTrfTxInf');
  let at = 0;
  for (const { path, text } of elementsOf(xml)) {
    if (path === 'PmtInf/CdtTrfTxInf') at = first;
    const found = rows.findIndex(([one], index) => index >= at && one === path);
    expect({ path, isInOrder: found >= at }).toEqual({ path, isInOrder: true });
    const type = rows[found]![1];
    expect({
      path,
      isOfType: type ? (sepaTypes[type]?.test(text ?? '') ?? text === type) : text === undefined,
    }).toEqual({
      path,
      isOfType: true,
    });
    at = found + 1;
  }
}
