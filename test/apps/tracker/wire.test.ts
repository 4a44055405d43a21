import { expectTypeOf, it } from 'vitest';
import type { ClickReply } from '#lib/apps/tracker/tracker.ts';
import type { RecordedClick } from '#lib/wire/traffic/click.ts';

it('a click has what the tracker reads of it', () => {
  expectTypeOf<RecordedClick>().toExtend<ClickReply>();
});
