import * as z from 'zod/mini';
import { MOST_GROUPS } from '#lib/service/programs/terms/agreements.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { id } from '#lib/wire/words/fields.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { ofProgram, ownersOnly, pageRefusals } from '#lib/wire/document/dashboard-operations.ts';
import {
  changedTermsRefusals,
  SentTerms,
  TermsChange,
  termsFieldRefusals,
} from '#lib/wire/programs/settings/program-fields-operations.ts';
import { inPath, page, programId } from '#lib/wire/words/parameters.ts';
import { fieldTexts } from '#lib/wire/words/field-texts-request.ts';
import { nameField } from '#lib/wire/words/fields-request.ts';
import { REQUIRED_OF_GROUP } from '#lib/wire/programs/terms-request.ts';
import { Group, ListedTerms, TermsPreview } from '#lib/wire/programs/terms.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';

const family = ofProgram('programs');
const owners = ownersOnly(family);

export const termsRoutes = {
  'dashboard/terms/get': operation(family, {
    id: 'listTerms',
    summary: 'List all versions of terms',
    description: 'Of the program, its groups and its partners, newest first.',
    parameters: [programId, ...page],
    ok: [listOf(ListedTerms)],
    refusals: pageRefusals,
  }),
  'dashboard/terms/preview': operation(family, {
    id: 'previewTerms',
    summary: "Preview a change of a program's own terms",
    description:
      'Takes the fields of terms that are to change, refuses what the change would refuse, and writes nothing. Only owners may send these fields.',
    parameters: [programId],
    body: TermsChange,
    ok: [data(TermsPreview)],
    refusals: [refusals.ownerOnly(), ...bodyRefusals, ...changedTermsRefusals],
  }),
  'dashboard/groups/get': operation(family, {
    id: 'listGroups',
    summary: 'List the groups of partners',
    description: 'Oldest first.',
    parameters: [programId, ...page],
    ok: [listOf(Group)],
    refusals: pageRefusals,
  }),
  'dashboard/groups/post': operation(owners, {
    id: 'createGroup',
    summary: 'Create a group of partners',
    description: 'For owners. Partners in the group are paid by its terms, unless they have personal terms.',
    parameters: [programId],
    body: z.object({ name: nameField, terms: SentTerms }),
    ok: [data(Group)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(REQUIRED_OF_GROUP),
      refusals.badRequest(fieldTexts.name),
      ...termsFieldRefusals,
      refusals.groupNameTaken(),
      refusals.groupsFull(MOST_GROUPS),
    ],
  }),
  'dashboard/group/patch': operation(owners, {
    id: 'changeGroup',
    summary: 'Change a group of partners',
    description: 'For owners. New terms replace the former ones completely, for sales recorded from then on.',
    parameters: [programId, inPath('group_id', 'The group.', id)],
    body: z.object({ name: z.nullish(nameField), terms: z.nullish(SentTerms), seen }),
    ok: [data(Group)],
    refusals: [
      refusals.groupNotFound(),
      ...seenRefusals,
      ...bodyRefusals,
      refusals.badRequest(fieldTexts.name),
      ...termsFieldRefusals,
      refusals.groupNameTaken(),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
