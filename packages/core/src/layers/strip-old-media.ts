import { allow, checkOptions } from '../check-options.ts';
import { newEditBatch } from '../edits/edit-batch.ts';
import { findMedia, stripMedia } from '../edits/media-sites.ts';
import { type Layer, nothing } from '../view/look.ts';

/** What old media give way to. */
export interface StripOldMediaOptions {
  /** `pressure`, the default: any limit, tokens too. `limit`: only those of images, their side and bytes. */
  readonly when?: 'pressure' | 'limit';
}

/** Old pictures and documents give way to markers, oldest first; those of the user's newest message go last. */
export function stripOldMedia(options: StripOldMediaOptions = {}): Layer {
  checkOptions<StripOldMediaOptions>('stripOldMedia()', options, { when: allow.oneOf('pressure', 'limit') });
  const { when = 'pressure' } = options;
  return {
    name: 'strip-old-media',
    decide(look) {
      const { imageSide } = look.given.budget.limits;
      const pressed = when === 'pressure' ? look.pressed : look.over.images > 0 || look.over.bytes > 0;
      const start = pressed ? 0 : look.fresh;
      if (!pressed && (imageSide === undefined || look.fresh === look.slots.length)) return nothing;
      const batch = newEditBatch(look);
      const isEnough = (): boolean =>
        batch.freed.images >= look.over.images &&
        batch.freed.bytes >= look.over.bytes &&
        (when === 'limit' || batch.freed.tokens >= look.over.tokens);
      for (const site of findMedia(look, look.slots.slice(start))) {
        if (look.isPinned(site.slot.message.id)) continue;
        const tooWide = imageSide !== undefined && Math.max(site.media.width ?? 0, site.media.height ?? 0) > imageSide;
        if (tooWide || !isEnough()) stripMedia(batch, site);
      }
      return { edits: batch.edits };
    },
  };
}
