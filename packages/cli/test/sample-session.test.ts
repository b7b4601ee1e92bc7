import { inflateSync } from 'node:zlib';
import { check, type MediaPart, type NewMessage, type Part } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { sampleSession } from '../src/sample/sample-session.ts';

const messages: readonly NewMessage[] = sampleSession().beats.flatMap((beat) =>
  beat.type === 'said' ? beat.message : [],
);
const parts: readonly Part[] = messages.flatMap((message) => message.parts);
const media: readonly MediaPart[] = parts.flatMap((part) =>
  part.type === 'media' ? part : part.type === 'result' ? part.content.filter((piece) => piece.type === 'media') : [],
);

describe('the sample session', () => {
  it('is the same whenever it is made', () => {
    expect(JSON.stringify(sampleSession())).toBe(JSON.stringify(sampleSession()));
  });

  it('is a history that needs no mending', () => {
    expect(() => check(messages)).not.toThrow();
  });

  it('has what real sessions have: parallel calls, failures, signed thoughts, pictures, a long pause', () => {
    const at = messages.map((message) => message.at!);
    expect(messages.length).toBeGreaterThan(200);
    expect(messages.some((message) => message.parts.filter((part) => part.type === 'call').length > 3)).toBe(true);
    expect(parts.some((part) => part.type === 'result' && part.isError === true)).toBe(true);
    expect(parts.some((part) => part.type === 'reasoning' && part.signature !== undefined)).toBe(true);
    expect(media.length).toBeGreaterThan(4);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at.some((time, i) => i > 0 && time - at[i - 1]! > 60 * 60_000)).toBe(true);
  });

  it('has pictures that are pictures', () => {
    for (const { data, width, height } of media) {
      const bytes = Buffer.from(data!, 'base64');
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
      const length = bytes.readUInt32BE(33);
      expect(bytes.subarray(37, 41).toString()).toBe('IDAT');
      expect(inflateSync(bytes.subarray(41, 41 + length))).toHaveLength((Math.ceil(width! / 8) + 1) * height!);
    }
  });
});
