import { createHash } from 'node:crypto';
import type { PageCode } from './read-page.ts';

/** What a page that needs no server has in it, as JSON. */
export interface PageData {
  readonly title: string;
  /** Of a page that asks no server: everything it shows. */
  readonly embedded?: unknown;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the page's own script and style runs, and nothing is asked of any other host. */
export const describePolicy = ({ script, style }: PageCode, connect: 'self' | 'none'): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `connect-src '${connect}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Text that a parser of HTML takes for text, also inside quotes. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** JSON that no parser of HTML takes for anything else. */
const escapeJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** The whole page. What is embedded stands in a block that is data to a browser, never code. */
export function renderPage(code: PageCode, { title, embedded }: PageData): string {
  const policy = describePolicy(code, embedded === undefined ? 'self' : 'none');
  const data =
    embedded === undefined ? '' : `<script type="application/json" id="embedded">${escapeJson(embedded)}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeText(title)} · Palimpsest</title>
<style>${code.style}</style>
</head>
<body>
<div id="app"><p class="loading">Reading the session…</p></div>
<noscript>This page draws what it shows with a script of its own.</noscript>
${data}<script>${code.script}</script>
</body>
</html>
`;
}
