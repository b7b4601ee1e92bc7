import { effect } from '@preact/signals';
import { course, inspection, selectedCall, selectedCliff, selectedMessage, TABS, tab } from './state.ts';

/** Browsers take only so many changes of an address in a while. */
const SETTLE_MS = 250;

/** From 1, as the page counts. */
function readPlace(told: URLSearchParams, name: string, count: number): number | undefined {
  const place = Number(told.get(name) ?? Number.NaN) - 1;
  return Number.isInteger(place) && place >= 0 && place < count ? place : undefined;
}

/** Goes to what the address names, and from then on names in it what is looked at: a page that is loaded anew is as it was. */
export function followAddress(): void {
  const told = new URLSearchParams(location.hash.slice(1));
  const { calls, cliffs = [] } = course.peek() ?? {};
  selectedCall.value = readPlace(told, 'call', calls?.at.length ?? 0) ?? selectedCall.peek();
  selectedCliff.value = readPlace(told, 'compaction', cliffs.length) ?? selectedCliff.peek();
  selectedMessage.value = readPlace(told, 'message', inspection.peek()?.messages.ids.length ?? 0);
  tab.value = TABS.find((name) => name === told.get('panel')) ?? tab.peek();
  let later: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const message = selectedMessage.value;
    const now = new URLSearchParams({
      panel: tab.value,
      call: String(selectedCall.value + 1),
      compaction: String(selectedCliff.value + 1),
      ...(message === undefined ? {} : { message: String(message + 1) }),
    });
    clearTimeout(later);
    later = setTimeout(() => history.replaceState(history.state, '', `#${now}`), SETTLE_MS);
  });
}
