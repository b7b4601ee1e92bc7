import { describe, expect, it } from 'vitest';
import { collectAnswer } from '../src/openai-chat/collect-answer.ts';

const piece = (fields: object, name?: string, text = '') => ({
  ...fields,
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});

const readCalls = (chunks: readonly (readonly object[])[]): readonly string[] => {
  const collector = collectAnswer();
  for (const tool_calls of chunks) collector.take({ choices: [{ delta: { tool_calls } }] });
  return collector
    .parts()
    .flatMap((part) => (part.type === 'call' ? [`${part.callId} ${part.tool} ${JSON.stringify(part.input)}`] : []));
};

describe('calls of a streamed answer', () => {
  const both = ['a read {"p":1}', 'b write {"p":2}'];
  const first = (fields: object) => piece({ ...fields, id: 'a' }, 'read', '{"p":1}');
  const second = (fields: object) => piece({ ...fields, id: 'b' }, 'write', '{"p":2}');
  it.each([
    ['by index', [[first({ index: 0 })], [second({ index: 1 })]]],
    ['under one index', [[first({ index: 0 }), second({ index: 0 })]]],
    ['under one index, one by one', [[first({ index: 0 })], [second({ index: 0 })]]],
    ['without an index', [[first({}), second({})]]],
    ['without an index, one by one', [[first({})], [second({})]]],
  ])('are told apart: %s', (_, chunks) => {
    expect(readCalls(chunks)).toEqual(both);
  });

  it.each([
    ['by index', [[piece({ index: 0, id: 'a' }, 'read')], [piece({ index: 0 }, undefined, '{"p":1}')]]],
    [
      'with the id again',
      [[piece({ index: 0, id: 'a' }, 'read')], [piece({ index: 0, id: 'a' }, undefined, '{"p":1}')]],
    ],
    [
      'with an empty id and name',
      [[piece({ index: 0, id: 'a' }, 'read')], [piece({ index: 0, id: '' }, '', '{"p":1}')]],
    ],
    [
      'with an id of its own and no name',
      [[piece({ index: 0, id: 'a' }, 'read')], [piece({ index: 0, id: 'x' }, '', '{"p":1}')]],
    ],
  ])('go on where they began: %s', (_, chunks) => {
    expect(readCalls(chunks)).toEqual(['a read {"p":1}']);
  });
});
