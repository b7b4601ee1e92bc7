import type { Message } from '@palimpsest/core';
import { readMessage } from './message-text.ts';
import { findBoilerplate } from './phrases.ts';
import { type CutSession, findReuse, type Reuse } from './reuse.ts';

const MIN_SESSION_CHARS = 160_000;
const MAX_SESSIONS_PER_PROJECT = 5;
const CUT_SHARES = [0.4, 0.65, 0.85];
const MIN_MESSAGES_BEFORE_CUT = 10;
const TAIL_CHARS = 40_000;
const MIN_PAST_CHARS = 48_000;
const MIN_ANSWERS = 3;

export interface Session {
  readonly project: string;
  readonly messages: readonly Message[];
}

export interface SessionCut extends CutSession {
  readonly project: string;
  readonly reuse: Reuse;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The longest sessions of each project. */
export function selectSessions<Given extends Session>(sessions: readonly Given[]): readonly Given[] {
  const perProject = new Map<string, number>();
  return sessions
    .map((session) => ({ session, chars: sum(session.messages.map((message) => readMessage(message).length)) }))
    .filter(({ chars }) => chars > MIN_SESSION_CHARS)
    .sort((a, b) => b.chars - a.chars)
    .flatMap(({ session }) => {
      const count = (perProject.get(session.project) ?? 0) + 1;
      perProject.set(session.project, count);
      return count > MAX_SESSIONS_PER_PROJECT ? [] : [session];
    });
}

/** Tells phrases that stand in several projects of these sessions. */
export function findSessionBoilerplate(sessions: readonly Session[]): (phrase: string) => boolean {
  const projects = [...new Set(sessions.map(({ project }) => project))];
  return findBoilerplate(
    projects.map((name) =>
      sessions.flatMap(({ project, messages }) => (project === name ? messages.map(readMessage) : [])),
    ),
  );
}

/** A session as it stood at 40, 65 and 85 % of its characters, where enough was behind and enough of it was needed later. */
export function* cutSession(
  { project, messages }: Session,
  isBoilerplate: (phrase: string) => boolean,
  tailChars = TAIL_CHARS,
): Generator<SessionCut> {
  const sizes = messages.map((message) => readMessage(message).length);
  const total = sum(sizes);
  for (const share of CUT_SHARES) {
    let at = 0;
    for (let chars = sizes[0] ?? 0; at < sizes.length && chars < share * total; ) chars += sizes[++at] ?? 0;
    if (at < MIN_MESSAGES_BEFORE_CUT || at >= sizes.length) continue;
    let from = at;
    for (let chars = 0; from > 0 && chars < tailChars; ) chars += sizes[--from] ?? 0;
    if (sum(sizes.slice(0, from)) < MIN_PAST_CHARS) continue;
    const cut = { past: messages.slice(0, from), tail: messages.slice(from, at), future: messages.slice(at) };
    const reuse = findReuse(cut, isBoilerplate);
    if (reuse.phrases.length >= MIN_ANSWERS) yield { project, ...cut, reuse };
  }
}
