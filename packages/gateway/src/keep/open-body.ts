import { asFields, asString } from '@palimpsest/core/json';
import type { ThreadLostError } from '@palimpsest/sdk/threads';
import type { BodyKeeper, OpenedBody, ToOpen } from './body-types.ts';

type Question<Result> = (keeper: BodyKeeper, id: string) => Promise<Result>;

/** A body of a request, by the keeper that has it. */
export interface BodyHandle {
  open(): Promise<OpenedBody>;
  /** Asks about the body. A keeper that began anew is given it once more. */
  ask<Result>(question: Question<Result>): Promise<Result>;
  /** Asks about what was kept of it. */
  askKept<Result>(question: Question<Result>): Promise<Result>;
  /** Its bytes are not needed any more. */
  drop(): void;
  /** The request is over. */
  end(): void;
}

export function openBody(keeper: BodyKeeper, { id, ...rest }: ToOpen): BodyHandle {
  let body: Omit<ToOpen, 'id'> | undefined = rest;
  let opened: Promise<OpenedBody> | undefined;
  /** The keeper may have the body even if it could not answer. */
  let lastOpened: Promise<unknown> | undefined;
  const open = (): Promise<OpenedBody> => {
    if (opened !== undefined) return opened;
    if (body === undefined) return Promise.reject(new Error('the body was let go'));
    const opening = keeper.open({ id, ...body });
    opened = opening;
    lastOpened = opening.catch(() => forget(opening));
    return opening;
  };
  const forget = (one: typeof opened): void => {
    if (opened === one) opened = undefined;
  };
  return {
    open,
    async ask(question) {
      const before = open();
      await before;
      try {
        return await question(keeper, id);
      } catch (error) {
        if (asString(asFields(error).code) !== 'unknown-body') throw error;
        forget(before);
        await open();
        return question(keeper, id);
      }
    },
    askKept: (question) => question(keeper, id),
    drop() {
      body = undefined;
      if (opened !== undefined) keeper.drop(id).catch(() => {});
    },
    end() {
      body = undefined;
      // A body that is still being decompressed is stored after it: the keeper would keep it for ever.
      lastOpened?.then(() => keeper.end(id)).catch(() => {});
    },
  };
}

const LOST: readonly unknown[] = ['thread-lost' satisfies ThreadLostError['code'], 'unknown-body'];

/** A worker thread ended in the middle of it, or since. */
export const isThreadLost = (error: unknown): boolean => LOST.includes(asFields(error).code);
