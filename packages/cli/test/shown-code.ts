import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace('//', '/'));

/** All pages that people read. Decisions tell of their day, the change log of what was. */
export const pages: readonly string[] = [
  'README.md',
  'README.zh.md',
  'AGENTS.md',
  ...pagesIn('docs/').filter((page) => !page.startsWith('docs/decisions/')),
  ...readdirSync(`${root}packages`).flatMap((name) =>
    readdirSync(`${root}packages/${name}`).includes('README.md') ? [`packages/${name}/README.md`] : [],
  ),
];

export const readText = (page: string): string => readFileSync(`${root}${page}`, 'utf8');

const listBlocks = (page: string, type: string): readonly string[] =>
  [...readText(page).matchAll(new RegExp(`^\`\`\`(?:${type})\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);

const listInline = (page: string): readonly string[] =>
  [...readText(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** What stands as code in a page: lines of shell blocks, and what is between backticks. */
export const listCode = (page: string): readonly string[] => [
  ...listBlocks(page, 'sh|console|text').flatMap((code) => code.split('\n').map((line) => line.replace(/^\$ /, ''))),
  ...listInline(page),
];

/** What a reader would type: lines of shell blocks, what stands behind a prompt, and commands between backticks. */
export function listTyped(page: string): readonly string[] {
  const joined = (code: string): readonly string[] => code.replaceAll(/ *\\\n\s*/g, ' ').split('\n');
  const lines = [
    ...listBlocks(page, 'sh').flatMap(joined),
    ...listBlocks(page, 'text|console').flatMap((code) =>
      joined(code).flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : [])),
    ),
    ...listInline(page).filter((code) => /^(?:npx|npm|palimpsest) [a-z@]/.test(code)),
  ];
  return lines.map((line) => (line.split(/\s+#\s/)[0] ?? '').trim()).filter((line) => line !== '' && line[0] !== '#');
}
