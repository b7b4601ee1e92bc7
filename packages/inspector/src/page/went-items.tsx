import { useEffect, useRef, useState } from 'preact/hooks';
import type { Cliff, Course, Item } from '../model/inspection.ts';
import { formatCount, formatMoney, formatNumber } from './format.ts';
import { Reader } from './reader.tsx';
import { Rows } from './rows.tsx';
import { changeSession, goToMessage, inspection, isChanging, prices, selectedItem, source } from './state.ts';
import { describeLayer } from './words.ts';

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const ROW = 44;

/** What a compaction took, largest first, and what it put in besides. */
export function Items({ shown, cliff }: { readonly shown: Course; readonly cliff: Cliff }) {
  const ref = selectedItem.value?.ref;
  const setRef = (next: string | undefined): void => {
    selectedItem.value = next === undefined ? undefined : { ref: next };
  };
  const items = cliff.items.filter(({ tokens }) => tokens >= 0).sort((one, other) => other.tokens - one.tokens);
  const added = cliff.items.filter(({ tokens }) => tokens < 0);
  const place = items.findIndex((item) => item.ref === ref);
  const open = items[place];
  return (
    <div>
      <h3>
        What went <span class="quiet">{formatCount(items.length, 'item')}, largest first</span>
      </h3>
      <Rows
        count={items.length}
        height={ROW}
        most={ROW * 6.5}
        label="What the compaction took out of the view"
        render={(at) => {
          const item = items[at];
          return item === undefined ? null : (
            <ItemRow item={item} isOpen={item === open} onOpen={() => setRef(item === open ? undefined : item.ref)} />
          );
        }}
        sought={place}
      />
      {open !== undefined && <OpenItem shown={shown} item={open} />}
      {added.length > 0 && (
        <p class="note added">
          Besides, it put in {formatNumber(-sum(added.map(({ tokens }) => tokens)))} tokens:{' '}
          {added.map(({ layer, ref, tokens }) => `${layer} ${formatNumber(-tokens)} (${ref})`).join(', ')}.
        </p>
      )}
    </div>
  );
}

function ItemRow({
  item,
  isOpen,
  onOpen,
}: {
  readonly item: Item;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const title = inspection.value?.messages.titles[item.from] ?? '';
  const what = item.targets?.[0] ?? title;
  return (
    <button type="button" class={`item ${isOpen ? 'open' : ''}`} aria-expanded={isOpen} onClick={onOpen}>
      <span class="item-what" dir="auto">
        {item.kind === 'messages' && item.to > item.from
          ? `messages ${formatNumber(item.from + 1)}–${formatNumber(item.to + 1)}: ${title}`
          : what}
      </span>
      <span class="item-why">
        {item.layer} · {item.tool === undefined ? item.kind : `${item.tool} ${item.kind}`} · {item.ref}
      </span>
      <span class="figure">{formatNumber(item.tokens)}</span>
    </button>
  );
}

/** How many messages of one item are listed. */
const MOST_OPEN = 20;

function OpenItem({ shown, item }: { readonly shown: Course; readonly item: Item }) {
  const { cacheRead } = prices.value;
  const sought = selectedItem.value?.place;
  const count = Math.min(MOST_OPEN, item.to - item.from + 1);
  // The message that led here is among them.
  const first = Math.max(item.from, Math.min((sought ?? item.from) - 2, item.to + 1 - count));
  const places = Array.from({ length: count }, (_, i) => first + i);
  const left = item.to - item.from + 1 - count;
  return (
    <div class="opened">
      <p>
        <b>{item.layer}</b>. {describeLayer(item.layer)} It freed {formatNumber(item.tokens)} tokens,{' '}
        {formatMoney((item.tokens * cacheRead) / 1e6)} at each call. Reference <code>{item.ref}</code>: recall reads it.
      </p>
      {places.map((place) => (
        <Original
          key={place}
          shown={shown}
          place={place}
          isOpenFirst={places.length === 1 || place === sought}
          isSought={place === sought}
        />
      ))}
      {left > 0 && <p class="note">… and {formatCount(left, 'more message')}; the lifelines list them.</p>}
    </div>
  );
}

function Original({
  shown,
  place,
  isOpenFirst,
  isSought,
}: {
  readonly shown: Course;
  readonly place: number;
  readonly isOpenFirst: boolean;
  readonly isSought: boolean;
}) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const home = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSought) home.current?.scrollIntoView({ block: 'nearest' });
  }, [isSought]);
  const title = inspection.value?.messages.titles[place] ?? '';
  const isPinned = inspection.value?.pinned.includes(place) === true;
  const [told, setTold] = useState('');
  const pin = async (): Promise<void> => setTold((await changeSession(isPinned ? 'unpin' : 'pin', place)) ?? '');
  return (
    <div class={isSought ? 'original sought' : 'original'} ref={home}>
      <p>
        <button type="button" class="link" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          #{formatNumber(place + 1)}
        </button>{' '}
        <span dir="auto">{title}</span>{' '}
        <button type="button" class="link" onClick={() => goToMessage(place)}>
          lifeline
        </button>
        {source.change !== undefined && shown.name === 'session' && (
          <button type="button" class="link" disabled={isChanging.value} onClick={pin}>
            {isPinned ? 'unpin' : 'pin'}
          </button>
        )}
        <span role="status">{told}</span>
      </p>
      {isOpen && <Reader course={shown.name} name={`#${place + 1}`} />}
    </div>
  );
}
