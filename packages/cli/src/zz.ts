import { readdirSync, readFileSync } from 'node:fs';
import { readSession } from '@palimpsest/formats';
import { presets } from '@palimpsest/core';
import { replaySession, sumOf } from './replay/replay-session.ts';
import { promptMoney } from './replay/prefix-cache.ts';
const root='/work/shared/sessions';
const names = (process.argv[3]?.split(',') ?? Object.keys(presets)) as any;
const all:any={}; const t00=performance.now();
for (const d of readdirSync(root)) { if (d.includes('.')) continue; for (const f of readdirSync(`${root}/${d}`)) {
 if (process.argv[2] && !`${d}/${f}`.includes(process.argv[2])) continue;
 const r=readSession(readFileSync(`${root}/${d}/${f}`)); const t0=performance.now();
 const out=await replaySession(r,{window:64000,presets:names,signal:new AbortController().signal});
 for (const o of out) (all[o.preset]??=[]).push(o);
 console.log(d,f.slice(-20),(performance.now()-t0).toFixed(0)+'ms', out.map(o=>`${o.preset}:${promptMoney(o).toFixed(2)} c${o.compactions} u${o.unfit} ${(100*o.recall.identifiers.held/o.recall.identifiers.needed).toFixed(1)}`).join('  '));
}}
console.log(((performance.now()-t00)/1000).toFixed(1)+'s');
for (const p of names) { const os=all[p]; const sum=(f:any)=>os.reduce((s:number,o:any)=>s+f(o),0); const rec=sumOf(os.map((o:any)=>o.recall));
 const cr=sum((o:any)=>o.cacheRead), cw=sum((o:any)=>o.cacheWrite);
 console.log(p.padEnd(12),'tokens',((cr+cw)/1e6).toFixed(1)+'M','write',(cw/1e6).toFixed(2)+'M','$',sum(promptMoney).toFixed(2),'cache',(100*cr/(cr+cw)).toFixed(1),'comp',sum((o:any)=>o.compactions),'unfit',sum((o:any)=>o.unfit),...Object.entries(rec).map(([k,v]:any)=>`${k} ${(100*v.held/v.needed).toFixed(1)}% of ${v.needed}`)); }
