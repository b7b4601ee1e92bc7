import type { Key } from '@palimpsest/terminal';
import type { AskPermission, PermissionAnswer, PermissionAsk } from '../world/permission.ts';

export interface OpenQuestion {
  readonly asked: PermissionAsk;
  /** Keys answer it from now on; until then they may have been meant for something else. */
  readonly isReady: boolean;
}

export interface PressedKey {
  readonly typed: string | undefined;
  readonly key: Key;
}

/**
 * Questions that a person answers with a key, one at a time. A key answers only where it stands alone: what is typed while
 * the question comes up, and what belongs to a word, goes where it would have gone without it.
 */
export interface Questions {
  readonly ask: AskPermission;
  open(): OpenQuestion | undefined;
  /** Answers with the keys that are not for the question. */
  press(pressed: PressedKey): readonly PressedKey[];
}

/** The keys are still for so long before one of them answers. */
const QUIET_MS = 400;
/** And so long after it. */
const ALONE_MS = 120;

const ANSWERS: Readonly<Record<string, PermissionAnswer>> = { y: 'once', a: 'always', p: 'always-prefix', n: 'no' };

interface OpenState {
  readonly asked: PermissionAsk;
  isReady: boolean;
  /** An answer that counts if no other key follows at once. */
  pending?: PressedKey | undefined;
  timer?: NodeJS.Timeout;
  answer(given: PermissionAnswer): void;
}

export function newQuestions(onChange: () => void): Questions {
  let open: OpenState | undefined;

  /** Keys that wait in the input are read before a question is ready, also where the process was busy meanwhile. */
  const awaitQuiet = (state: OpenState): void => {
    clearTimeout(state.timer);
    state.isReady = false;
    state.timer = setTimeout(() => {
      const { timer } = state;
      setImmediate(() => {
        if (state !== open || state.timer !== timer) return;
        state.isReady = true;
        onChange();
      });
    }, QUIET_MS);
  };

  const askNow: AskPermission = (asked, signal) =>
    new Promise((resolve, reject) => {
      const close = (): void => {
        clearTimeout(state.timer);
        signal.removeEventListener('abort', abort);
        open = undefined;
        onChange();
      };
      const abort = (): void => {
        close();
        reject(signal.reason);
      };
      const state: OpenState = {
        asked,
        isReady: false,
        answer(given) {
          close();
          resolve(given);
        },
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', abort, { once: true });
      open = state;
      awaitQuiet(state);
      onChange();
    });

  return {
    open: () => open && { asked: open.asked, isReady: open.isReady },
    ask: askInTurn(askNow),
    press(pressed) {
      const state = open;
      if (state === undefined) return [pressed];
      const { pending } = state;
      // To decline never does harm, so it need not wait.
      if (pressed.key.name === 'escape') {
        state.answer('no');
        return [];
      }
      const given = answerOf(pressed, state.asked);
      if (state.isReady && pending === undefined && given !== undefined) {
        state.pending = pressed;
        state.timer = setTimeout(() => setImmediate(() => state.pending === pressed && state.answer(given)), ALONE_MS);
        return [];
      }
      state.pending = undefined;
      awaitQuiet(state);
      return pending === undefined ? [pressed] : [pending, pressed];
    },
  };
}

/** One question after the other: subagents in the background ask too. */
function askInTurn(ask: AskPermission): AskPermission {
  let newest: Promise<void> | undefined;
  return (asked, signal) => {
    const answered = newest === undefined ? ask(asked, signal) : newest.then(() => ask(asked, signal));
    const settled: Promise<void> = answered
      .then(
        () => {},
        () => {},
      )
      .finally(() => {
        if (newest === settled) newest = undefined;
      });
    newest = settled;
    return answered;
  };
}

function answerOf({ typed, key }: PressedKey, { prefix, question }: PermissionAsk): PermissionAnswer | undefined {
  if (key.name === 'paste' || key.ctrl === true || key.meta === true) return undefined;
  const given = ANSWERS[typed?.toLowerCase() ?? ''];
  if (question !== undefined && given !== 'once' && given !== 'no') return undefined;
  return given === 'always-prefix' && prefix === undefined ? undefined : given;
}
