import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { digest } from '@palimpsest/core';
import { type DigestFunction, newDigestText, newNewestText, newRarestLines, type TextMaker } from '@palimpsest/measure';
import { WrongArgs } from '../bench.ts';
import { findHalf } from '../recordings.ts';

/** Turn on when the options of `digest()` have `beside`. */
const OUR_DIGEST_TAKES_BESIDE = true;
const DEFAULT_CHARS = '3000,12000,24000';

export interface KeepsOptions {
  /** Without recordings only made-up sessions are scored. */
  readonly folder?: string;
  readonly groups: ReadonlySet<string>;
  readonly chars: readonly number[];
  readonly isWanted: (project: string) => boolean;
  /** A checkout whose digest gets a row. */
  readonly beside?: string;
  /** LoCoMo's `locomo10.json`. */
  readonly locomo?: string;
}

/** What can be scored by itself with `--only`. */
export const GROUPS = ['reuse', 'frontier', 'compactions', 'facts', 'canaries', 'dialogues'] as const;
export const KEEPS_OPTIONS = ['beside', 'projects', 'half', 'chars', 'only', 'locomo'] as const;

export function readKeepsOptions(args: readonly string[]): KeepsOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      beside: { type: 'string' },
      projects: { type: 'string' },
      half: { type: 'string' },
      locomo: { type: 'string' },
      chars: { type: 'string', default: DEFAULT_CHARS },
      only: { type: 'string', default: GROUPS.join(',') },
    },
  });
  const [folder] = positionals;
  if (folder !== undefined && !existsSync(folder)) throw new WrongArgs(`There is no folder ${folder}.`);
  const { beside, half, locomo, projects } = values;
  if (locomo !== undefined && !existsSync(locomo)) throw new WrongArgs(`There is no file ${locomo}.`);
  if (half !== undefined && half !== 'first' && half !== 'second')
    throw new WrongArgs('--half is "first" or "second".');
  const chars = values.chars.split(',').map(Number);
  if (chars.some((size) => !Number.isInteger(size) || size < 1))
    throw new WrongArgs('--chars is a list of whole numbers, such as 3000,12000.');
  const groups = values.only.split(',');
  if (groups.some((group) => !(GROUPS as readonly string[]).includes(group)))
    throw new WrongArgs(`--only is a list of ${GROUPS.join(', ')}.`);
  const wanted = projects?.split(',');
  return {
    ...(folder === undefined ? {} : { folder }),
    groups: new Set(groups),
    chars,
    isWanted: (project) =>
      (wanted === undefined || wanted.some((part) => project.includes(part))) &&
      (half === undefined || (findHalf(project) === 'design') === (half === 'first')),
    ...(beside === undefined ? {} : { beside }),
    ...(locomo === undefined ? {} : { locomo }),
  };
}

/** What can write a text for the past, by the name of its row. */
export interface Writers {
  /** Without what the user wrote. */
  readonly work: Readonly<Record<string, TextMaker>>;
  readonly all: Readonly<Record<string, TextMaker>>;
}

export async function loadWriters({ beside }: KeepsOptions): Promise<Writers> {
  const other = beside === undefined ? undefined : await loadDigest(beside);
  const make = (withUser: boolean): Readonly<Record<string, TextMaker>> => ({
    digest: newDigestText(digest, { takesBeside: OUR_DIGEST_TAKES_BESIDE, withUser }),
    ...(other === undefined ? {} : { 'digest of --beside': newDigestText(other, { withUser }) }),
    'newest text': newNewestText(withUser),
    'rarest lines of each source': newRarestLines(withUser),
  });
  return { work: make(false), all: make(true) };
}

async function loadDigest(checkout: string): Promise<DigestFunction> {
  const file = resolve(join(checkout, 'packages/core/src/index.ts'));
  if (!existsSync(file))
    throw new WrongArgs(`--beside ${checkout} is no checkout: it has no packages/core/src/index.ts.`);
  const module = (await import(pathToFileURL(file).href)) as { readonly digest: DigestFunction };
  return module.digest;
}
