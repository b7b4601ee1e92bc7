import { asFields, asList, asNumber, type Fields } from '@palimpsest/core/json';
import type { Asked } from './asked.ts';

/** Whether a refusal is about a control field that the upstream does not have. */
export const refusesManagement = (status: number, value: unknown): boolean =>
  (status === 400 || status === 422) && /context_management/.test(JSON.stringify(value ?? ''));

/**
 * A request without `context_management`, for an upstream that lacks it: what was to begin at a size begins there by our means. Undefined
 * where there is none.
 */
export function manageHere(asked: Asked): Asked | undefined {
  const management = asked.brief.context_management;
  if (management === undefined) return undefined;
  const triggers = [...asList(asFields(management).edits), ...asList(management)].flatMap(readTrigger);
  const window = Math.min(
    ...triggers.map((tokens) => tokens / TRIGGER_SHARE),
    asked.window ?? Number.POSITIVE_INFINITY,
  );
  return {
    ...asked,
    omitted: ['context_management'],
    window: Number.isFinite(window) ? Math.round(window) : undefined,
  };
}

/** Of a window that compaction begins at, about. */
const TRIGGER_SHARE = 0.75;

function readTrigger(edit: unknown): readonly number[] {
  const { trigger, compact_threshold } = asFields(edit) as Fields;
  const tokens = asNumber(asFields(trigger).value) ?? asNumber(compact_threshold);
  return tokens === undefined || tokens <= 0 ? [] : [tokens];
}
