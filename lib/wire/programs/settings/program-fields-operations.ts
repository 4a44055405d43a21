import * as z from 'zod/mini';
import { badRequest, leadCommissionsNeedServer, missingFields, notOneOf } from '#lib/service/ground/values/refusals.ts';
import { ruleActions, ruleNames } from '#lib/service/programs/terms/rules.ts';
import { commissionTypes } from '#lib/service/programs/terms/terms.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { about, CommissionType, named, rate, text } from '#lib/wire/words/fields.ts';
import { schemasOf } from '#lib/wire/programs/settings/program-settings.ts';
import { agentFields, ownerFields, programFields, programTexts } from '#lib/wire/programs/settings/program-request.ts';
import { type Setting, settings } from '#lib/wire/programs/settings/program-settings-request.ts';
import { seen } from '#lib/wire/words/seen-request.ts';
import { REQUIRED_OF_TERMS, TERMS_INVALID } from '#lib/wire/programs/terms-request.ts';

const change = schemasOf('sent');
const { name, domain, commission_type, commission_rate, sandbox, ...optional } = change;

const ofAgents = Object.fromEntries(
  Object.entries(optional).filter(([field]) => (agentFields as readonly string[]).includes(field)),
);

/**
 * Fields that several request bodies have in common. The schema of such a body refers to the first of these groups that
 * it contains, so that the document stays short.
 */
export const commonSettings = {
  ofPrograms: named('ProgramSettings', z.object(optional)),
  ofAgents: named('AgentSettings', z.object(ofAgents)),
};

/** Fields of a program that may be changed, and the values that the caller had read before. */
export const SeenProgramChange = named(
  'ProgramChange',
  z.extend(commonSettings.ofPrograms, { name, domain, commission_type, commission_rate, sandbox, seen }),
);

export const NewProgram = named(
  'NewProgram',
  z.extend(commonSettings.ofPrograms, {
    sandbox: about(
      'True for a program for rehearsals: test payments of Stripe earn commissions, live ones are not recorded. It sends no mails to partners and never pays out. It cannot be changed later.',
      z.nullish(programFields.sandbox),
    ),
    name: programFields.name,
    domain: text,
    commission_type: CommissionType,
    commission_rate: rate,
  }),
);

/** Fields of a program that an agent may change. */
export const AgentProgramChange = named(
  'AgentProgramChange',
  z.extend(commonSettings.ofAgents, { name, domain, commission_type, commission_rate, seen }),
);

/** Terms of a group or a partner. */
export const SentTerms = named(
  'SentTerms',
  z.object({
    commission_type: CommissionType,
    commission_rate: rate,
    duration_months: z.nullish(programFields.duration_months),
    hold_period_days: z.nullish(programFields.hold_period_days),
    lead_commission_cents: z.nullish(programFields.lead_commission_cents),
    tiers: change.tiers,
  }),
  'An absent field has the default of a new program.',
);

/** A change of the terms of a program. */
export const TermsChange = named('TermsChange', z.partial(SentTerms), 'An absent field stays as it is.');

export const changedTermsRefusals = [
  notOneOf('commission_type', ANY_TEXT, commissionTypes),
  ...[
    settings.commission_rate.text,
    programTexts.percent,
    settings.duration_months.text,
    settings.hold_period_days.text,
    settings.lead_commission_cents.text,
    settings.tiers.text,
    programTexts.tiersOfFixed,
  ].map(badRequest),
  leadCommissionsNeedServer(),
];

export const termsFieldRefusals = [
  badRequest(TERMS_INVALID),
  missingFields(REQUIRED_OF_TERMS),
  ...changedTermsRefusals,
];

/** The fields that members cannot change. */
export const OWNER_FIELDS_TEXT = `Only owners may change the fields that decide what is paid: ${ownerFields.map((field) => `\`${field}\``).join(', ')}.`;

export const programFieldRefusals = [
  ...Object.values<Setting>(settings).flatMap(({ text: message }) =>
    message === undefined ? [] : badRequest(message),
  ),
  ...Object.values(programTexts).map(badRequest),
  leadCommissionsNeedServer(),
  ...Object.entries<Setting>(settings).flatMap(([field, { values }]) =>
    values ? notOneOf(field, ANY_TEXT, values) : [],
  ),
  notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
  ...ruleNames.map((rule) => notOneOf(rule, ANY_TEXT, ruleActions)),
];
