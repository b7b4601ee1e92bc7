import { readdirSync, readFileSync } from 'node:fs';
import * as anthropic from '@palimpsest/testing/malformed/anthropic';
import * as chat from '@palimpsest/testing/malformed/chat';
import * as google from '@palimpsest/testing/malformed/gemini';
import * as responses from '@palimpsest/testing/malformed/responses';
import type { Good, Row } from '@palimpsest/testing/malformed/row';
import { describe, expect, it } from 'vitest';
import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiChatAlternating,
  openaiResponses,
  type Violation,
} from '../src/index.ts';

interface Table {
  readonly name: string;
  readonly folder: string;
  readonly check: (body: object, previous?: object) => readonly Violation[];
  readonly rows: readonly Row[];
  readonly good: readonly Good[];
}

const checker =
  (wire: { validate(body: never, options?: { previous?: never }): readonly Violation[] }) =>
  (body: object, previous?: object): readonly Violation[] =>
    wire.validate(body as never, previous === undefined ? {} : { previous: previous as never });

const tables: readonly Table[] = [
  { name: 'anthropic', folder: 'anthropic-messages', check: checker(anthropicMessages), ...anthropic },
  { name: 'chat', folder: 'openai-chat', check: checker(openaiChat), ...chat },
  {
    name: 'chat, alternating',
    folder: 'openai-chat',
    check: checker(openaiChatAlternating),
    rows: [...chat.rows, ...chat.alternatingRows],
    good: chat.alternatingGood,
  },
  { name: 'responses', folder: 'openai-responses', check: checker(openaiResponses), ...responses },
  { name: 'gemini', folder: 'gemini', check: checker(gemini), ...google },
];

describe.each(tables)('$name', ({ check, rows, good }) => {
  it.each(rows.map(([rule, path, body, previous]) => ({ rule, path, body, previous })))(
    '$rule is named at "$path"',
    ({ rule, path, body, previous }) => {
      const found = check(body, previous);
      expect(found.map((one) => `${one.rule} ${one.path}`)).toContain(`${rule} ${path}`);
      expect(found.every(({ message }) => message !== '')).toBe(true);
    },
  );

  it.each(good.map(([what, body, previous]) => ({ what, body, previous })))(
    'no complaint about $what',
    ({ body, previous }) => {
      expect(check(body, previous)).toEqual([]);
    },
  );
});

it.each(['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'])(
  'every rule of the %s validator has a body that breaks it',
  (folder) => {
    const dir = new URL(`../src/${folder}/`, import.meta.url);
    const source = readdirSync(dir)
      .map((file) => readFileSync(new URL(file, dir), 'utf8'))
      .join('\n');
    const rules = [...source.matchAll(/violation\(\s*[^,]+,\s*'([a-z-]+)'|rule: '([a-z-]+)'/g)].map(
      (match) => match[1] ?? match[2],
    );
    const broken = new Set(
      tables.filter((table) => table.folder === folder).flatMap(({ rows }) => rows.map(([rule]) => rule)),
    );
    expect(rules.length).toBeGreaterThan(5);
    expect([...new Set(rules)].filter((rule) => !broken.has(rule!))).toEqual([]);
  },
);
