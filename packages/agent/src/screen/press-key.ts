import type { Key } from '@palimpsest/terminal';
import { toScreenText, wrap } from '@palimpsest/terminal';
import { EXIT } from '../agent-error.ts';
import type { PressedKey } from './questions.ts';
import { columnsOf, printLines, refresh, refreshSoon, type Screen } from './screen.ts';

/** A second Ctrl-C within this time ends the agent. */
const TWICE_MS = 2_000;
const UNFOLDED_LINES = 500;

/** What a key does, by what is asked for: the agent's step, a question, the screen, the line that is typed. */
export function pressKey(screen: Screen, typed: string | undefined, key: Key): void {
  if (key.ctrl === true && key.name === 'c') interrupt(screen);
  else for (const pressed of screen.questions.press({ typed, key })) typeKey(screen, pressed);
  refreshSoon(screen);
}

function typeKey(screen: Screen, { typed, key }: PressedKey): void {
  const { editor } = screen;
  const ctrl = key.ctrl === true ? key.name : undefined;
  if (ctrl === 'd' && editor.text() === '') screen.leave(EXIT.done);
  else if (ctrl === 'o') printLines(screen, unfoldOutput(screen));
  // What was typed before the prompt stood comes with the other line end.
  else if ((key.name === 'return' || key.name === 'enter') && key.meta !== true) submitLine(screen);
  else if (key.name === 'tab' && editor.text() === '') editor.set(screen.guide?.next()?.words ?? '');
  else editor.press(typed, key);
}

/** Stops the step at hand; where there is none, empties the line; pressed twice, ends. */
export function interrupt(screen: Screen): void {
  const { agent, editor, leave } = screen;
  if (agent.interrupt()) return;
  // It was told to stop and has not: then the person need not wait for it.
  if (agent.isBusy()) leave(EXIT.interrupted);
  else if (editor.text() !== '') editor.set('');
  else if (screen.hint !== undefined) leave(EXIT.done);
  else showHint(screen, 'ctrl-c once more ends');
}

function showHint(screen: Screen, hint: string): void {
  screen.hint = hint;
  setTimeout(() => {
    screen.hint = undefined;
    refresh(screen);
  }, TWICE_MS).unref();
}

function submitLine({ editor, dispatcher, guide, leave }: Screen): void {
  const line = editor.take();
  guide?.hear(line);
  if (/^(?:exit|quit)$/i.test(line.trim())) leave(EXIT.done);
  else if (line.trim() !== '') dispatcher.enter(line);
}

const unfoldOutput = ({ lastOutput, paint, world }: Screen): readonly string[] =>
  wrap(toScreenText(lastOutput), columnsOf(world) - 2)
    .slice(0, UNFOLDED_LINES)
    .map((line) => paint.dim(`  ${line}`));
