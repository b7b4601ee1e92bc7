import { type Session, wordsOf } from '@palimpsest/core';
import { oneLine } from '@palimpsest/terminal';
import { findMenu, type Menu } from './completion.ts';
import type { FileNames } from './file-names.ts';
import type { LineEditor } from './line-editor.ts';

/** A menu for going back: what the person said, newest first. */
export interface GoingBack extends Menu {
  /** The messages of the items, one by one. */
  readonly messages: readonly string[];
}

export interface MenuState {
  /** Which item of the menu that is shown. */
  selected: number;
  /** The line for which the person has closed the menu. */
  closedFor?: string;
  goingBack?: GoingBack | undefined;
}

/** What menus are about, and what they change. */
interface MenuParts {
  readonly menus: MenuState;
  readonly editor: LineEditor;
  readonly files: FileNames;
}

/** The menu that stands below the line now. */
export function menuOf({ menus, editor, files }: MenuParts): Menu | undefined {
  if (menus.goingBack !== undefined) return menus.goingBack;
  if (editor.search() !== undefined || menus.closedFor === editor.text()) return undefined;
  return findMenu(editor.text(), editor.cursor(), files.list);
}

/** Offers what the person said, to go on from there. */
export function openGoingBack(session: Session, menus: MenuState): boolean {
  const said = session
    .transcript()
    .filter((message) => message.origin === 'human' && wordsOf(message).trim() !== '')
    .reverse();
  if (said.length === 0) return false;
  menus.selected = 0;
  menus.goingBack = {
    items: said.map((message) => ({ value: message.id, about: oneLine(wordsOf(message)) })),
    messages: said.map(({ id }) => id),
    from: 0,
    to: 0,
    isWhole: false,
  };
  return true;
}

/** What a key does to the menu; false where it is not for it. */
export function pressMenu(
  { menus, editor }: MenuParts,
  menu: Menu,
  name: string | undefined,
): 'taken' | 'chosen' | 'closed' | false {
  const count = menu.items.length;
  menus.selected = Math.min(menus.selected, count - 1);
  switch (name) {
    case 'up':
    case 'down':
      menus.selected = (menus.selected + (name === 'up' ? -1 : 1) + count) % count;
      return 'taken';
    case 'escape':
      menus.goingBack = undefined;
      menus.closedFor = editor.text();
      menus.selected = 0;
      return 'closed';
    case 'return':
    case 'enter':
      // A command that stands there whole is sent as it is.
      return menu.isWhole ? false : 'chosen';
    case 'tab':
      return 'chosen';
    default:
      return false;
  }
}

/** Puts the chosen item into the line. */
export function takeItem({ menus, editor }: MenuParts, { items, from, to }: Menu): void {
  const item = items[menus.selected];
  menus.selected = 0;
  if (item === undefined) return;
  editor.replace(from, to, `${item.value} `);
}
