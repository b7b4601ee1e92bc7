import { createHash } from 'node:crypto';
import type { Session } from '@palimpsest/core';
import { titleMessage } from '../model/describe-messages.ts';
import { escapeText } from './render-page.ts';

/** A session that a server has at hand. */
export interface ListedSession {
  readonly id: string;
  readonly model: string;
  /** What it began with, in few words. */
  readonly title: string;
  readonly messages: number;
  readonly tokens: number;
  readonly compactions: number;
}

/** A session as a list shows it. */
export function listSession({
  id,
  model,
  session,
}: {
  readonly id: string;
  readonly model: string;
  readonly session: Session;
}): ListedSession {
  const messages = session.transcript();
  const first = messages.find(({ role }) => role === 'user') ?? messages[0];
  return {
    id,
    model,
    title: first === undefined ? 'nothing said yet' : titleMessage(first, () => undefined),
    messages: messages.length,
    tokens: session.status().tokens,
    compactions: session.receipts().length,
  };
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;padding:0 1rem;max-width:70rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884;vertical-align:top}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}td.words{overflow-wrap:anywhere}
@media(max-width:40rem){.model{display:none}}`;

const POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** A page that lists sessions, each with the address of its own page. Nothing in it is a script. */
export function renderList(listed: readonly ListedSession[], addressOf: (id: string) => string): Response {
  const rows = listed.map((one) => renderRow(one, addressOf(one.id)));
  const empty =
    '<p>No conversation is at hand yet. It appears when it is large enough to be looked into, at about a quarter of its window.</p>';
  const table = `<table><thead><tr><th scope="col">Began with</th><th scope="col" class="model">Model</th><th scope="col" class="number">Messages</th><th scope="col" class="number">Tokens in view</th><th scope="col" class="number">Compactions</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Conversations · Palimpsest</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Conversations at hand</h1>
<p>The one that was used last stands first. Reload to see what came since.</p>
${rows.length === 0 ? empty : table}
</body>
</html>
`;
  return new Response(page, { headers: PAGE_HEADERS });
}

function renderRow({ model, title, messages, tokens, compactions }: ListedSession, address: string): string {
  const cells = [messages, tokens, compactions].map(
    (count) => `<td class="number">${count.toLocaleString('en-US')}</td>`,
  );
  return `<tr><td class="words"><a href="${escapeText(address)}">${escapeText(title)}</a></td><td class="model">${escapeText(model)}</td>${cells.join('')}</tr>`;
}
