import type { Receipt, ReceiptLine } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { paintFor } from '../src/paint.ts';
import { reasonLines, receiptLines } from '../src/receipt-lines.ts';
import { textWidth } from '../src/text-width.ts';

const paint = paintFor({}, false);
const line = (more: Partial<ReceiptLine>): ReceiptLine => ({
  layer: 'clear-old-results',
  kind: 'result',
  count: 1,
  bytes: 0,
  refs: ['e1'],
  stashed: [],
  ...more,
});
const receipt = (more: Partial<Receipt>): Receipt => ({
  walk: 1,
  trigger: 'auto',
  tokensBefore: 21_240,
  tokensAfter: 5_021,
  declared: true,
  lines: [],
  pinsBounded: [],
  flagged: [],
  ...more,
});

describe('a receipt', () => {
  it('says what went, by which layer, and the reference that reads it back', () => {
    const lines = [
      line({ layer: 'stash-large-results', tool: 'read_file', bytes: 20_812, stashed: ['s1'] }),
      line({ tool: 'grep', count: 27, bytes: 800, refs: ['e2', 'e3', 'e4', 'e5', 'e28'] }),
      line({ layer: 'drop-old-reasoning', kind: 'reasoning', count: 2, refs: ['e30', 'e31'] }),
      line({ layer: 'summarize-history', kind: 'messages', count: 0, refs: ['e40'] }),
      line({ layer: 'summarize-history', kind: 'attachment', refs: ['e41'] }),
    ];
    expect(receiptLines(receipt({ lines }), paint, 90)).toEqual([
      '◆ Compacted (automatic): 21,240 → 5,021 tokens',
      '  stash-large-results  hid 1 result of read_file (20.8 kB) · recall e1 · saved',
      '  clear-old-results    hid 27 results of grep (800 B) · recall e2 … e28',
      '  drop-old-reasoning   hid 2 thoughts · recall e30 e31',
      '  summarize-history    brought the summary up to date · recall e40',
      '  summarize-history    added 1 attachment · recall e41',
    ]);
  });

  it('that changed nothing a model had seen is no compaction', () => {
    expect(receiptLines(receipt({ declared: false }), paint, 80)).toEqual([
      '◆ Bounded as it came: 21,240 → 5,021 tokens',
    ]);
  });

  it('names the pins that had to give way, what was not verified, and why it was done', () => {
    const told = receipt({ pinsBounded: ['m3'], flagged: ['src/a.ts'], reason: 'asked for' });
    expect(receiptLines(told, paint, 80).slice(1)).toEqual([
      '  pins that had to give way: m3',
      '  not verified: src/a.ts',
    ]);
    expect(reasonLines(told, paint, 80)).toEqual(['  why now: asked for']);
    expect(reasonLines(receipt({}), paint, 80)).toEqual([]);
  });

  it('fits its columns, and what a tool or a model made up cannot paint on the screen', () => {
    const lines = [line({ tool: `bash\u001b[2J${'日本'.repeat(40)}` })];
    for (const row of receiptLines(receipt({ lines, flagged: ['\u001b[31mx'.repeat(30)] }), paint, 40).slice(1)) {
      expect(textWidth(row)).toBeLessThanOrEqual(40);
      expect(row).not.toContain('\u001b');
    }
  });

  it('says what a model took for the summary, also where nothing came of it, and that it is told to go on', () => {
    const usage = { input: 100, cacheRead: 40_000, cacheWrite: 1_000, output: 900 };
    const told = (more: Partial<Receipt>): string => receiptLines(receipt(more), paint, 90).at(-1)!;
    expect(told({ summary: { by: 'model', calls: 1, usage, cost: 0.0294 } })).toBe(
      '  the summary took 1 call, 41,100 tokens in, 900 out, $0.029',
    );
    const failure = { code: 'timed-out', why: 'too late' };
    expect(told({ summary: { by: 'digest', calls: 2, usage, failure } })).toBe(
      '  a summary that came to nothing took 2 calls, 41,100 tokens in, 900 out',
    );
    expect(told({ goesOn: true })).toBe('  the model is told to go on, or to ask where it cannot');
  });

  it('of an edit by hand says that it was one', () => {
    const lines = [line({ layer: 'edit-summary', kind: 'messages', count: 0, refs: ['e41'] })];
    expect(receiptLines(receipt({ lines, trigger: 'manual' }), paint, 90)[0]).toMatch(/^◆ Summary edited: /);
  });
});
