import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readSession } from '@palimpsest/formats';
import * as core from '@palimpsest/core';
import { liveThrough } from './recording/live-through.ts';
import { newWordBook } from './recording/word-book.ts';
import { newWordCount } from './recording/word-count.ts';
import { newPrefixCache, promptMoney } from './replay/prefix-cache.ts';
const { presets, capResults, stashLargeResults, supersedeReads, snipMiddle, clearIdleResults, clearOldResults, dropOldReasoning, stripOldMedia, collapseSpans, summarizeHistory, dropOldestRounds } = core;
type V = { layers: () => readonly core.Layer[]; budget?: any };
const base = (over: any = {}) => [
  capResults({ fraction: 0.15 }), stashLargeResults({ fraction: 0.25 }), ...(over.supersede === null ? [] : [supersedeReads(over.supersede)]), snipMiddle({ when: 'limit' }),
  ...(over.idle === null ? [] : [clearIdleResults(over.idle)]), ...(over.clear === null ? [] : [clearOldResults(over.clear ?? { mode: 'prune', when: 'pays' })]), dropOldReasoning(), stripOldMedia(),
  ...(over.collapse === null ? [] : [collapseSpans(over.collapse)]), summarizeHistory(over.summary), dropOldestRounds(),
];
const whole = (opts: any, share: number): core.Layer => { const inner = collapseSpans(opts); return { name: 'collapse-spans', decide(look) { const d = inner.decide(look); if (d.edits.length === 0) return d; let freed = 0; for (const e of d.edits as any[]) { const a = look.placeOf(e.from)!, b = look.placeOf(e.to)!; for (const s of look.slots) if (s.first >= a && s.last <= b) freed += s.tokens; for (const m of e.messages) freed -= look.count(m); } const goal = Math.max(look.over.tokens, look.tokens - look.budget.target); return freed >= goal * share ? d : { edits: [] }; } }; };
const swap = (layer: core.Layer, over: any = {}) => { const l = base({ ...over, collapse: null }); return [...l.slice(0, -2), layer, ...l.slice(-2)]; };
const variants: Record<string, V> = {
  collapseWhole: { layers: () => swap(whole({}, 1)) },
  collapseFrom1: { layers: () => base({ collapse: { from: 1 } }) },
  collapseWholeFrom1: { layers: () => swap(whole({ from: 1 }, 1)) },
  nc_noSup: { layers: () => base({ collapse: null, supersede: null }) },
  nc_sup20: { layers: () => base({ collapse: null, supersede: { batchFraction: 0.2, batchTokens: 40000 } }) },
  nc_clearP: { layers: () => base({ collapse: null, clear: { mode: 'prune', when: 'pressure' } }) },
  nc_noIdle: { layers: () => base({ collapse: null, idle: null }) },
  nc_clearB: { layers: () => base({ collapse: null, clear: { mode: 'prune', when: 'batch' } }) },
  nc_keep40: { layers: () => base({ collapse: null }), budget: { keep: { fraction: 0.4 } } },
  nc_clearP_sup20: { layers: () => base({ collapse: null, supersede: { batchFraction: 0.2, batchTokens: 40000 }, clear: { mode: 'prune', when: 'pressure' } }) },

  default: { layers: presets.default }, 'claude-code': { layers: presets['claude-code'] }, 'open-code': { layers: presets['open-code'] }, s08: { layers: presets.s08 },
  keep40: { layers: presets.default, budget: { keep: { fraction: 0.4 } } },
  keep30: { layers: presets.default, budget: { keep: { fraction: 0.3 } } },
  keep35: { layers: presets.default, budget: { keep: { fraction: 0.35 } } },
  noCollapse: { layers: () => base({ collapse: null }) },
  noCollapseKeep30: { layers: () => base({ collapse: null }), budget: { keep: { fraction: 0.3 } } },
  clearPressure: { layers: () => base({ clear: { mode: 'prune', when: 'pressure' } }) },
  noIdle: { layers: () => base({ idle: null }) },
  noSupersede: { layers: () => base({ supersede: null }) },
  ocKeep50: { layers: presets['open-code'] },
};
const root='/work/shared/sessions';
const pick = process.argv[2]!.split(',');
const filter = process.argv[3] ?? '';
const HORIZON = 20, EVERY = 5;
const tot: any = {};
for (const d of readdirSync(root)) { if (d.includes('.')) continue; for (const f of readdirSync(`${root}/${d}`)) {
 if (!`${d}/${f}`.includes(filter)) continue;
 const r=readSession(readFileSync(`${root}/${d}/${f}`));
 const book=newWordBook(r.messages); const first=new Map<number,number>(); const uses:any[]=[];
 r.messages.forEach((m,at)=>{ if (m.role==='assistant') { const u=book.used(m); uses.push({at,ids:u.identifiers,files:u.files,commands:u.commands}); } for (const w of book.shown(m)) if (!first.has(w)) first.set(w,at); });
 const res:any={};
 let from=Infinity;
 for (const name of pick) { const v=variants[name]!;
  const cache=newPrefixCache(core.estimateText(r.system??'')); const words=newWordCount(book);
  const use:any[]=[], ahead:any[]=[]; let comp=0, after=0, hid=Infinity, n=0; const byLayer:any={};
  await liveThrough(r,{window:64000,...v.budget,layers:v.layers(),signal:new AbortController().signal,onCall({at,view,when}){
    const i=n++;
    if (view.receipt?.declared) { comp++; after+=view.tokens; const k=[...new Set(view.receipt.lines.map(l=>l.layer))].join('+'); const e=byLayer[k]??={n:0,before:0,after:0}; e.n++; e.before+=view.receipt.tokensBefore; e.after+=view.receipt.tokensAfter; }
    if (view.receipt && hid===Infinity) hid=i;
    cache.request(view.messages,when); words.show(view.messages);
    const count=(ids:number[])=>[ids.filter(words.holds).length,ids.length];
    const u=uses[i]; use.push([count(u.ids.filter((w:number)=>first.get(w)!<at)),count(u.files.filter((w:number)=>first.get(w)!<at)),count(u.commands.filter((w:number)=>first.get(w)!<at))]);
    if (i%EVERY===0){ const s:any=[new Set(),new Set(),new Set()]; for (const x of uses.slice(i,i+HORIZON)) { x.ids.forEach((w:number)=>first.get(w)!<at&&s[0].add(w)); x.files.forEach((w:number)=>first.get(w)!<at&&s[1].add(w)); x.commands.forEach((w:number)=>first.get(w)!<at&&s[2].add(w)); } ahead.push([i,...s.map((q:any)=>count([...q]))]); }
  }});
  from=Math.min(from,hid); res[name]={bill:cache.bill(),use,ahead,comp,byLayer};
 }
 for (const name of pick) { const t=tot[name]??={money:0,read:0,write:0,comp:0,use:[[0,0],[0,0],[0,0]],ahead:[[0,0],[0,0],[0,0]],byLayer:{}}; const o=res[name];
  t.money+=promptMoney(o.bill); t.read+=o.bill.cacheRead; t.write+=o.bill.cacheWrite; t.comp+=o.comp;
  for (const x of o.use.slice(from)) x.forEach((p:any,c:number)=>{t.use[c][0]+=p[0];t.use[c][1]+=p[1];});
  for (const x of o.ahead) if (x[0]>=from) x.slice(1).forEach((p:any,c:number)=>{t.ahead[c][0]+=p[0];t.ahead[c][1]+=p[1];});
  for (const [k,e] of Object.entries<any>(o.byLayer)) { const g=t.byLayer[k]??={n:0,before:0,after:0}; g.n+=e.n; g.before+=e.before; g.after+=e.after; }
 }
}}
const pc=(p:number[])=>(100*p[0]!/p[1]!).toFixed(1);
for (const name of pick) { const t=tot[name]; console.log(name.padEnd(16),'$'+t.money.toFixed(2),'read',(t.read/1e6).toFixed(1),'write',(t.write/1e6).toFixed(2),'cache',(100*t.read/(t.read+t.write)).toFixed(1),'comp',t.comp,'use',t.use.map(pc).join(' '),'ahead',t.ahead.map(pc).join(' '), 'n',t.use.map((p:any)=>p[1]).join(' '), t.ahead.map((p:any)=>p[1]).join(' '));
 if (process.argv[4]) for (const [k,e] of Object.entries<any>(t.byLayer).sort((a,b)=>b[1].n-a[1].n)) console.log('     ',e.n,'×',Math.round(e.before/e.n),'→',Math.round(e.after/e.n),k); }
