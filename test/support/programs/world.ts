import { paginateQuery, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AddressedPartner } from '#lib/service/programs/partners/partner.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { hourOf } from '#lib/service/ground/values/day.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { beginFacts } from '#lib/service/programs/program/programs-items.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { recordKeyUse } from '#lib/service/programs/program/programs-items.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { createProgram, type NewProgram } from '#lib/service/programs/program/create-program.ts';
import { createWorkspace } from '#lib/service/people/workspaces/create-workspace.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';
import { createTestTable } from '#test/support/table/create-table.ts';
import { NOW } from '#test/support/callers/request.ts';

/** A program with its key, a partner, and the partner's link. Names are unique. */
export interface Brand {
  readonly program: Program;
  readonly key: string;
  readonly partner: AddressedPartner;
  readonly shortLink: string;
  /** A URL of the brand's site that contains the link. */
  readonly affiliateUrl: string;
}

export interface WorldSettings {
  /** Whether facts are stored from the start. Otherwise that begins when a brand creates a webhook endpoint. */
  readonly hasFacts?: boolean;
}

/** Opens the service with a new table, and a new container of effects. The functions use both from now on. */
export async function openWorld({ hasFacts = false }: WorldSettings = {}) {
  const client = documentClient({ dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT, region: 'us-east-1' });
  const tableName = await createTestTable(client);
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    BASE_URL: 'https://track.test',
    DASHBOARD_URL: 'https://track.test',
    DOCS_URL: 'https://track.test/docs/errors',
  });
  discardContainer();
  let brands = 0;

  return {
    tableName,
    client,
    deps: (at: Date = NOW) => requestDeps(at, 'test'),

    async brand(settings: Partial<NewProgram> = {}): Promise<Brand> {
      brands += 1;
      const number = brands;
      const deps = requestDeps(NOW, 'test');
      const owner = await signInOwn(deps, {
        issuer: 'test',
        subject: `owner-${number}`,
        email: `owner@brand${number}.test`,
      });
      const workspace = await createWorkspace(deps, owner, `Brand ${number}`);
      const program = await createProgram(deps, workspace.id, {
        name: `Program ${number}`,
        domain: `brand${number}.test`,
        commissionType: 'percent',
        commissionRate: 20,
        ...settings,
      });
      if (hasFacts) await beginFacts(deps.table, program.id, NOW);
      const withKey = async () => {
        const { key } = await generateProgramKey(deps, program.id);
        // Records that the key was used in this hour, so that the first request of a test does not have to.
        await recordKeyUse(deps.table, sha256(key), hourOf(NOW));
        return key;
      };
      const withLink = async () => {
        const shortLink = `ana${number}`;
        const ana = { name: 'Ana', email: 'ana@partners.test', wishedLink: shortLink };
        return { partner: await addPartner(deps, program.id, ana), shortLink };
      };
      const [key, { partner, shortLink }] = await Promise.all([withKey(), withLink()]);
      return { program, key, partner, shortLink, affiliateUrl: `https://${program.domain}/?aff=${shortLink}` };
    },

    /** Overwrites an item with a state that only many requests, or a restore from a backup, would cause. */
    async replace(Item: Record<string, unknown>): Promise<void> {
      await client.send(new PutCommand({ TableName: tableName, Item }));
    },

    /** Reads all items that have a partition key, in the order of their sort keys. */
    async items(pk: string): Promise<Record<string, unknown>[]> {
      const pages = paginateQuery(
        { client },
        {
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ConsistentRead: true,
        },
      );
      const found: Record<string, unknown>[] = [];
      for await (const { Items = [] } of pages) found.push(...Items);
      return found;
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
