import { describe, expect, it } from 'vitest';
import { assistant, createSession, type Session, user } from '../../src/index.ts';
import { scripted } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const ANSWERS = [
  '## Facts\n- PORT is 8412 | from: "listening on PORT 8412"\n- the build is slow',
  '## Facts\n- change s1: PORT is 9000 | from: "moved PORT to 9000"\n- retire s2 | from: "moved PORT to 9000"',
];

function setUp(): Session {
  let n = 0;
  const summarizer = scripted(() => ({ text: `<summary>\n${ANSWERS[n++]}\n</summary>`, stop: 'end' }));
  const session = createSession({ window: 50_000, drafts: false, ports: { summarizer } });
  return session;
}

async function generation(session: Session, words: string, id: string): Promise<void> {
  session.append(user(`${words} ${long('this', 100)}`, id));
  session.append(assistant(long('so', 400)));
  session.append(user('go on'));
  await session.compact({ form: 'all' });
}

describe('recall of a summary’s statements', () => {
  it('reads each by its number: as it stands, or as it was when it was retired, with the message that it comes from', async () => {
    const session = setUp();
    await generation(session, 'It is listening on PORT 8412 now.', 'u1');
    expect(session.recall.read('s1')).toMatchObject({ text: 's1 (Facts; from u1): PORT is 8412', ref: 's1' });
    expect(textOf(session.recall.read('s1').messages)).toContain('listening on PORT 8412');
    expect(session.recall.read('s2').text).toBe('s2 (Facts; no place in the conversation): the build is slow');
    await generation(session, 'We moved PORT to 9000 today.', 'u2');
    expect(session.recall.read('s1 to s2').text).toBe(
      's1 (Facts; from u2, u1): PORT is 9000\ns2 (Facts; retired; no place in the conversation): the build is slow',
    );
    expect(textOf((await session.view()).messages)).toContain('- [s1] PORT is 9000');
    session.undo();
    expect(session.recall.read('s1').text).toContain('PORT is 8412');
  });

  it('leaves a message of the host that is called so where it is, and throws where nothing is', () => {
    const session = setUp();
    session.append(user('mine', 's1'));
    expect(session.recall.read('s1').text).toContain('mine');
    expect(() => session.recall.read('s2')).toThrow(/nothing is known/);
  });
});
