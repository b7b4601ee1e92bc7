import { newDraft } from '../edits/edit-batch.ts';
import { type MediaPart, mediaMarker } from '../message/message.ts';
import { mediaRemoved } from '../notices.ts';
import { type Layer, type Look, nothing } from '../view/look.ts';
import { placeOf } from '../view/slot.ts';
import { isWords } from '../view/units.ts';

interface MediaSite {
  readonly at: number;
  readonly place: number;
  readonly piece?: number;
  readonly media: MediaPart;
}

/** Old pictures and documents give way to markers, oldest first; those of the user's newest message go last. */
export function stripOldMedia(): Layer {
  return {
    name: 'strip-old-media',
    decide(look) {
      const { imageSide } = look.budget.limits;
      const start = look.pressed ? 0 : look.fresh;
      if (!look.pressed && (imageSide === undefined || look.fresh === look.slots.length)) return nothing;
      const draft = newDraft(look);
      const enough = (): boolean =>
        draft.freedImages >= look.over.images &&
        draft.freedBytes >= look.over.bytes &&
        draft.freedTokens >= look.over.tokens;
      for (const site of mediaSites(look, start)) {
        const tooWide = imageSide !== undefined && Math.max(site.media.width ?? 0, site.media.height ?? 0) > imageSide;
        if (!tooWide && enough()) continue;
        const marker = mediaMarker(site.media);
        draft.add(site.at, (ref, message) => ({
          type: 'replace',
          ref,
          message,
          part: site.place,
          ...(site.piece === undefined ? {} : { piece: site.piece }),
          excerpt: [mediaRemoved(marker, ref)],
        }));
      }
      return { edits: draft.edits };
    },
  };
}

function mediaSites(look: Look, start: number): readonly MediaSite[] {
  const sites: MediaSite[] = [];
  for (let at = start; at < look.slots.length; at++) {
    const slot = look.slots[at]!;
    if (slot.fold !== undefined || look.isPinned(slot.message.id)) continue;
    slot.message.parts.forEach((part, shown) => {
      const place = placeOf(slot, shown);
      if (part.type === 'media') sites.push({ at, place, media: part });
      if (part.type !== 'result') return;
      part.content.forEach((media, piece) => {
        if (media.type === 'media') sites.push({ at, place, piece, media });
      });
    });
  }
  // What the user showed last is what the work is about: it is the last to go.
  const newest = look.slots.findLastIndex((slot) => isWords(slot) || slot.message.origin === 'human');
  return [...sites.filter((site) => site.at !== newest), ...sites.filter((site) => site.at === newest)];
}
