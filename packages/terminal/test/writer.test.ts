import { findObeyed, HOSTILE_TEXTS } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWriter, type Sink, screenCodes } from '../src/writer.ts';

/** A stream that remembers, and can break. */
function hearing(isTTY: boolean) {
  const heard: string[] = [];
  let fail: (error: Error) => void = () => {};
  const stream = {
    isTTY,
    columns: 80,
    rows: 24,
    write: (text: string) => heard.push(text) > 0,
    on(_: string, listener: (error: Error) => void) {
      fail = listener;
    },
  } as unknown as Sink;
  return { stream, said: () => heard.join(''), fail: (error: Error) => fail(error) };
}

describe('the one door to a terminal', () => {
  it.each(Object.entries(HOSTILE_TEXTS))('lets nothing out that a terminal obeys: %s', (_, text) => {
    const { stream, said } = hearing(true);
    const out = openWriter(stream, { NO_COLOR: '1' });
    out.print(text);
    out.send([screenCodes.hideCursor, text, screenCodes.showCursor]);
    expect(findObeyed(said(), { keepsLines: true })).toEqual([]);
  });

  it('lets nothing out that a terminal obeys, whatever it is', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', '\n', '\u001b', '\u001b[', '2J', ']0;', '\u0007', '\u009b', '\u202e', '\ud83d', '8m', '31m'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit }), fc.boolean(), (text, isTTY) => {
        const { stream, said } = hearing(isTTY);
        openWriter(stream, {}).print(text);
        expect(findObeyed(said(), { keepsLines: true })).toEqual([]);
      }),
    );
  });

  it('keeps the colours of our own paint, where there are any, and no other code', () => {
    const coloured = hearing(true);
    const out = openWriter(coloured.stream, {});
    out.print(`${out.paint.red('no')} ${out.paint.bold(out.paint.dim('x'))}\u001b[8mhidden\u001b[7m`);
    expect(coloured.said()).toBe(
      '\u001b[31mno\u001b[39m \u001b[1m\u001b[2mx\u001b[22m\u001b[1m\u001b[22m[8mhidden[7m\n',
    );
    const plain = hearing(false);
    openWriter(plain.stream, {}).print('\u001b[31mno\u001b[39m');
    expect(plain.said()).toBe('no\n');
  });

  it('sends the codes of the screen as they are', () => {
    const { stream, said } = hearing(true);
    const { lineStart, up, right, eraseBelow } = screenCodes;
    openWriter(stream, {}).send([lineStart, up(2), eraseBelow, 'text', up(0), right(3)]);
    expect(said()).toBe('\r\u001b[2A\u001b[Jtext\u001b[3C');
  });

  it('writes nothing more once nobody reads, and says so once', () => {
    const { stream, said, fail } = hearing(false);
    const lost: string[] = [];
    const out = openWriter(stream, {}, ({ message }) => lost.push(message));
    out.print('heard');
    fail(new Error('EPIPE'));
    fail(new Error('again'));
    out.print('not heard');
    expect(said()).toBe('heard\n');
    expect(lost).toEqual(['EPIPE']);
  });
});
