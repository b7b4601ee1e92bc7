import { createSession, presets, user, assistant, call, results, result, type SessionEvent } from '@palimpsest/core';
import { good } from './packages/core/test/summarizers.ts';
const long=(w:string,n:number)=>Array(n).fill(w).join(' ');
for (const name of ['default','claude-code','open-code','s08'] as const)
for (const [kind,toolShare] of [['talk',0],['mixed',0.5],['tools',1]] as const) {
  const summarizer = good();
  const ev: Record<string,number> = {};
  const session = createSession({ window: 40_000, maxOutput: 1000, layers: presets[name](), ports: { summarizer }, on: (e: SessionEvent)=>{ const k = e.type==='summary-paid'? `paid-${e.how}`: e.type; ev[k]=(ev[k]??0)+1; } });
  let n=0;
  for (let t=0;t<120;t++) {
    session.append(user(`please do thing ${t} ${long('now',30)}`));
    for (let r=0;r<4;r++) {
      n++;
      if ((n%4)/4 < toolShare) {
        session.append(assistant([call(`c${n}`,'bash',{command:`make part_${n}`})]));
        session.append(results([result(`c${n}`, `out ${n} ${long('line',400)}`)]));
      } else session.append(assistant(`thought ${n} ${long('word',300)}`)), session.append(user(`ok ${n}`));
      await session.view(); await session.settled();
    }
    session.append(assistant('done'));
  }
  const folds = session.ledger().entries.flatMap(e=>e.type==='edits'?e.edits:[]).flatMap(e=>e.type==='fold'&&e.summary?.of==='history'?[e.summary.by]:[]);
  console.log(name, kind, 'calls', summarizer.requests.length, 'paid', ev['paid-draft'], ev['paid-asked'], 'folds', folds.length, 'draft', folds.filter(b=>b==='draft').length);
}
