import type { Conversation } from './conversation.ts';

/** Which stored conversations are open here, and which of them are about to be closed. */
export interface OpenNames {
  /** Under this name it is open in the store from now on. */
  noteName(conversation: Conversation, name: string): void;
  isOpen(name: string): boolean;
  /** Closes it; its name is open until that is done. */
  close(conversation: Conversation): void;
  /** Resolves when those that are being closed are, as far as their names begin so. */
  whenClosed(prefix?: string): Promise<void>;
}

export function newOpenNames(): OpenNames {
  const open = new Set<string>();
  const closing = new Map<Conversation, Promise<void>>();
  return {
    noteName(conversation, name) {
      conversation.name = name;
      open.add(name);
    },
    isOpen: (name) => open.has(name),
    close(conversation) {
      const closed = conversation.close().then(() => {
        closing.delete(conversation);
        if (conversation.name !== undefined) open.delete(conversation.name);
      });
      closing.set(conversation, closed);
    },
    async whenClosed(prefix = '') {
      const those = [...closing].filter(([{ name }]) => prefix === '' || name?.startsWith(prefix) === true);
      await Promise.all(those.map(([, closed]) => closed));
    },
  };
}
