import { type Message, text } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { embedInspection, inspectForeign, inspectOwn } from '../src/index.ts';
import { searchTexts } from '../src/model/search-texts.ts';
import { snip } from '../src/model/snip.ts';
import { liveSession, makeRecording, SECRET } from './made-sessions.ts';

const say = (...said: readonly string[]) => {
  const messages = said.map(
    (words, i): Message => ({
      id: `m${i + 1}`,
      role: i % 2 ? 'assistant' : 'user',
      origin: i % 2 ? 'model' : 'human',
      parts: [text(words)],
    }),
  );
  const made = makeRecording(2, []);
  return inspectForeign({ ...made, messages, compactions: [], viewAt: (at: number) => messages.slice(0, at) }, 'made');
};
const placesOf = (found: { readonly hits: readonly { readonly at: number }[] }) => found.hits.map(({ at }) => at);

describe('a search', () => {
  const inspector = say(
    'The folder is large.',
    'Nothing about migrations.',
    'In the folder stand\nthe migrations of yore.',
    'Leave the migrations folder alone.',
    'It costs 5 => 7, or more.',
  );

  it('finds the messages that hold all words, those with the words as typed first', () => {
    expect(placesOf(inspector.search('migrations folder'))).toEqual([3, 2]);
    expect(inspector.search('migrations folder').hits[0]!.line).toContain('migrations folder');
    expect(inspector.search('migrations folder').match).toBe('all');
  });

  it('takes what stands in quotes as one', () => {
    expect(placesOf(inspector.search('"migrations folder"'))).toEqual([3]);
    expect(placesOf(inspector.search('"the migrations" yore'))).toEqual([2]);
  });

  it('where no message holds all words, has those that hold most, and says so', () => {
    const found = inspector.search('migrations folder elephant');
    expect(found.match).toBe('some');
    expect(placesOf(found)).toEqual([2, 3]);
    expect(placesOf(inspector.search('elephant'))).toEqual([]);
  });

  it('of punctuation finds what holds it, or nothing', () => {
    expect(placesOf(inspector.search('=>'))).toEqual([4]);
    expect(placesOf(inspector.search('~~'))).toEqual([]);
    expect(placesOf(inspector.search('"'))).toEqual([]);
    expect(placesOf(inspector.search('  '))).toEqual([]);
  });

  it('for a name that the page or recall uses goes to that message', async () => {
    expect(inspector.search('#4')).toMatchObject({ named: 3, hits: [{ at: 3 }] });
    expect(inspector.search('m2')).toMatchObject({ named: 1, hits: [{ at: 1 }] });
    expect(inspector.search('#99').named).toBeUndefined();
    const { records } = await liveSession(24);
    const own = inspectOwn(records, { title: 'live' });
    const item = own.inspection.courses[0]!.cliffs.at(-1)!.items.find(({ tokens }) => tokens > 0)!;
    expect(own.search(item.ref)).toMatchObject({ named: item.from });
  });

  it('shows no secret, not even half of one', () => {
    const long = say(`key ${'x'.repeat(120)} needle ${'y'.repeat(100)} ${SECRET} behind it`);
    expect(JSON.stringify(long.search('needle'))).not.toContain(SECRET.slice(0, 20));
  });

  it('is the same in the file that is handed on', () => {
    const served = inspectForeign(makeRecording(40, [41]), 'made');
    const { inspection, texts } = embedInspection(served, []);
    const { ids, titles } = inspection.messages;
    for (const query of [
      'migrations folder',
      'rate1_1_0',
      'Reading module',
      '"module-3 is"',
      'leave rate elephant',
      '#7',
    ]) {
      const embedded = searchTexts(
        { texts: ids.map((_, place) => texts[place]), ids, titles, own: inspection.courses[0] },
        query,
      );
      expect(embedded).toEqual(served.search(query));
    }
  });

  it('says where more were found, and shows the words around what matched', () => {
    const { hits, isCut } = inspectForeign(makeRecording(80, []), 'made').search('Reading module');
    expect([hits.length, isCut]).toEqual([50, true]);
    const late = snip(`${'word '.repeat(80)}the needle stands here`, 'needle');
    expect(late).toMatch(/^….*the needle stands here$/);
  });

  it('finds nothing in what may not be shown: a line of a private key is no hit', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B\n'.repeat(3)}-----END PRIVATE KEY-----`;
    const found = say(`Here is my key:\n${key}\nand the needle.`);
    expect(placesOf(found.search('needle'))).toEqual([0]);
    expect(found.search('MIIEvQIBADANBgkqhkiG9w0B').hits).toEqual([]);
  });
});
