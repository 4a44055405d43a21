import type { AgentScope } from '#lib/service/ground/addresses/credential.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import { page, programId } from '#lib/wire/words/parameters.ts';
import { AgentProgramChange, programFieldRefusals } from '#lib/wire/programs/settings/program-fields-operations.ts';
import { Program } from '#lib/wire/programs/program.ts';
import { ownerFields } from '#lib/wire/programs/settings/program-request.ts';
import { Readiness } from '#lib/wire/reports/readiness.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';
import { seenRefusals } from '#lib/wire/words/seen-request.ts';

const scoped = (scope: AgentScope): Family => ({
  tag: 'Agents',
  security: ['agentKey'],
  errors: { namesRequest: true },
  refusals: [...Object.values(refusals.agentKeyTexts).map(refusals.unauthorized), refusals.scopeMissing(scope)],
  failure: 'Request failed',
  isCounted: true,
});
const reads = scoped('program:read');
const needs = (scope: AgentScope) => `Needs the scope \`${scope}\`.`;
const TERMS = `The fields that decide what is paid also need the scope \`program:terms\`: ${ownerFields.map((name) => `\`${name}\``).join(', ')}.`;

export const agentRoutes = {
  'agent/programs/get': operation(scoped('program:list'), {
    id: 'agentListPrograms',
    summary: "List the workspace's programs",
    description: needs('program:list'),
    parameters: page,
    ok: [listOf(Program)],
    refusals: [refusals.limitInvalid(), refusals.cursorInvalid()],
  }),
  'agent/program/get': operation(reads, {
    id: 'agentGetProgram',
    summary: 'Read a program',
    description: needs('program:read'),
    parameters: [programId],
    ok: [data(Program)],
    refusals: [refusals.programNotFound()],
  }),
  'agent/program/patch': operation(scoped('program:update'), {
    id: 'agentChangeProgram',
    summary: 'Change a program',
    description: `${needs('program:update')} ${TERMS} The fields that are sent are changed.`,
    parameters: [programId],
    body: AgentProgramChange,
    ok: [data(Program)],
    refusals: [
      refusals.scopeMissing('program:terms'),
      refusals.programNotFound(),
      ...bodyRefusals,
      ...programFieldRefusals,
      ...seenRefusals,
    ],
  }),
  'agent/readiness/get': operation(reads, {
    id: 'agentGetReadiness',
    summary: "Check whether a program's integration is complete",
    description: needs('program:read'),
    parameters: [programId],
    ok: [data(Readiness)],
    refusals: [refusals.programNotFound()],
  }),
} satisfies Readonly<Record<string, Operation>>;
