import type { Excerpt } from '../ledger/edit.ts';
import { type MediaPart, mediaMarker } from '../message/message.ts';
import { mediaRemovedNotice, shortCutMark } from '../notices.ts';
import type { Look } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import { isWords } from '../view/turns.ts';
import type { EditBatch } from './edit-batch.ts';

/** A picture, document, sound or film of the view, and where it stands. */
export interface MediaSite {
  readonly slot: Slot;
  /** As edits name it. */
  readonly partIndex: number;
  /** Which of a result's pieces it is. */
  readonly piece?: number;
  readonly media: MediaPart;
}

/** The media in these slots, in the order in which they may go: what the user showed last is what the work is about, so it is last. */
export function findMedia(look: Look, slots: readonly Slot[]): readonly MediaSite[] {
  const sites: MediaSite[] = [];
  for (const slot of slots) {
    if (slot.fold !== undefined) continue;
    for (const [shown, part] of slot.message.parts.entries()) {
      const index = partIndex(slot, shown);
      if (part.type === 'media') sites.push({ slot, partIndex: index, media: part });
      if (part.type !== 'result') continue;
      for (const [piece, media] of part.content.entries())
        if (media.type === 'media') sites.push({ slot, partIndex: index, piece, media });
    }
  }
  if (sites.length === 0) return sites;
  const newest = look.slots.findLast((slot) => isWords(slot) || slot.message.origin === 'human');
  const rank = ({ slot }: MediaSite): number => (slot === newest ? 2 : look.isPinned(slot.message.id) ? 1 : 0);
  return sites.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Puts a marker into the place of a medium; a small picture has fewer tokens than its marker, and gets the longest mark
 * that has no more. Says whether it went.
 */
export function stripMedia(
  batch: EditBatch,
  { slot, partIndex: part, piece, media }: MediaSite,
  writeNotice: (ref: string) => string = (ref) => mediaRemovedNotice(mediaMarker(media), ref, batch.canRecall),
): boolean {
  const replace = (write: (ref: string) => Excerpt): boolean =>
    batch.add(slot, (ref, message) => ({
      type: 'replace',
      ref,
      message,
      part,
      ...(piece === undefined ? {} : { piece }),
      excerpt: write(ref),
    }));
  return (
    replace((ref) => [writeNotice(ref)]) ||
    replace((ref) => [shortCutMark(ref)]) ||
    replace(() => ['…']) ||
    (piece === undefined && batch.add(slot, (ref, message) => ({ type: 'drop', ref, message, part })))
  );
}
