import { openWriter } from '@palimpsest/terminal';
import { expect, it } from 'vitest';
import { newProgress } from '../../src/printing/progress.ts';

function fakeStream(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  return { written, stream: { isTTY, columns: 20, write, on: () => {} } as unknown as NodeJS.WriteStream };
}

it('progress is shown where a person watches, within the line, and taken away at the end', () => {
  const { written, stream } = fakeStream(true);
  const progress = newProgress(openWriter(stream, {}));
  progress.show('Walking through call 12 of 340…');
  progress.end();
  expect(written).toHaveLength(2);
  const [shown, gone] = written.map((text) => text.replaceAll('\r', '').replaceAll('\u001b[K', ''));
  expect(shown).toMatch(/^Walking/);
  expect(shown!.length).toBeLessThan(20);
  expect(gone).toBe('');
});

it('progress is not written into pipes and files', () => {
  const { written, stream } = fakeStream(false);
  const progress = newProgress(openWriter(stream, {}));
  progress.show('Walking…');
  progress.end();
  expect(written).toEqual([]);
});
