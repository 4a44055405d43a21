import type { Api } from '#lib/apps/web/api/api.ts';
import { errorFrom } from '#lib/apps/web/api/api-error.ts';

type Values = Readonly<Record<string, unknown>>;

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Sends changed fields, together with the values that the person saw before the change. If another person has changed a
 * field to the same value, or an earlier request has already done so and its reply was lost, that is no conflict.
 * @throws ApiError with a conflict, if another person has changed one of the fields to another value
 */
export async function sendSeen<Thing extends object>(
  api: Pick<Api, 'send'>,
  path: string,
  seen: Thing,
  changes: Values,
): Promise<Thing> {
  const send = (values: Values) => {
    const sent = Object.keys(changes).map((field): [string, unknown] => [field, values[field]]);
    return api.send<Thing>('PATCH', path, { ...changes, seen: Object.fromEntries(sent) });
  };
  try {
    return await send(seen as Values);
  } catch (error) {
    const { changed } = errorFrom(error).conflict ?? {};
    if (!changed || !Object.keys(changed).every((field) => isSame(changed[field], changes[field]))) throw error;
    return send({ ...seen, ...changed });
  }
}
