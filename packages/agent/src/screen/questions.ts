import type { AskPermission, PermissionAnswer, PermissionAsk } from '../world/permission.ts';

/** Questions that a person answers with a key, one at a time. */
export interface Questions {
  readonly ask: AskPermission;
  open(): PermissionAsk | undefined;
  press(typed: string | undefined): void;
}

const KEYS: Readonly<Record<string, PermissionAnswer>> = { y: 'once', a: 'always', n: 'no', '\u001b': 'no' };

export function newQuestions(onChange: () => void): Questions {
  let open: { readonly asked: PermissionAsk; answer(given: PermissionAnswer): void } | undefined;
  return {
    open: () => open?.asked,
    ask: (asked, signal) =>
      new Promise((resolve, reject) => {
        const close = (): void => {
          signal.removeEventListener('abort', abort);
          open = undefined;
          onChange();
        };
        const abort = (): void => {
          close();
          reject(signal.reason);
        };
        signal.addEventListener('abort', abort, { once: true });
        open = {
          asked,
          answer(given) {
            close();
            resolve(given);
          },
        };
        onChange();
      }),
    press(typed) {
      const given = KEYS[typed?.toLowerCase() ?? ''];
      if (given !== undefined) open?.answer(given);
    },
  };
}
