import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  call,
  type Json,
  type MediaPart,
  type Message,
  type Part,
  reasoning,
  result,
  text,
} from '../src/message/message.ts';
import {
  bytesOf,
  bytesOfText,
  countMessage,
  estimateMessage,
  estimatePart,
  estimateText,
  imagesIn,
} from '../src/size/estimate-message.ts';
import { dice } from './samples/generated.ts';
import { samples } from './samples.ts';

const message = (...parts: Part[]): Message => ({ id: 'm1', role: 'user', origin: 'human', parts });
const base64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString('base64');
const noise = (count: number, seed = 1): number[] => dice(seed).bytes(count);
const ascii = (value: string): number[] => [...Buffer.from(value, 'latin1')];
const big = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (value >>> (8 * (count - 1 - at))) & 0xff);
const little = (value: number, count: number): number[] => big(value, count).reverse();

const headers: Readonly<Record<string, (width: number, height: number) => number[]>> = {
  PNG: (width, height) => [
    0x89,
    ...ascii('PNG\r\n\x1a\n'),
    ...big(13, 4),
    ...ascii('IHDR'),
    ...big(width, 4),
    ...big(height, 4),
  ],
  GIF: (width, height) => [...ascii('GIF89a'), ...little(width, 2), ...little(height, 2)],
  'JPEG behind a large profile': (width, height) => [
    ...[0xff, 0xd8, 0xff, 0xe1, ...big(9_000, 2), ...noise(8_998)],
    ...[0xff, 0xff, 0xdb, ...big(4, 2), 0, 0],
    ...[0xff, 0xc2, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2)],
  ],
  'lossy WebP': (width, height) => [
    ...ascii('RIFF....WEBPVP8 '),
    ...noise(10),
    ...little(width, 2),
    ...little(height, 2),
  ],
  'lossless WebP': (width, height) => [
    ...ascii('RIFF....WEBPVP8L....\x2f'),
    ...little((width - 1) | ((height - 1) << 14), 4),
  ],
  'extended WebP': (width, height) => [
    ...ascii('RIFF....WEBPVP8X'),
    ...noise(8),
    ...little(width - 1, 3),
    ...little(height - 1, 3),
  ],
};
const image = (data: string, more: Partial<MediaPart> = {}): MediaPart => ({
  type: 'media',
  kind: 'image',
  mediaType: 'image/png',
  data,
  ...more,
});

describe('images', () => {
  it('count by their size, never by their base64', () => {
    const large = image(base64([...headers.PNG!(1000, 750), ...noise(300_000)]));
    expect(estimatePart(large)).toBe(1000);
    expect(estimatePart(result('c1', [large]))).toBe(1006);
    expect(estimateMessage(message(large))).toBe(1004);
  });

  it.each(Object.entries(headers))('%s: the size is read from the header', (_, header) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_500 }), fc.integer({ min: 1, max: 700 }), (width, height) => {
        expect(estimatePart(image(base64([...header(width, height), ...noise(40)])))).toBe(
          Math.ceil((width * height) / 750),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('a stated size goes before the header, and a size that is none is not believed', () => {
    const data = base64(headers.PNG!(750, 100));
    expect(estimatePart(image(data, { width: 750, height: 200 }))).toBe(200);
    expect(estimatePart(image(data, { width: 0, height: 200 }))).toBe(100);
    expect(estimatePart(image(data, { width: Number.NaN, height: 200 }))).toBe(100);
  });

  it('no image counts more than 1,600, and one that cannot be read counts that much', () => {
    expect(estimatePart(image(base64(headers.PNG!(20_000, 20_000))))).toBe(1_600);
    expect(estimatePart(image(base64(headers.PNG!(15_680, 100))))).toBeLessThan(30);
    expect(estimatePart(image(base64(noise(5_000))))).toBe(1_600);
    expect(
      estimatePart({ type: 'media', kind: 'image', mediaType: 'image/png', url: 'https://example.org/a.png' }),
    ).toBe(1_600);
  });

  it.each(Object.entries(headers))('%s: cut off anywhere it neither throws nor counts as text', (_, header) => {
    const bytes = header(640, 480);
    const cuts = bytes.length > 200 ? [0, 1, 3, 20, 1_000, 9_002, bytes.length - 1] : bytes.map((__, at) => at);
    for (const cut of cuts) {
      const tokens = estimatePart(image(base64(bytes.slice(0, cut))));
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(1_600);
    }
  });

  it('corrupt headers never throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(headers)),
        fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 8 }),
        fc.string({ maxLength: 20 }),
        (header, changes, junk) => {
          const bytes = header(640, 480).slice(0, 400);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          for (const data of [base64(bytes), junk + base64(bytes), base64(bytes) + junk]) {
            const tokens = estimatePart(image(data));
            expect(tokens > 0 && tokens <= 1_600).toBe(true);
          }
        },
      ),
    );
  });

  it('are found in messages, in results and in blocks of a provider', () => {
    const picture = base64([...headers.PNG!(10, 10), ...noise(600)]);
    const block = { type: 'shot', source: { data: picture }, also: `data:image/jpeg;base64,${picture}` };
    expect(imagesIn(message(text('x'), image(picture), result('c', [text('y'), image(picture)])))).toBe(2);
    expect(imagesIn(message({ type: 'native', wire: 'w', block }))).toBe(2);
    expect(imagesIn(message(image(picture, { kind: 'document' }), text(picture)))).toBe(0);
  });
});

describe('what is no text', () => {
  const media = (kind: MediaPart['kind'], mediaType: string, more: Partial<MediaPart>): number =>
    estimatePart({ type: 'media', kind, mediaType, ...more });

  it('a document counts by its pages, or else by its size', () => {
    expect(media('document', 'application/pdf', { pages: 4, data: base64(noise(90)) })).toBe(9_200);
    expect(media('document', 'application/pdf', { data: base64(noise(120_000)) })).toBe(6_900);
    expect(media('document', 'application/pdf', { url: 'https://example.org/a.pdf' })).toBe(11_500);
    expect(media('document', 'text/plain', { data: base64(ascii('word '.repeat(400))) })).toBe(500);
  });

  it('a sound and a film count by how long they probably are', () => {
    expect(media('audio', 'audio/mpeg', { data: base64(noise(160_000)) })).toBe(320);
    expect(media('audio', 'audio/wav', { data: base64(noise(160_000)) })).toBe(160);
    expect(media('video', 'video/mp4', { data: base64(noise(250_000)) })).toBe(300);
    expect(media('video', 'video/mp4', { url: 'https://example.org/a.mp4' })).toBe(18_000);
  });

  it('sealed reasoning counts by what it holds, not as text; open reasoning by its text alone', () => {
    const sealed = base64(noise(3_000));
    expect(estimatePart(reasoning('', sealed))).toBe(702);
    expect(estimatePart(reasoning('', sealed))).toBeLessThan(estimateText(sealed) / 3);
    expect(estimatePart(reasoning('Let me look.', sealed))).toBe(estimateText('Let me look.'));
    expect(estimatePart(reasoning('', 'short'))).toBe(0);
  });

  it('a block of a provider counts its JSON, but base64 in it as what it is', () => {
    const native = (block: Json): number => estimatePart({ type: 'native', wire: 'w', block });
    const picture = base64([...headers.PNG!(750, 300), ...noise(90_000)]);
    const pdf = base64([...ascii('%PDF-1.7'), ...noise(60_000)]);
    const plain = native({ type: 'found', title: 'Some page', data: '' });
    expect(native({ type: 'found', title: 'Some page', data: picture }) - plain).toBe(300);
    expect(native({ type: 'found', title: 'Some page', data: `data:application/pdf;base64,${pdf}` }) - plain).toBe(
      4_600,
    );
    expect(native({ type: 'found', title: 'Some page', data: base64(noise(3_000)) }) - plain).toBe(702);
    expect(native({ text: 'word '.repeat(500) })).toBeGreaterThan(450);
  });
});

describe('calls', () => {
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) as fc.Arbitrary<Json>;

  it('count their arguments as the JSON that is sent', () => {
    for (const sample of samples(2_000).filter(({ kind }) => kind !== 'repeated')) {
      const input = { path: 'src/main.ts', content: sample.text, flags: [1, true, null, { deep: 'yes' }] };
      const ratio = estimatePart(call('c1', 'write_file', input)) / estimateText(JSON.stringify(input));
      expect(ratio, sample.name).toBeGreaterThan(0.6);
      expect(ratio, sample.name).toBeLessThan(1.7);
    }
  });

  it('are counted at any depth', () => {
    let deep: Json = 'end';
    for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { in: deep };
    expect(estimatePart(call('c1', 'nest', deep))).toBeGreaterThan(100_000);
    expect(bytesOf(message(call('c1', 'nest', deep)))).toBeGreaterThan(400_000);
  });

  it('take the bytes of their JSON', () => {
    fc.assert(
      fc.property(json, (input) => {
        const around = bytesOf(message(call('c1', 'tool', null))) - 4;
        expect(bytesOf(message(call('c1', 'tool', input))) - around).toBe(Buffer.byteLength(JSON.stringify(input)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('messages', () => {
  it('are counted by one rule, whatever counts their texts', () => {
    const every = message(
      text('one two'),
      reasoning('three'),
      call('c1', 'read', { path: 'a' }),
      result('c1', [text('four'), image(base64(headers.PNG!(75, 100)))]),
    );
    expect(countMessage(every, () => 0)).toBe(4 + 8 + 1 + 1 + 1 + 6 + 10);
    expect(countMessage(every, (value) => value.length) - countMessage(every, () => 0)).toBe(
      'one twothreereadpathafour'.length,
    );
    expect(estimateMessage(every)).toBe(countMessage(every, estimateText));
    expect(estimateMessage(message())).toBe(4);
  });

  it('take the bytes of their texts as JSON writes them, and of their base64', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => {
        expect(bytesOfText(value)).toBe(Buffer.byteLength(JSON.stringify(value)) - 2);
      }),
      { numRuns: 2_000 },
    );
    const data = base64(noise(9_000));
    const bytes = bytesOf(message(text('ä"\n'), result('c1', [image(data)])));
    expect(bytes).toBeGreaterThan(12_000);
    expect(bytes).toBeLessThan(12_000 + 400);
  });
});
