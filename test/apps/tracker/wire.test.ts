import { expectTypeOf, it } from 'vitest';
import type { ClickReply } from '#lib/apps/tracker/tracker.ts';
import type { RecordedClick } from '#lib/wire/traffic/click.ts';

it('the reply to a click has the fields that the tracker reads', () => {
  expectTypeOf<RecordedClick>().toExtend<ClickReply>();
});
