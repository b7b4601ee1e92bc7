import { type Budget, bytesOf, estimateMessage, imagesIn, type Layer } from '@palimpsest/core';
import { accounts, type LayerAccount } from './account.ts';
import type { Note, Played, RuleKept } from './play.ts';
import type { Proof } from './proofs.ts';
import { userWords, type Words } from './words.ts';

interface Size {
  readonly messages: number;
  readonly tokens: number;
  readonly images: number;
  readonly bytes: number;
}

/** All that there is to tell about the sample; `--json` prints it as it is. */
export interface SampleReport {
  readonly preset: string;
  readonly budget: Budget;
  readonly turns: number;
  readonly calls: number;
  readonly compactions: readonly Note[];
  readonly layers: readonly LayerAccount[];
  readonly view: Size & { readonly unfit: number };
  readonly transcript: Size;
  readonly rules: readonly RuleKept[];
  readonly words: readonly Words[];
  readonly proofs: readonly Proof[];
  /** Where stashed texts lie, each as a file named after its reference. */
  readonly stashFolder: string;
  /** Absent where everything was removed at the end. */
  readonly keptIn?: string;
}

type Given = Pick<SampleReport, 'preset' | 'proofs' | 'stashFolder' | 'keptIn'>;

export function reportOf(played: Played, layers: readonly Layer[], given: Given): SampleReport {
  const { session, said, notes, turns, calls, unfit, rules, view } = played;
  const { messages, bytes, images, budget } = session.status();
  return {
    ...given,
    budget,
    turns,
    calls,
    compactions: notes,
    layers: accounts(played, layers),
    view: { messages, tokens: view.tokens, images, bytes, unfit },
    transcript: {
      messages: said.length,
      tokens: said.reduce((sum, message) => sum + estimateMessage(message), 0),
      images: said.reduce((sum, message) => sum + imagesIn(message), 0),
      bytes: said.reduce((sum, message) => sum + bytesOf(message), 0),
    },
    rules,
    words: userWords(played),
  };
}
