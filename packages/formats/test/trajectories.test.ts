import { describe, expect, it } from 'vitest';
import { readSession } from '../src/index.ts';
import { fixture, readFixture, sketch } from './sketch.ts';

describe('trajectories of research agents', () => {
  it('SWE-agent: actions are calls, observations their results, the demonstration is the host’s', () => {
    const recording = readFixture('swe-agent.json');
    expect(sketch(recording.messages)).toEqual([
      'history-2 harness: a demonstration',
      'history-3 human: fix a.py',
      'history-4 model: Look. | →history-4.call bash {"command":"ls"}',
      'history-5 tool: ←history-4.call a.py⏎bash-$',
      'history-6 model: Two calls. | →call_7 bash {"command":"cat a.py"}',
      'history-7 tool: ←call_7 x = 1',
      'history-8 model: Over. | →history-8.call bash {"command":"submit"}',
    ]);
    expect(recording.system).toBe('You use a shell.');
    expect(recording.notes).toEqual(['1 call(s) at the end have no result']);
  });

  it('mini-swe-agent: native and fenced commands are calls, the submission is left out', () => {
    const recording = readFixture('mini-swe-agent.json');
    expect(sketch(recording.messages)).toEqual([
      'message-2 human: fix it',
      'message-3 model: Look. | →call_1 bash {"command":"ls"}',
      'message-4 tool: ←call_1 <returncode>0</returncode>⏎<output>⏎a.py</output>',
      'message-5 model: Then:⏎⏎and see. | →message-5.call bash {"command":"cat a.py"}',
      'message-6 tool: ←message-5.call <returncode>0</returncode>⏎<output>⏎x</output>',
      'message-7 model: Hm. | →call_2 bash "{\\"command"',
      'message-8 harness: Tool call error: no arguments',
    ]);
    expect(recording.usage).toEqual([{ after: 1, usage: { input: 40, output: 9, cacheRead: 60 } }]);
    expect(recording.messages[1]!.at).toBe(1777000000500);
  });

  it('OpenHands: conversations in one file do not see each other', () => {
    const recording = readFixture('openhands.jsonl');
    expect(sketch(recording.messages)).toEqual([
      '1.1 human: add a license',
      '1.2 model: First the file. | →1.2.call run {"command":"touch LICENSE"}',
      '1.3 tool: ←1.2.call! ok',
      '1.4 model: It is there. | →1.4.call finish {"outputs":{}}',
      '2.1 human: dark mode',
      `2.2 model: →2.2.call run_ipython {"code":"open_file('a.css')"}`,
      '2.3 tool: ←2.2.call a.css',
    ]);
    expect(recording.viewAt(3).map((message) => message.id)).toEqual(['1.1', '1.2', '1.3']);
    expect(recording.viewAt(6).map((message) => message.id)).toEqual(['2.1', '2.2']);
    expect(recording.compactions).toEqual([]);
  });

  it('OpenHands: a condensation puts its summary where the forgotten events were', () => {
    const recording = readFixture('openhands-events.json');
    expect(sketch(recording.viewAt(4))).toEqual([
      'event-1 human: find the bug',
      'event-5 palimpsest: The folder holds a.c.',
      'event-6 model: It is in a.c.',
    ]);
    expect(recording.compactions[0]).toMatchObject({ at: 3, hidden: ['event-2', 'event-3'] });
    expect(recording.system).toBe('You are an engineer.');
  });

  it('OpenHands: a condensation may list what it forgets, keep what came later, and say nothing in its place', () => {
    const condensedBy = (args: object) => {
      const events = JSON.parse(fixture('openhands-events.json')) as { id: number; action?: string; args?: object }[];
      const [prompt, condensation, answer] = [events[1]!, events[5]!, events[6]!];
      const said = { ...prompt, id: 2, args: { content: 'and fix it' } };
      return sketch(readSession(JSON.stringify([prompt, said, { ...condensation, args }, answer])).viewAt(3));
    };
    expect(condensedBy({ forgotten_event_ids: [1], summary: 'A bug is sought.', summary_offset: 0 })).toEqual([
      'event-5 palimpsest: A bug is sought.',
      'event-2 human: and fix it',
      'event-6 model: It is in a.c.',
    ]);
    expect(condensedBy({ forgotten_event_ids: [1] })).toEqual([
      'event-2 human: and fix it',
      'event-6 model: It is in a.c.',
    ]);
  });
});
