import { knownModel } from '@palimpsest/wire';

/** What is known of models' windows, in tokens. */
export interface Windows {
  /** Undefined: nobody stated it, so nothing can be kept within it. */
  find(model: string): number | undefined;
  /** An upstream stated it as it refused a request. */
  learn(model: string, tokens: number): void;
}

/** One for all models, or one each, `*` for the others; else what the vendors state, or what an upstream said. */
export function readWindows(stated: number | Readonly<Record<string, number>> | undefined): Windows {
  const table = typeof stated === 'number' ? { '*': stated } : (stated ?? {});
  const learned = new Map<string, number>();
  return {
    find(model) {
      const own = Object.hasOwn(table, model) ? table[model] : undefined;
      // Gateways behind this one put the vendor in front: anthropic/claude-sonnet-5.
      const plain = model.slice(model.lastIndexOf('/') + 1);
      return own ?? table['*'] ?? knownModel(plain)?.window ?? learned.get(model);
    },
    learn(model, tokens) {
      if (learned.size < MOST_LEARNED) learned.set(model, tokens);
    },
  };
}

/** Names of models come from clients, who may send any. */
const MOST_LEARNED = 1_000;
