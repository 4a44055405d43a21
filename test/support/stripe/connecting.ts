import { expect } from 'vitest';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';

// An owner's redirects to the processor's pages and back.

/** Starts connecting a brand's program. @returns the state for the return */
export async function begin(owner: Dashboard, { program }: Pick<Brand, 'program'>): Promise<string> {
  const { status, body } = await owner.post(`/programs/${program.id}/processor/connect`);
  expect(status).toBe(200);
  return new URL(body.data.url).searchParams.get('state')!;
}

/** Returns from the processor's pages, by default with the cookies of the same browser. */
export const comeBack = (
  query: Readonly<Record<string, string>>,
  cookies: readonly string[] = [`service_connect=${query.state}`],
  at: Date = NOW,
): Promise<TestReply> =>
  dashboard().get(`/processor/callback?${new URLSearchParams(query).toString()}`, { cookies, at });

/** The redirect target. */
export function locationOf({ status, headers }: TestReply): string | undefined {
  expect(status).toBe(302);
  return headers.Location;
}

/** The settings page of the brand's program, with the result in its query. */
export const settingsPage = ({ program }: Pick<Brand, 'program'>, outcome: string): string =>
  `https://track.test/programs/${program.id}/settings?processor=${outcome}`;
