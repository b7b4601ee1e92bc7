import { knownModel } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';

/** What each client asks for where nobody tells it a model, as the versions of November 2026 do; Qwen Code's default is a house's own. */
const DEFAULTS: readonly (readonly [string, string, number])[] = [
  ['Claude Code', 'claude-opus-4-8', 1_000_000],
  ['Claude Code', 'claude-haiku-4-5-20251001', 200_000],
  ['codex', 'gpt-6.1-sol', 1_050_000],
  ['codex', 'gpt-5.5', 1_050_000],
  ['pi', 'claude-opus-4-7', 1_000_000],
  ['pi', 'gpt-5.4', 1_050_000],
  ['pi', 'gemini-3.1-pro-preview', 1_048_576],
  ['Gemini CLI', 'gemini-2.5-pro', 1_048_576],
  ['Gemini CLI', 'gemini-3-flash-preview', 1_048_576],
  ['Gemini CLI', 'gemini-3.5-flash', 1_048_576],
];

describe('the windows of models', () => {
  it.each(DEFAULTS)('that of what %s asks for by itself is known: %s', (_, model, window) => {
    expect(knownModel(model)?.window).toBe(window);
  });

  it('of a model that nobody stated is not guessed by its name', () => {
    for (const name of ['gpt-6.1', 'claude-opus-4', 'gemini-9', 'qwen3.5-plus'])
      expect(knownModel(name)).toBeUndefined();
  });
});
