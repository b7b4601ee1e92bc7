import type { Store } from '@palimpsest/store';
import {
  type LiveArea,
  newLiveArea,
  openWriter,
  type Paint,
  screenCodes,
  type Writer,
  wrap,
} from '@palimpsest/terminal';
import { EXIT } from '../agent-error.ts';
import type { Agent, AgentOptions } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { askedLines } from '../printing/question-lines.ts';
import { homeOf } from '../sessions/session-ids.ts';
import { folderAt } from '../world/folder.ts';
import type { PermissionAsk } from '../world/permission.ts';
import type { World } from '../world/world.ts';
import { type Dispatcher, newDispatcher } from './dispatcher.ts';
import { editText } from './edit-text.ts';
import { type FileNames, newFileNames } from './file-names.ts';
import { lastWordsLines } from './greeting.ts';
import type { Guide } from './guide.ts';
import { openHistory } from './kept-history.ts';
import { type LineEditor, newLineEditor } from './line-editor.ts';
import { type MenuState, menuOf } from './menus.ts';
import type { Questions } from './questions.ts';
import { newStage, type Stage } from './stage.ts';

/** An agent in front of a person. What changes stands here; whoever changes it draws it again. */
export interface Screen {
  readonly world: World;
  readonly out: Writer;
  readonly paint: Paint;
  readonly area: LiveArea;
  readonly editor: LineEditor;
  readonly stage: Stage;
  readonly questions: Questions;
  readonly dispatcher: Dispatcher;
  /** Leads a newcomer; undefined where nobody needs it. */
  readonly guide: Guide | undefined;
  readonly files: FileNames;
  readonly menus: MenuState;
  readonly store: Store;
  agent: Agent;
  hint?: string | undefined;
  tick: number;
  /** The whole of the output that was folded last. */
  lastOutput: string;
  /** What a question is about, where it was printed above since the screen has no room for it. */
  printedAsk?: PermissionAsk;
  isRefreshDue: boolean;
  isOver: boolean;
  /** Another program has the terminal. */
  isAway: boolean;
  /** Keys, sizes and time reach the screen until it is released; it can be attached again. */
  attach: (screen: Screen) => () => void;
  release: () => void;
  /** Goes on with another session, or a new one where none is named. */
  readonly change: (id?: string) => Promise<void>;
  readonly leave: (exitCode: number) => void;
  /** Resolves with the exit code when the person leaves. */
  readonly left: Promise<number>;
}

interface ScreenParts {
  readonly agent: Agent;
  readonly options: AgentOptions;
  readonly questions: Questions;
  readonly world: World;
  readonly guide: Guide | undefined;
  /** Opens another session, or a new one where none is named, in the place of this one. */
  readonly open: (id?: string) => Promise<Agent>;
}

export function newScreen({ agent, options, questions, world, guide, open }: ScreenParts): Screen {
  const { environment, stdout } = world;
  const out = openWriter(stdout, environment);
  const { paint } = out;
  let leave: Screen['leave'] = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const dispatcher = newDispatcher({
    onChange: () => refresh(screen),
    leave: () => leave(EXIT.done),
    desk: () => ({
      agent: screen.agent,
      store: options.store,
      environment,
      paint,
      columns: columnsOf(world),
      print: (lines) =>
        printLines(
          screen,
          lines.flatMap((line) => wrap(line, columnsOf(screen.world))),
        ),
      open: (id) => screen.change(id),
      confirm: async (question, signal) =>
        (await questions.ask({ tool: '', what: '', why: '', question }, signal)) !== 'no',
      edit: (text) => editOutside(screen, text),
      copy: (text) => out.send([screenCodes.copy(text)]),
    }),
  });
  const screen: Screen = {
    world,
    out,
    paint,
    area: newLiveArea(out),
    editor: newLineEditor(openHistory(homeOf(environment), agent.root)),
    stage: newStage(paint, () => screen.agent.model().isLanguageModel),
    questions,
    dispatcher,
    guide,
    files: newFileNames(folderAt(agent.root), () => refresh(screen)),
    menus: { selected: 0 },
    store: options.store,
    agent,
    tick: 0,
    lastOutput: '',
    isRefreshDue: false,
    isOver: false,
    isAway: false,
    attach: () => () => {},
    release: () => {},
    change: (id) => changeAgent(screen, id, open),
    leave,
    left,
  };
  return screen;
}

const LEAST_COLUMNS = 20;
const USUAL_ROWS = 24;

/** One less than there are: a terminal that is full to its edge wraps in its own way. */
export const columnsOf = ({ stdout }: World): number => Math.max(LEAST_COLUMNS, (stdout.columns ?? 80) - 1);

export function printLines(screen: Screen, lines: readonly string[]): void {
  screen.area.print(lines);
  refresh(screen);
}

export function hearEvent(screen: Screen, event: AgentEvent): void {
  if (event.type === 'call-ended') screen.lastOutput = event.text;
  printLines(screen, screen.stage.tell(event, columnsOf(screen.world)));
}

export function refresh(screen: Screen): void {
  if (screen.isOver || screen.isAway) return;
  const { stage, area, out } = screen;
  const question = screen.questions.open();
  const columns = columnsOf(screen.world);
  const draw = () =>
    stage.live({
      agent: screen.agent,
      editor: screen.editor,
      question: question?.asked,
      isReady: question?.isReady === true,
      isAbove: question !== undefined && screen.printedAsk === question.asked,
      commands: screen.dispatcher.queue(),
      hint: screen.hint,
      suggestion: screen.guide?.next(),
      menu: menuOf(screen),
      selected: screen.menus.selected,
      columns,
      tick: screen.tick,
    });
  let live = draw();
  // A live area keeps its end where it is too long: what is asked for must not lose its beginning.
  if (
    question !== undefined &&
    live.lines.length >= (out.rows() ?? USUAL_ROWS) &&
    screen.printedAsk !== question.asked
  ) {
    screen.printedAsk = question.asked;
    area.print(askedLines(question.asked, columns));
    live = draw();
  }
  area.paint(live.lines, live.cursor);
}

/** Once for all keys that came together, such as a paste without marks. */
export function refreshSoon(screen: Screen): void {
  if (screen.isRefreshDue) return;
  screen.isRefreshDue = true;
  setImmediate(() => {
    screen.isRefreshDue = false;
    refresh(screen);
  });
}

async function changeAgent(screen: Screen, id: string | undefined, open: ScreenParts['open']): Promise<void> {
  const before = screen.agent;
  if (id === before.id) return printLines(screen, ['This is it.']);
  screen.agent = await open(id);
  await before.close();
  if (id !== undefined) printLines(screen, lastWordsLines(screen.agent, screen.paint, columnsOf(screen.world)));
}

/** Another program has the terminal meanwhile; afterwards it is drawn again. */
async function editOutside(screen: Screen, text: string): Promise<string> {
  screen.isAway = true;
  screen.release();
  try {
    return await editText(text, screen.world.environment);
  } finally {
    screen.isAway = false;
    if (!screen.isOver) {
      screen.release = screen.attach(screen);
      refresh(screen);
    }
  }
}
