import { describe, expect, test } from 'vitest';
import { isHostText, stripHostText } from '../src/message/host-text.ts';

describe('text that a host put into a message in the user’s name', () => {
  const hostTexts = [
    '<system-reminder>Tools changed.</system-reminder>',
    '  <permissions instructions>\nRead only.\n</permissions instructions>',
    '<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>',
    '<skill-context name="pdf">Read the form.</skill-context>',
    '<returncode>0</returncode>\n<output>ok</output>',
    '# AGENTS.md instructions for the repository',
    '[TASK RESUMPTION] The task was interrupted.',
    '[Request interrupted by user]',
  ];
  test.each(hostTexts)('is told by how it begins, and says nothing of the user: %s', (text) => {
    expect(isHostText(text)).toBe(true);
    expect(stripHostText(text)).toBe('');
  });

  test('leaves the words around it to the user', () => {
    const text = 'Fix the test.\n<system-reminder>Be quick.</system-reminder>\nAnd the docs.';
    expect(isHostText(text)).toBe(false);
    expect(stripHostText(text)).toBe('Fix the test.\n\nAnd the docs.');
  });

  test('is no placeholder that merely begins like one of its tags', () => {
    const text = 'Put it under skills/<category>/<skill-name>/, and print <output-file>.';
    expect(isHostText('<skill-name> is wrong')).toBe(false);
    expect(stripHostText(text)).toBe(text);
  });

  test('is taken away around what the user did say', () => {
    expect(stripHostText('<task>\nFix the test.\n</task>\n<environment_details>cwd</environment_details>')).toBe(
      'Fix the test.',
    );
  });
});
