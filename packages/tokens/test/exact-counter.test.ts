import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { call, countMessage, type Message, result, text } from '@palimpsest/core';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { exactCounter } from '../src/index.ts';

const counter = exactCounter();

it('a text shorter than a slice has the count of the tokenizer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (value) => {
      expect(counter.text(value)).toBe(countTokens(value, { disallowedSpecial: new Set() }));
    }),
  );
  expect(counter.text('')).toBe(0);
  expect(counter.text('hello world')).toBe(2);
});

it('slicing adds at most five tokens in a thousand to prose', () => {
  const prose = 'The ferry left before sunrise, and nobody on the pier looked up from the paper. '.repeat(400);
  const whole = countTokens(prose);
  expect(counter.text(prose)).toBeGreaterThanOrEqual(whole);
  expect(counter.text(prose)).toBeLessThanOrEqual(whole * 1.005);
});

it('a long unbroken run is counted in slices', () => {
  const slice = counter.text('永'.repeat(2_048));
  expect(counter.text('永'.repeat(2_048 * 100))).toBe(slice * 100);
});

it('a slice never cuts a character in two', () => {
  const emoji = counter.text('🚀');
  const shifted = counter.text('🚀'.repeat(5_000));
  expect(counter.text(`x${'🚀'.repeat(5_000)}`)).toBeLessThanOrEqual(shifted + 1 + emoji);
  for (let at = 2_040; at < 2_056; at++) {
    expect(counter.text(`${' a'.repeat(at).slice(0, at)}🚀🚀`)).toBeLessThanOrEqual(Math.ceil(at / 2) + 2 + 2 * emoji);
  }
});

it('a slice that would end inside a character ends before it', () => {
  const faces = `x${'😂'.repeat(2_000)}`;
  const slices = [faces.slice(0, 2_047), faces.slice(2_047)];
  expect(counter.text(faces)).toBe(slices.reduce((sum, slice) => sum + counter.text(slice), 0));
  const halves = [faces.slice(0, 2_048), faces.slice(2_048)];
  expect(counter.text(faces)).toBeLessThan(halves.reduce((sum, half) => sum + counter.text(half), 0));
});

it('what looks like a special token is text', () => {
  expect(counter.text('<|endoftext|><|im_start|>')).toBeGreaterThan(2);
});

it('halves of surrogate pairs are counted, not refused', () => {
  expect(counter.text('\ud83d\ud83d \udc00')).toBeGreaterThan(0);
});

it('a message is counted by the one rule of core', () => {
  const message: Message = {
    id: 'm1',
    role: 'assistant',
    origin: 'model',
    parts: [
      text('Reading the file.'),
      call('c1', 'read_file', { path: 'src/main.ts', lines: [1, 20] }),
      result('c1', [{ type: 'media', kind: 'image', mediaType: 'image/png', data: 'AAAA'.repeat(50_000) }]),
    ],
  };
  expect(counter.message(message)).toBe(countMessage(message, counter.text));
  expect(counter.message(message)).toBeLessThan(1_700);
});

it('the vocabulary is loaded by the first text, not by the import', () => {
  const script = `
    const loaded = () => Object.keys(require.cache).filter((path) => path.includes('o200k')).length;
    import('./src/index.ts').then(({ exactCounter }) => {
      const counter = exactCounter();
      const before = loaded();
      counter.text('now');
      process.stdout.write(before + ' ' + (loaded() > 0));
    });
  `;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--conditions=palimpsest-source', '-e', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
  expect(run.stdout, run.stderr).toBe('0 true');
});
