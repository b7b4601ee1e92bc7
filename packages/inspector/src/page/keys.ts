import { course, goToCall, goToCliff, query, selectedCall, selectedCliff, TABS, tab } from './state.ts';

/** What keys do, in the words of the page. */
export const KEYS: readonly (readonly [key: string, words: string])[] = [
  ['← →', 'the call before, the next'],
  ['[ ]', 'the compaction before, the next'],
  ['/', 'search'],
  [`1 – ${TABS.length}`, 'the panels'],
];

const stepCliff = (by: 1 | -1): void => {
  const cliffs = course.peek()?.cliffs ?? [];
  for (let at = selectedCliff.peek() + by; at >= 0 && at < cliffs.length; at += by)
    if (cliffs[at]?.declared) {
      goToCliff(at);
      return;
    }
};

const ACTIONS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => goToCall(selectedCall.peek() - 1),
  ArrowRight: () => goToCall(selectedCall.peek() + 1),
  '[': () => stepCliff(-1),
  ']': () => stepCliff(1),
  '/': () => {
    tab.value = 'lifelines';
    sought = '';
    setTimeout(() => {
      const search = document.getElementById('search');
      search?.focus();
      // What is typed from now on is another search, or the rest of the one that was begun.
      if (search instanceof HTMLInputElement) search.setSelectionRange(sought === '' ? 0 : -1, -1);
      sought = undefined;
    });
  },
  ...Object.fromEntries(TABS.map((name, i) => [String(i + 1), () => (tab.value = name)])),
};

/** The search was asked for and is not there yet: what was typed meanwhile is the beginning of it. */
let sought: string | undefined;

/** Whether a key belongs to what has the focus: a list to choose from has its arrows alone. */
const isTyping = (target: EventTarget | null, key: string): boolean =>
  target instanceof HTMLElement &&
  (/^(?:INPUT|TEXTAREA)$/.test(target.tagName) || (target.tagName === 'SELECT' && key.startsWith('Arrow'))) &&
  !(target instanceof HTMLInputElement && /^(?:checkbox|radio|button)$/.test(target.type));

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target, event.key)) return;
    if (sought !== undefined && event.key.length === 1) {
      event.preventDefault();
      sought += event.key;
      query.value = sought;
      return;
    }
    const action = ACTIONS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
