import * as z from 'zod/mini';
import { logoTypes } from '#lib/service/programs/brand/brand.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ofProgram, open, ownersOnly } from '#lib/wire/document/dashboard-operations.ts';
import { bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Family, headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import { visitor } from '#lib/wire/partners/portal-operations.ts';
import { Brand, BrandShown } from '#lib/wire/programs/brand/brand.ts';
import { brandFields, brandTexts } from '#lib/wire/programs/brand/brand-request.ts';
import { text } from '#lib/wire/words/fields.ts';
import { inPath, inQuery, programId } from '#lib/wire/words/parameters.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';
import { data } from '#lib/wire/words/wrapped.ts';

const program = ofProgram('programs');
const owners = ownersOnly(program);
const file: Family = { ...open, tag: 'Partner portal', requestIdOnlyOnFailure: true };
const shownProgram = inPath('program_id', 'The program.');
const fileHeaders = { ...headersOf(file, 200), ETag: 'always' } as const;

export const brandRoutes = {
  'dashboard/brand/get': operation(program, {
    id: 'getBrand',
    summary: 'Read how a program presents itself to partners',
    parameters: [programId],
    ok: [data(Brand)],
  }),
  'dashboard/brand/patch': operation(owners, {
    id: 'changeBrand',
    summary: 'Change name, color, welcome and contact of a brand',
    description:
      'For owners. Fields that are not sent do not change; null or an empty text removes the value. Any color is accepted: `accent` says how it is shown.',
    parameters: [programId],
    body: z.object({ ...Object.fromEntries(brandFields.map((field) => [field, z.nullish(text)])), seen }),
    ok: [data(Brand)],
    refusals: [...bodyRefusals, ...Object.values(brandTexts).map(refusals.badRequest), ...seenRefusals],
  }),
  'dashboard/logo/put': operation(owners, {
    id: 'setLogo',
    summary: 'Upload the logo of a brand',
    description:
      'For owners. The body is the file. Its type and its size in pixels are read from its first bytes, whatever `Content-Type` says; but send the type of an image, because a text would be decoded on the way. Uploading the same file again changes nothing.',
    parameters: [programId],
    fileTypes: logoTypes,
    ok: [data(Brand)],
    refusals: [refusals.logoInvalid()],
  }),
  'dashboard/logo/delete': operation(owners, {
    id: 'removeLogo',
    summary: 'Remove the logo of a brand',
    description: 'For owners. The request may be repeated.',
    parameters: [programId],
    ok: [data(Brand)],
  }),
  'partner/brand/get': operation(visitor, {
    id: 'getBrandShown',
    summary: 'Read the brand of a program, for example for its sign-in page',
    description: 'For programs with a logo or a display name.',
    parameters: [shownProgram],
    ok: [data(BrandShown)],
    refusals: [refusals.programNotFound()],
  }),
  'partner/logo/get': operation(file, {
    id: 'getLogo',
    summary: 'Read the logo of a brand',
    description: 'The file as it was uploaded. It may be cached for five minutes.',
    parameters: [shownProgram, inQuery('v', 'Any text. It changes with the file, so that caches show no former one.')],
    others: {
      200: {
        description: 'The file.',
        contentType: logoTypes[0],
        fileTypes: logoTypes.slice(1),
        body: z.string(),
        headers: { ...fileHeaders, 'Content-Security-Policy': 'always', 'X-Content-Type-Options': 'always' },
      },
      304: { description: 'The caller has the file already, as `If-None-Match` says.', headers: fileHeaders },
    },
    refusals: [refusals.logoNotFound()],
  }),
} satisfies Readonly<Record<string, Operation>>;
