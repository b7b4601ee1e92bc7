import { readdirSync, readFileSync } from 'node:fs';
import { readSession } from '@palimpsest/formats';
import { digest, estimateText } from '@palimpsest/core';
import { exactCounter } from '../../tokens/src/index.ts';
const exact=exactCounter();
const root='/work/shared/sessions';
for (const d of readdirSync(root)) { if (d.includes('.')) continue; for (const f of readdirSync(`${root}/${d}`)) {
 const r=readSession(readFileSync(`${root}/${d}/${f}`));
 const out:any[]=[];
 for (const maxTokens of [1000,4000,16000]) { const t0=performance.now(); const g=digest(r.viewAt(r.messages.length),{maxTokens}); const t1=performance.now(); out.push(`${maxTokens}: est ${g.tokens} exact ${exact.text(g.text)} ${(t1-t0).toFixed(0)}ms nl${g.text.endsWith('\n')} ctrl${/[\x00-\x08\x0b-\x1f\x7f]/.test(g.text)}`); }
 const t2=performance.now(); const g=digest(r.viewAt(r.messages.length),{maxChars:16000}); out.push('chars '+g.text.length+' '+(performance.now()-t2).toFixed(0)+'ms');
 const t3=performance.now(); const h=digest(r.viewAt(r.messages.length),{maxTokens:4000,countText:exact.text}); out.push('exact4000 '+h.tokens+' '+(performance.now()-t3).toFixed(0)+'ms');
 console.log(d,f.slice(-12),r.notes.length,r.notes.slice(0,3).join(' | ').slice(0,200),'\n    ',out.join('  '));
}}
