import { newEditBatch } from '../edits/edit-batch.ts';
import { type MediaPart, mediaMarker } from '../message/message.ts';
import { mediaRemovedNotice } from '../notices.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import { isWords } from '../view/turns.ts';

interface MediaSite {
  readonly slot: Slot;
  readonly partIndex: number;
  readonly piece?: number;
  readonly media: MediaPart;
}

/** Old pictures and documents give way to markers, oldest first; those of the user's newest message go last. */
export function stripOldMedia(): Layer {
  return {
    name: 'strip-old-media',
    decide(look) {
      const { imageSide } = look.given.budget.limits;
      const start = look.pressed ? 0 : look.fresh;
      if (!look.pressed && (imageSide === undefined || look.fresh === look.slots.length)) return nothing;
      const batch = newEditBatch(look);
      const isEnough = (): boolean =>
        batch.freed.images >= look.over.images &&
        batch.freed.bytes >= look.over.bytes &&
        batch.freed.tokens >= look.over.tokens;
      for (const site of findMedia(look, start)) {
        const tooWide = imageSide !== undefined && Math.max(site.media.width ?? 0, site.media.height ?? 0) > imageSide;
        if (!tooWide && isEnough()) continue;
        const marker = mediaMarker(site.media);
        batch.add(site.slot, (ref, message) => ({
          type: 'replace',
          ref,
          message,
          part: site.partIndex,
          ...(site.piece === undefined ? {} : { piece: site.piece }),
          excerpt: [mediaRemovedNotice(marker, ref)],
        }));
      }
      return { edits: batch.edits };
    },
  };
}

function findMedia(look: Look, start: number): readonly MediaSite[] {
  const sites: MediaSite[] = [];
  for (const slot of look.slots.slice(start)) {
    if (slot.fold !== undefined || look.isPinned(slot.message.id)) continue;
    for (const [shown, part] of slot.message.parts.entries()) {
      const index = partIndex(slot, shown);
      if (part.type === 'media') sites.push({ slot, partIndex: index, media: part });
      if (part.type !== 'result') continue;
      for (const [piece, media] of part.content.entries())
        if (media.type === 'media') sites.push({ slot, partIndex: index, piece, media });
    }
  }
  // What the user showed last is what the work is about: it is the last to go.
  const newest = look.slots.findLast((slot) => isWords(slot) || slot.message.origin === 'human');
  return [...sites.filter((site) => site.slot !== newest), ...sites.filter((site) => site.slot === newest)];
}
