import { newEditBatch } from '../edits/edit-batch.ts';
import { findMedia, stripMedia } from '../edits/media-sites.ts';
import { attachedNotice, refusedMediaNotice } from '../notices.ts';
import { type Layer, nothing } from '../view/look.ts';

/**
 * A provider refused a request that is mostly pictures and documents: all of them become words that name type and file, and
 * the last one tells the model what happened. What the user typed beside them stays, and is asked again.
 */
export function stripRefusedMedia(): Layer {
  return {
    name: 'strip-refused-media',
    decide(look) {
      if (look.given.trigger !== 'overflow' || look.over.bytes === 0) return nothing;
      const batch = newEditBatch(look);
      const sites = findMedia(look, look.slots).filter(({ slot }) => !look.isPinned(slot.message.id));
      for (const site of sites) {
        const { mediaType, name = 'file' } = site.media;
        const why = (ref: string): string => (site === sites.at(-1) ? refusedMediaNotice(ref, batch.canRecall) : '');
        stripMedia(batch, site, (ref) => `${attachedNotice(mediaType, name)}${why(ref)}`);
      }
      return { edits: batch.edits };
    },
  };
}
