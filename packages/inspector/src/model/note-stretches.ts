import type { Message } from '@palimpsest/core';
import { countOnce, type Made } from './classify-message.ts';
import { describeMade } from './describe-messages.ts';
import type { Stretch } from './inspection.ts';
import { nameExcerpt } from './name-excerpt.ts';

/** The place of a message in the transcript, and whether it is shown as it was said there. Undefined: nobody said it. */
export type SaidAs = (message: Message) => { readonly place: number; readonly isWhole: boolean } | undefined;

type Open = { -readonly [Name in keyof Stretch]: Stretch[Name] };

/** Notes from when until when views show what nobody had said so. */
export function newStretches(saidAs: SaidAs) {
  const all: Open[] = [];
  const open = new Map<Message, Open>();
  const excerpts = new Map<string, Message>();
  return {
    excerpts: excerpts as ReadonlyMap<string, Message>,
    /** The first `same` messages of both views are the same. */
    note(
      call: number,
      before: readonly Message[],
      view: readonly Message[],
      same: number,
      madeAs: (message: Message) => Made | undefined,
    ): void {
      const come = new Set(view.slice(same));
      for (const message of before.slice(same)) {
        const stretch = come.has(message) ? undefined : open.get(message);
        if (stretch === undefined) continue;
        stretch.to = call;
        open.delete(message);
      }
      for (let i = same; i < view.length; i++) {
        const message = view[i];
        if (message === undefined || open.has(message)) continue;
        const said = saidAs(message);
        if (said?.isWhole) continue;
        const [made] = describeMade(message, madeAs(message) ?? (said === undefined ? 'carried' : undefined));
        const place = made === undefined ? (said?.place ?? -1) : findPlaceBefore(view, i, saidAs);
        const stretch: Open = { from: call, to: call + 1, tokens: countOnce(message), place };
        if (made === undefined) excerpts.set(nameExcerpt(stretch), message);
        else stretch.made = { id: made.id, kind: made.kind, title: made.title };
        all.push(stretch);
        open.set(message, stretch);
      }
    },
    list(calls: number): readonly Stretch[] {
      for (const stretch of open.values()) stretch.to = calls;
      return all;
    },
  };
}

function findPlaceBefore(view: readonly Message[], from: number, saidAs: SaidAs): number {
  for (let i = from - 1; i >= 0; i--) {
    const message = view[i];
    const said = message === undefined ? undefined : saidAs(message);
    if (said !== undefined) return said.place;
  }
  return -1;
}
