import { wordsOf } from '@palimpsest/core';
import { type Key, toScreenText, wrap } from '@palimpsest/terminal';
import { EXIT, explain } from '../agent-error.ts';
import { problemLines } from '../printing/event-lines.ts';
import { forkBefore } from '../sessions/fork-session.ts';
import { isModal, nextMode } from '../world/permission-mode.ts';
import { menuOf, openGoingBack, pressMenu, takeItem } from './menus.ts';
import type { PressedKey } from './questions.ts';
import { columnsOf, printLines, refresh, refreshSoon, type Screen } from './screen.ts';

/** A second Ctrl-C within this time ends the agent. */
const TWICE_MS = 2_000;
const TWICE_ENDS = 'ctrl-c once more ends';
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
  if (pressOpenMenu(screen, key)) return;
  if (ctrl === 'd' && editor.text() === '') screen.leave(EXIT.done);
  else if (ctrl === 'o') printLines(screen, unfoldOutput(screen));
  else if (key.name === 'tab' && key.shift === true) changeMode(screen);
  else if (key.name === 'escape') pressEscape(screen, key.sequence === ESCAPE_TWICE);
  // What was typed before the prompt stood comes with the other line end.
  else if ((key.name === 'return' || key.name === 'enter') && key.meta !== true) submitLine(screen);
  else if (key.name === 'tab' && editor.text() === '') editor.set(screen.guide?.next()?.words ?? '');
  else editor.press(typed, key);
}

/** Keys that are for the menu below the line. */
function pressOpenMenu(screen: Screen, key: Key): boolean {
  // Escape itself counts as one with meta.
  const isPlain = key.ctrl !== true && (key.meta !== true || key.name === 'escape');
  const menu = isPlain ? menuOf(screen) : undefined;
  if (menu === undefined) return false;
  const pressed = pressMenu(screen, menu, key.name);
  if (pressed !== 'chosen') {
    // What is typed on changes the menu, and closes one that is not about the line.
    if (pressed === false) screen.menus.goingBack = undefined;
    return pressed !== false;
  }
  const back = screen.menus.goingBack;
  if (back === undefined) takeItem(screen, menu);
  else void goBack(screen, back.messages[screen.menus.selected] ?? '');
  return true;
}

/** From one mode to the next. */
function changeMode({ agent: { permission } }: Screen): void {
  if (isModal(permission)) permission.setMode(nextMode(permission.mode()));
}

/** Stops what runs; in a line, twice empties it; without one, twice offers to go back to an earlier message. */
function pressEscape(screen: Screen, isTwice: boolean): void {
  const { agent, editor } = screen;
  const hint = editor.text() === '' ? ESCAPE_BACK : ESCAPE_CLEARS;
  if (editor.search() !== undefined) editor.endSearch();
  else if (agent.isBusy()) agent.interrupt();
  else if (!isTwice && screen.hint !== hint) showHint(screen, hint);
  else {
    screen.hint = undefined;
    if (editor.text() !== '') editor.set('');
    else if (!openGoingBack(agent.session, screen.menus)) showHint(screen, 'nothing was said yet');
  }
}

/** Both came at once. */
const ESCAPE_TWICE = '\u001b\u001b';
const ESCAPE_BACK = 'esc once more goes back to something you said';
const ESCAPE_CLEARS = 'esc once more empties the line';

/** The conversation forks before a message: its words are in the line, to be said otherwise; what it was stays as it is. */
async function goBack(screen: Screen, id: string): Promise<void> {
  const { agent, menus, editor, store } = screen;
  menus.goingBack = undefined;
  menus.selected = 0;
  const message = agent.session.transcript().find((one) => one.id === id);
  if (message === undefined || agent.isBusy()) return;
  try {
    const fork = await forkBefore(agent, id, store, Date.now());
    await screen.change(fork);
    editor.set(wordsOf(message));
    const lines = wrap(`Back before ${id}; what followed is kept: /resume ${agent.id}`, columnsOf(screen.world));
    printLines(screen, lines.map(screen.paint.dim));
  } catch (error) {
    printLines(screen, problemLines(explain(error), screen.paint, columnsOf(screen.world)));
  }
}

/** Stops the step at hand; where there is none, empties the line; pressed twice, ends. */
export function interrupt(screen: Screen): void {
  const { agent, editor, leave } = screen;
  if (agent.interrupt()) return;
  // It was told to stop and has not: then the person need not wait for it.
  if (agent.isBusy()) leave(EXIT.interrupted);
  else if (editor.text() !== '') editor.set('');
  else if (screen.hint === TWICE_ENDS) leave(EXIT.done);
  else showHint(screen, TWICE_ENDS);
}

function showHint(screen: Screen, hint: string): void {
  screen.hint = hint;
  setTimeout(() => {
    screen.hint = undefined;
    refresh(screen);
  }, TWICE_MS).unref();
}

function submitLine({ editor, dispatcher, guide, leave, menus }: Screen): void {
  editor.endSearch();
  const at = editor.cursor();
  // A backslash at the end of the line: it goes on below.
  if (editor.text().slice(0, at).endsWith('\\')) {
    editor.replace(at - 1, at, '\n');
    return;
  }
  menus.selected = 0;
  const line = editor.take();
  guide?.hear(line);
  if (/^(?:exit|quit)$/i.test(line.trim())) leave(EXIT.done);
  else if (line.trim() !== '') dispatcher.enter(line);
}

const unfoldOutput = ({ lastOutput, paint, world }: Screen): readonly string[] =>
  wrap(toScreenText(lastOutput), columnsOf(world) - 2)
    .slice(0, UNFOLDED_LINES)
    .map((line) => paint.dim(`  ${line}`));
