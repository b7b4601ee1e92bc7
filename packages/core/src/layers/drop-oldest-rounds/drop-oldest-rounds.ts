import { type Draft, newDraft } from '../../edits/edit-batch.ts';
import { boundSlot } from '../../edits/shrink-message.ts';
import type { Edit } from '../../ledger/edit.ts';
import { type Layer, type Look, nothing } from '../../view/look.ts';
import {
  fits,
  foldsFor,
  type Hidden,
  inBrief,
  lastResort,
  type Piece,
  piecesOf,
  type Room,
  roomOf,
} from './hide-units.ts';

/** A kept message may take this share of the room once hiding rounds alone does not make it fit: words, pins. */
const WORDS_SHARE = 1 / 8;
/** A summary holds the rules and the words of everything it stands for, so it may have more. */
const SUMMARY_SHARE = 1 / 3;
/** What the newest round keeps of the room while older words are still there. */
const NEWEST_SHARE = 0.4;

/**
 * The floor: needs nothing, cannot fail. Rounds go oldest first; then the newest round is cut to head and tail, then long
 * words and pins are; then summaries, old words and pins go; at the very last one message is left, which points at all.
 */
export function dropOldestRounds(): Layer {
  return {
    name: 'drop-oldest-rounds',
    decide(look) {
      const { over } = look;
      const bound = over.bytes > 0 || over.images > 0 || over.messages > 0;
      if (!look.pressed || look.slots.length === 0) return nothing;
      if (!bound && look.tokens < floorFrom(look)) return nothing;
      const room = roomOf(look);
      const pieces = piecesOf(look);
      const rounds = pieces.filter((piece) => piece.rank === 'round');
      const uncut = newDraft(look);
      const enough = fewest(rounds, (some) => fits(look, pieces, hiding(some), uncut, room));
      if (enough !== undefined) return { edits: foldsFor(look, pieces, hiding(enough), uncut) };
      return { edits: cutDown(look, pieces, rounds, room) ?? lastResort(look, room) };
    },
  };
}

/**
 * To hide without a word of what is hidden is for need only. Half of the way from target to trigger is room enough for
 * the turns to come; more than that would be no compaction.
 */
const floorFrom = ({ budget: { floorFrom: stated, target, trigger } }: Look): number =>
  stated ?? (target + trigger) / 2;

const hiding = (pieces: readonly Piece[]): Hidden => new Map(pieces.map((piece) => [piece, piece.words]));

/** The shortest run from the start of the list that is enough. Hiding more never makes a view larger. */
function fewest(pieces: readonly Piece[], enough: (some: readonly Piece[]) => boolean): readonly Piece[] | undefined {
  if (!enough(pieces)) return undefined;
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (enough(pieces.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return pieces.slice(0, high);
}

/** All rounds but the newest are gone and it does not fit yet: cut, then hide more, in the order of what matters least. */
function cutDown(
  look: Look,
  pieces: readonly Piece[],
  rounds: readonly Piece[],
  room: Room,
): readonly Edit[] | undefined {
  const newest = pieces.at(-1)!;
  const attempt = (hidden: Hidden, shares: Shares): readonly Edit[] | undefined => {
    const kept = pieces.filter((piece) => !hidden.has(piece));
    const cut = cutTo(look, kept, newest, room, shares);
    return fits(look, pieces, hidden, cut, room) ? [...cut.edits, ...foldsFor(look, pieces, hidden, cut)] : undefined;
  };
  const base = hiding(rounds);
  const others = pieces.reduce(
    (sum, piece) => sum + (piece === newest ? 0 : (shownTokens(look, base, piece) ?? piece.tokens)),
    0,
  );
  const left = Math.max(0, 1 - (others + NOTICE_TOKENS) / Math.max(1, room.tokens));
  const whole = attempt(base, { newest: Math.max(left, NEWEST_SHARE), words: 1 });
  if (whole !== undefined) return whole;

  const small = Math.floor(room.tokens * SUMMARY_SHARE);
  const large = pieces.filter((piece) => piece.rank === 'summary' && piece.tokens > small);
  const brief: Hidden = new Map([...base, ...large.map((piece) => [piece, inBrief(look, piece, small)] as const)]);
  const newestWords = pieces.findLast((piece) => piece.rank === 'words' || piece.rank === 'pin');
  const order = ORDER.flatMap((rank) =>
    pieces.filter((piece) => piece !== newestWords && rankIn(piece, base) === rank),
  );
  const without = (some: readonly Piece[]): Hidden => new Map([...brief, ...some.map((piece) => [piece, []] as const)]);
  const enough = fewest(order, (some) => attempt(without(some), SMALL_SHARES) !== undefined);
  return enough === undefined ? undefined : attempt(without(enough), SMALL_SHARES);
}

interface Shares {
  readonly newest: number;
  readonly words: number;
}

const SMALL_SHARES: Shares = { newest: NEWEST_SHARE, words: WORDS_SHARE };
const NOTICE_TOKENS = 24;
/** What goes first once rounds are gone. */
const ORDER = ['words-of-rounds', 'words', 'summary', 'pin'] as const;

const shownTokens = (look: Look, hidden: Hidden, piece: Piece): number | undefined =>
  hidden.get(piece)?.reduce((sum, message) => sum + look.count(message), 0);

const rankIn = (piece: Piece, hidden: Hidden): string =>
  (hidden.get(piece)?.length ?? 0) > 0 ? 'words-of-rounds' : piece.rank;

function cutTo(look: Look, kept: readonly Piece[], newest: Piece, room: Room, shares: Shares): Draft {
  const draft = newDraft(look);
  for (const piece of kept) {
    const allowed = Math.floor(room.tokens * (piece === newest ? shares.newest : shares.words));
    if (piece.tokens <= allowed) continue;
    // Each message of the piece has its part of what the piece may have; small ones leave theirs to the large.
    const slots = look.slots
      .slice(piece.start, piece.end)
      .map((slot, i) => ({ at: piece.start + i, tokens: slot.tokens }));
    slots.sort((a, b) => a.tokens - b.tokens);
    let left = allowed;
    slots.forEach(({ at, tokens }, i) => {
      const part = Math.max(1, Math.floor(left / (slots.length - i)));
      if (tokens > part) boundSlot(look, draft, at, part);
      left -= Math.min(tokens, part);
    });
  }
  return draft;
}
