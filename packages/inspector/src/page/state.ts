import { computed, signal } from '@preact/signals';
import type { Course, Inspection, PriceList } from '../model/inspection.ts';
import { type Change, openSource } from './source.ts';

/** The panels below the strip, in the order of their keys. */
export const TABS = ['call', 'cliff', 'lifelines', 'summary', 'what if', 'audit'] as const;
export type Tab = (typeof TABS)[number];

export const source = openSource();

export const inspection = signal<Inspection | undefined>(undefined);
export const failure = signal<string | undefined>(undefined);
export const tab = signal<Tab>('cliff');
/** Courses that were asked for since the page was opened. */
export const imagined = signal<readonly Course[]>([]);
export const courseName = signal<string | undefined>(undefined);
export const selectedCall = signal(0);
export const hoveredCall = signal<number | undefined>(undefined);
export const selectedCliff = signal(0);
/** What is searched for. */
export const query = signal('');
export const selectedMessage = signal<number | undefined>(undefined);
export const theme = signal<'light' | 'dark'>(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
export const chosenPrices = signal<PriceList | undefined>(undefined);

export const courses = computed<readonly Course[]>(() => [...(inspection.value?.courses ?? []), ...imagined.value]);
export const course = computed<Course | undefined>(
  () => courses.value.find(({ name }) => name === courseName.value) ?? courses.value[0],
);
export const prices = computed<PriceList>(
  () =>
    chosenPrices.value ??
    inspection.value?.prices ?? { name: 'unknown', input: NaN, output: NaN, cacheRead: NaN, cacheWrite: NaN },
);

export async function loadInspection(): Promise<void> {
  try {
    const loaded = await source.inspection();
    const isFirst = inspection.peek() === undefined;
    const calls = loaded.courses[0]?.calls.at.length ?? 0;
    const wasLast = selectedCall.peek() >= (course.peek()?.calls.at.length ?? 0) - 1;
    inspection.value = loaded;
    failure.value = undefined;
    if (isFirst || wasLast) selectedCall.value = Math.max(0, calls - 1);
    if (isFirst) selectedCliff.value = Math.max(0, loaded.courses[0]?.cliffs.findLastIndex((one) => one.declared) ?? 0);
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
}

/** Whether a change is under way: until it is done, no other is asked for. */
export const isChanging = signal(false);

/** Changes the session and shows it as it then is; says why it could not be done. */
export async function changeSession(what: Change, of: number): Promise<string | undefined> {
  if (isChanging.peek()) return 'A change is under way.';
  isChanging.value = true;
  try {
    await source.change?.(what, of);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await loadInspection();
    isChanging.value = false;
  }
}

export function goToCall(call: number): void {
  selectedCall.value = Math.max(0, Math.min((course.peek()?.calls.at.length ?? 1) - 1, call));
  tab.value = 'call';
}

/** What is looked at of a compaction: an item that it took, and of its messages the one that led there. */
export const selectedItem = signal<{ readonly ref: string; readonly place?: number } | undefined>(undefined);

export function goToCliff(place: number, item?: { readonly ref: string; readonly place: number }): void {
  const cliff = course.peek()?.cliffs[place];
  if (cliff === undefined) return;
  selectedCliff.value = place;
  selectedItem.value = item;
  selectedCall.value = Math.min(cliff.call, (course.peek()?.calls.at.length ?? 1) - 1);
  tab.value = 'cliff';
}

export function goToMessage(place: number): void {
  selectedMessage.value = place;
  tab.value = 'lifelines';
}
