import { describe, expect, it } from 'vitest';
import { findRoot } from '../src/digest/choose/find-root.ts';
import { isIndexed } from '../src/digest/choose/is-indexed.ts';
import { digest } from '../src/digest/digest.ts';
import type { FileEvidence, IdentifierEvidence } from '../src/digest/evidence/evidence.ts';
import { identifierKind } from '../src/digest/evidence/scan-identifiers.ts';
import { assistant, call, type Message, type NewMessage, result, results, user } from '../src/message/message.ts';

const nowhere = { inWords: 0, inCalls: 0, inWritten: 0, inSaid: 0, inResults: 0, inErrors: 0, first: 0, last: 0 };

const seen = (identifier: string, where: Partial<IdentifierEvidence>): IdentifierEvidence => ({
  ...nowhere,
  identifier,
  kind: identifierKind(identifier) ?? 'name',
  used: -1,
  ...where,
});

describe('the index tells', () => {
  it('a word in capitals that was used again and again, and none that is only stressed', () => {
    expect(isIndexed(seen('IDLE', { inSaid: 2, inResults: 1, used: 1 }))).toBe(true);
    expect(isIndexed(seen('IDLE', { inSaid: 1, inResults: 1, used: 1 }))).toBe(false);
    expect(isIndexed(seen('IDLE', { inResults: 9 }))).toBe(false);
    expect(isIndexed(seen('IDLE', { inCalls: 1, used: 1 }))).toBe(true);
    for (const word of ['ONLY', 'BEFORE', 'IMPORTANT'])
      expect(isIndexed(seen(word, { inCalls: 1, inSaid: 9, inWritten: 9, used: 1 })), word).toBe(false);
  });

  it('a field of code, and not two sentences that were not parted', () => {
    expect(isIndexed(seen('state.Phase', { inResults: 1 }))).toBe(true);
    expect(isIndexed(seen('done.Next', { inSaid: 1, used: 1 }))).toBe(false);
    expect(isIndexed(seen('done.Next', { inSaid: 1, inWritten: 1, used: 1 }))).toBe(true);
  });

  it('what a type of the session does, and not what any test, error or list does', () => {
    const often = { inResults: 9, inWritten: 9, used: 1 };
    for (const name of ['slog.String', 'repo.Log', 'runner.Run']) expect(isIndexed(seen(name, often)), name).toBe(true);
    for (const name of ['t.Fatalf', 'err.Error', 'sb.String', 'lines.push'])
      expect(isIndexed(seen(name, often)), name).toBe(false);
  });
});

describe('files of one name', () => {
  const line = (folder: string, i: number) => `export const ${folder}Limit${i} = ${folder}Reader.take${i}(${i * 111});`;
  const lines = (folder: string) => Array.from({ length: 40 }, (_, i) => line(folder, i)).join('\n');
  const read = (id: string, path: string, text: string): readonly NewMessage[] => [
    assistant([call(id, 'Read', { file_path: path })]),
    results([result(id, text)]),
  ];
  const messages = [
    user('Look at both.'),
    ...read('a', '/w/packages/cart/src/index.ts', lines('cart')),
    ...read('b', '/w/packages/mail/src/index.ts', lines('mail')),
    ...read('c', 'packages/mail/src/index.ts', lines('post')),
    ...read('d', '/w/packages/mail/src/only.ts', lines('only')),
  ].map((message, i): Message => ({ ...message, id: `m${i}`, origin: message.origin! }));

  it('are told apart above their lines, and before their names', () => {
    const { text } = digest(messages, { maxTokens: 1_500 });
    const quoted = text.slice(text.indexOf('## Quoted'));
    const heads = quoted.match(/^\S*(?:index|only)\.ts\b/gm) ?? [];
    expect(heads.length).toBeGreaterThan(1);
    expect(new Set(heads).size).toBe(heads.length);
    for (const bare of ['index.ts', 'src/index.ts']) expect(heads).not.toContain(bare);
    for (const head of heads) if (head.endsWith('only.ts')) expect(head).toBe('only.ts');
  });
});

describe('the root that a digest says once', () => {
  const file = (path: string): FileEvidence => ({ path, reads: 1, edits: 0, state: 'read', at: 0 });
  const files = ['/home/ada/shop/src/a.ts', '/home/ada/shop/src/b.ts', '/home/ada/notes/c.md', '/home/ada/d.md'];
  const called = (path: string) => seen(path, { inCalls: 1, used: 1 });

  it('is the folder below which files were called so, where there are some more elsewhere', () => {
    expect(findRoot({ files: files.map(file), identifiers: [called('src/a.ts'), called('src/b.ts')] })).toBe(
      '/home/ada/shop/',
    );
  });

  it('is else the folder that most of them lie in', () => {
    expect(findRoot({ files: files.map(file), identifiers: [] })).toBe('/home/ada/');
  });

  it('is none that few files lie in', () => {
    const many = ['e', 'f', 'g'].map((name) => `/home/ada/${name}.md`);
    expect(
      findRoot({ files: [...files, ...many].map(file), identifiers: [called('src/a.ts'), called('src/b.ts')] }),
    ).toBe('/home/ada/');
  });
});
