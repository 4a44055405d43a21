import type { PreviewedRules } from '#lib/service/reports/stories/preview-rules.ts';
import type * as wire from '#lib/wire/programs/rules-preview.ts';

export const rulesPreviewReply = ({ rules, isComplete }: PreviewedRules): wire.RulesPreview => ({
  rules,
  complete: isComplete,
});
