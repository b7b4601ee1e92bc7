import { newEditBatch } from '../edits/edit-batch.ts';
import { findMedia, stripMedia } from '../edits/media-sites.ts';
import { type Layer, nothing } from '../view/look.ts';

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
      for (const site of findMedia(look, look.slots.slice(start))) {
        if (look.isPinned(site.slot.message.id)) continue;
        const tooWide = imageSide !== undefined && Math.max(site.media.width ?? 0, site.media.height ?? 0) > imageSide;
        if (tooWide || !isEnough()) stripMedia(batch, site);
      }
      return { edits: batch.edits };
    },
  };
}
