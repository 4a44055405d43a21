import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** `additional_data` if it is an object; anything else counts as absent. */
export const additionalDataOf = ({ additional_data: data }: Json): Json =>
  typeof data === 'object' && data !== null ? (data as Json) : {};

/** Whether an event is a test: only if `additional_data.test_mode` is `true`. */
export const isTestMode = (json: Json): boolean => additionalDataOf(json).test_mode === true;

/** The programs that a test event names. The event may name them in addition to the program of its key. */
export const namedPrograms = (json: Json) => ({
  namedProgramId: numericIdOf(additionalDataOf(json).program_id),
  bodyProgramId: numericIdOf(json.program_id),
});
