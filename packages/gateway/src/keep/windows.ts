import { knownModel } from '@palimpsest/wire';

/** What is known of models' windows, in tokens. */
export interface Windows {
  /** Undefined: nobody stated it, so nothing can be kept within it. */
  find(model: string, upstream: string): number | undefined;
  /** An upstream stated it: as it was asked, or as it refused a request. Another one's may be smaller under the same name. */
  learn(model: string, upstream: string, tokens: number): void;
  /** An upstream refused as too long what could not be by its window. */
  doubt(model: string, upstream: string): void;
  isDoubted(model: string, upstream: string): boolean;
}

/** One for all models, or one each, `*` for the others; else what the vendors state, or what an upstream said. */
export function readWindows(stated: number | Readonly<Record<string, number>> | undefined): Windows {
  const table = typeof stated === 'number' ? { '*': stated } : (stated ?? {});
  const learned = new Map<string, number>();
  const doubted = new Set<string>();
  return {
    find(model, upstream) {
      const own = Object.hasOwn(table, model) ? table[model] : undefined;
      // Gateways behind this one put the vendor in front: anthropic/claude-sonnet-5.
      const plain = model.slice(model.lastIndexOf('/') + 1);
      return own ?? table['*'] ?? knownModel(plain)?.window ?? learned.get(`${upstream} ${model}`);
    },
    learn(model, upstream, tokens) {
      if (learned.size < MOST_LEARNED && model.length <= MOST_NAME_CHARS) learned.set(`${upstream} ${model}`, tokens);
    },
    doubt(model, upstream) {
      if (doubted.size < MOST_LEARNED && model.length <= MOST_NAME_CHARS) doubted.add(`${upstream} ${model}`);
    },
    isDoubted: (model, upstream) => doubted.has(`${upstream} ${model}`),
  };
}

/** Names of models come from clients, who may send any. */
const MOST_LEARNED = 1_000;
export const MOST_NAME_CHARS = 256;
