import { describe, expect, it } from 'vitest';
import { assistant, createSession, user, type View } from '../../src/index.ts';

const paste = (n: number): string => `${n} begins\n${`row ${n}\n`.repeat(420)}${n} ends`;

const textsOf = (view: View): readonly string[] =>
  view.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));

/** A head, some pastes with long answers between them, and the newest request. */
async function viewOf(pastes: number, newest: string): Promise<View> {
  const session = createSession({ window: 16_000 });
  session.append(user(paste(0)));
  for (let n = 1; n <= pastes; n++) {
    session.append(assistant(`answer ${n} `.repeat(1_200)));
    session.append(user(paste(n)));
  }
  session.append(assistant('Yes.'));
  session.append(user(newest));
  return session.view();
}

describe('shorten-pastes', () => {
  it('leaves head and tail of the oldest pastes, with a reference, and the head of the conversation whole', async () => {
    const view = await viewOf(3, 'Go on.');
    const texts = textsOf(view);
    expect(texts).toContain(paste(0));
    expect(texts).not.toContain(paste(1));
    const cut = texts.find((one) => one.startsWith('1 begins'));
    expect(cut).toMatch(/characters cut; recall e\d+ …\]/);
    expect(cut?.endsWith('1 ends')).toBe(true);
    expect(view.missing?.some(({ reason }) => reason === 'shortened')).toBe(true);
  });

  it('leaves the newest request whole', async () => {
    expect(textsOf(await viewOf(3, paste(9)))).toContain(paste(9));
  });

  it('does nothing where there is room', async () => {
    const view = await viewOf(1, 'Go on.');
    expect(textsOf(view)).toContain(paste(1));
    expect(view.missing).toBeUndefined();
  });
});
