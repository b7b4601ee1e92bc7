import type { Clock, Session, View } from '@palimpsest/core';
import type { Model } from '../models/model.ts';
import { readInstructions, showsInstructions } from '../world/instructions.ts';
import type { Listener } from './agent-event.ts';

/** Instructions may take this share of the window, at about 4 characters a token. */
const INSTRUCTIONS_SHARE = 0.1;

interface WatchParts {
  readonly root: string;
  readonly session: () => Session;
  readonly model: () => Model;
  readonly clock: Clock;
  readonly emit: Listener;
}

/** Sees to it that what the folder asks for is in view: read at the start, and again when a walk has hidden it. */
export interface InstructionsWatch {
  begin(): Promise<void>;
  /** Something was hidden: the next view has to be looked at. */
  distrustView(): void;
  /** Appends them where a view lacks them; true where it did. */
  complete(view: Pick<View, 'messages'>): Promise<boolean>;
}

export function newInstructionsWatch({ root, session, model, clock, emit }: WatchParts): InstructionsWatch {
  let isTrusted = true;
  const append = async (again: boolean): Promise<boolean> => {
    const found = await readInstructions(root, Math.floor(model().window * 4 * INSTRUCTIONS_SHARE));
    if (found === undefined) return false;
    session().append({ ...found.message, at: clock.now() });
    emit({ type: 'instructions-read', files: found.files, again });
    return true;
  };
  return {
    async begin() {
      await append(false);
    },
    distrustView() {
      isTrusted = false;
    },
    async complete(view) {
      const isMissing = !isTrusted && !showsInstructions(view);
      isTrusted = true;
      return isMissing && append(true);
    },
  };
}
