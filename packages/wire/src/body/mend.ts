import { type Fields, isFields } from '@palimpsest/core/json';
import type { ToolNameMap } from '../wire.ts';
import type { CallIds } from './call-ids.ts';
import type { ToolNames } from './tool-names.ts';

/**
 * A body whose every call and tool is named as its provider takes it. Only what is refused is changed, in what the caller
 * sent too: a model that once called a tool by an impossible name would otherwise have ended its conversation.
 */
export interface Mended<Body> {
  readonly body: Body;
  readonly names?: ToolNameMap;
}

/** A mended body, and the names that were changed in it where some were. */
export const makeMended = <Body>(body: Body, names: ToolNames): Mended<Body> => {
  const changed = names.changed();
  return changed === undefined ? { body } : { body, names: changed };
};

/** What becomes of one value of a body; the same value where nothing is to change. */
export type Change = (value: unknown) => unknown;

/** The same list where nothing in it changed. */
export const changeEach =
  (change: Change): Change =>
  (list) => {
    if (!Array.isArray(list)) return list;
    let changed: unknown[] | undefined;
    for (const [i, given] of list.entries()) {
      const made = change(given);
      if (made !== given) {
        changed ??= [...list];
        changed[i] = made;
      }
    }
    return changed ?? list;
  };

/** The same value where none of its fields changed; fields that are absent stay so. */
export const changeFields =
  (changes: Readonly<Record<string, Change>>): Change =>
  (value) => {
    if (!isFields(value)) return value;
    let changed: Record<string, unknown> | undefined;
    for (const key in changes) {
      const given = value[key];
      if (given === undefined) continue;
      const made = changes[key]!(given);
      if (made === given) continue;
      changed ??= { ...value };
      changed[key] = made;
    }
    return changed ?? value;
  };

const changeText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

/** The changes that names and ids of any wire need. */
export const makeRenames = (ids: CallIds, names: ToolNames) => ({
  call: changeText(ids.nameCall),
  result: changeText(ids.nameResult),
  tool: changeText(names.spell),
});

/** By the value of a discriminant; any other value stays. */
export const changeByType =
  (changes: Readonly<Record<string, Change>>): Change =>
  (value) => {
    const type = (value as Fields | null | undefined)?.type;
    return typeof type === 'string' && Object.hasOwn(changes, type) ? changes[type]!(value) : value;
  };
