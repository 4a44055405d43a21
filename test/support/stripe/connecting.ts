import { expect } from 'vitest';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';

// How an owner connects a Stripe account: the redirect to Stripe's pages, and the return.

/** Begins to connect a brand's program. @returns the state that the return must contain */
export async function begin(owner: Dashboard, { program }: Pick<Brand, 'program'>): Promise<string> {
  const { status, body } = await owner.post(`/programs/${program.id}/processor/connect`);
  expect(status).toBe(200);
  return new URL(body.data.url).searchParams.get('state')!;
}

/** Returns from Stripe's pages. Default: with the cookies of the browser that began. */
export const comeBack = (
  query: Readonly<Record<string, string>>,
  cookies: readonly string[] = [`service_connect=${query.state}`],
  at: Date = NOW,
): Promise<TestReply> =>
  dashboard().get(`/processor/callback?${new URLSearchParams(query).toString()}`, { cookies, at });

/** Returns the address to which a reply redirects. */
export function locationOf({ status, headers }: TestReply): string | undefined {
  expect(status).toBe(302);
  return headers.Location;
}

/** The address of the program's settings page, with the outcome in its query. */
export const settingsPage = ({ program }: Pick<Brand, 'program'>, outcome: string): string =>
  `https://track.test/programs/${program.id}/settings?processor=${outcome}`;
