import type { Permission } from './permission.ts';

/** What the agent may do without a person's word: only look; what lies inside the folder after a question; edits there. */
export type PermissionMode = 'read-only' | 'ask' | 'accept-edits';

/** In the order in which a key goes through them. */
export const MODES: readonly PermissionMode[] = ['accept-edits', 'ask', 'read-only'];

export interface ModalPermission extends Permission {
  mode(): PermissionMode;
  setMode(mode: PermissionMode): void;
}

const READ_ONLY =
  'Not allowed: the agent may only read now (read-only mode). Say what you would do, and let the user decide.';

/** A permission with a mode that can be changed at any time; `inner` is asked where the mode leaves it to a person. */
export function modalPermission(inner: Permission, first: PermissionMode = 'accept-edits'): ModalPermission {
  let mode = first;
  return {
    ...inner,
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
    refusal: async (ask, signal) => (mode === 'read-only' ? READ_ONLY : inner.refusal(ask, signal)),
    async editRefusal(ask, signal) {
      if (mode === 'read-only') return READ_ONLY;
      return mode === 'ask' ? inner.refusal(ask, signal) : inner.editRefusal?.(ask, signal);
    },
  };
}

export const nextMode = (mode: PermissionMode): PermissionMode =>
  MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? 'accept-edits';

/** Whether its mode can be changed. */
export const isModal = (permission: Permission): permission is ModalPermission => 'setMode' in permission;
