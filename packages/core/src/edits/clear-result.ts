import type { ToolKind } from '../message/tool-kinds.ts';
import { clearedNotice } from '../notices.ts';
import type { Look } from '../view/look.ts';
import type { EditBatch } from './edit-batch.ts';
import { hasMedia, type ResultSite, replaceResult, toolName } from './result-sites.ts';

/** Kinds of tools whose results can be had again, or that the work has moved past. */
export const REPEATABLE: ReadonlySet<ToolKind> = new Set([
  'read',
  'shell',
  'grep',
  'glob',
  'web-search',
  'web-fetch',
  'edit',
  'write',
]);

/** Whether a result may give way to a placeholder: never images, pins, or what is one already. What was cut before may. */
export const isReplaceable = (look: Pick<Look, 'isPinned'>, site: ResultSite): boolean =>
  !site.cleared && !hasMedia(site.part) && !look.isPinned(site.slot.message.id);

/** Puts the placeholder into a result's place; says whether that made the view smaller. */
export const clearResult = (batch: EditBatch, site: ResultSite): boolean =>
  batch.add(
    site.slot,
    replaceResult(site, (ref) => [clearedNotice(toolName(site), ref, batch.canRecall)]),
  );
