import type { PreviewedRules } from '#lib/service/use-cases/preview-rules.ts';
import type * as wire from '#lib/wire/rules-preview.ts';

export const rulesPreviewReply = ({ rules, isComplete }: PreviewedRules): wire.RulesPreview => ({
  rules,
  complete: isComplete,
});
